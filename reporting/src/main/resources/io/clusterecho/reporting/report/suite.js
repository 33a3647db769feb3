/* Peers under the loads of public reports: values, their ratios to one system, and the published ratios. */
function suiteValue(metric, value)
{
    return metric.unit === 'ns' ? formatNs(value) : formatRate(value) + '/s';
}

function suiteCell(pointer, spread, format)
{
    if (!spread)
    {
        return element('td', { class: 'number muted' }, '–');
    }
    return element('td', {
        class: 'number', 'data-pointer': pointer + '/median', 'data-value': spread.median, title: spread.median
    }, format(spread.median), spread.min === spread.max ? null :
        element('div', { class: 'muted' }, format(spread.min) + ' to ' + format(spread.max)));
}

/** What no report has published has no column for it. Why runs cannot stand is told below: words would make the table too wide. */
function suiteTable(group, pointer)
{
    const isPublished = group.publishedBy !== '';
    const failures = group.systems.flatMap((system) => system.failures.map((failure) => system.name + ': ' + failure));
    const headings = group.metrics.flatMap((metric) =>
        [numberHead(metric.name), numberHead('ratio'), isPublished ? numberHead('published') : null]);
    return [table({ class: 'wide', 'data-table': group.name }, [head('system'), numberHead('good runs'), ...headings],
        group.systems.map((system, index) =>
        {
            const own = pointer + '/systems/' + index;
            return element('tr', null,
                element('th', { scope: 'row' }, system.name + (system.name === group.base ? ' (base)' : '')),
                element('td', { class: 'number' + (system.goodRuns === 0 ? ' bad' : '') },
                    system.goodRuns + ' of ' + system.runs),
                group.metrics.flatMap((metric) => [
                    suiteCell(own + '/values/' + metric.name, system.values[metric.name],
                        (value) => suiteValue(metric, value)),
                    suiteCell(own + '/ratios/' + metric.name, system.ratios[metric.name], formatRatio),
                    isPublished ? ratioCell(own + '/published/' + metric.name, system.published[metric.name]) : null]));
        })), failures.length === 0 ? null :
        element('ul', { class: 'note' }, failures.map((failure) => element('li', null, failure)))];
}

/** Ours and theirs on one logarithmic axis of ratios; a system whose runs failed has no point. */
function suiteChart(group, metric)
{
    const shown = group.systems.filter((system) => system.ratios[metric.name]);
    if (shown.length < 2)
    {
        return null;
    }
    const values = shown.flatMap((system) => [system.ratios[metric.name].min, system.ratios[metric.name].max,
        system.published[metric.name]]).filter((value) => value > 0);
    const min = Math.min(...values, 1) / 1.3;
    const max = Math.max(...values, 1) * 1.3;
    const ticks = [];
    for (let decade = Math.pow(10, Math.floor(Math.log10(min))); decade <= max; decade *= 10)
    {
        ticks.push(...(max / min > 200 ? [1] : [1, 2, 5]).map((step) => Number((step * decade).toPrecision(1)))
            .filter((tick) => tick >= min && tick <= max));
    }
    const names = shown.map((system) => system.name);
    return figure({
        name: 'suite-ratio', title: metric.name + ' as a ratio to ' + group.base,
        note: metric.unit === 'ns' ? 'Farther right is slower.' : 'Farther right is faster.',
        heightPx: 70 + 26 * shown.length,
        option: (width) => ({
            grid: { left: Math.min(130, width / 3), right: 20, top: 30, bottom: 26 },
            legend: legend(['here', 'published']),
            tooltip: {
                trigger: 'item', confine: true, backgroundColor: color('paper'), borderColor: color('line'),
                textStyle: { color: color('ink'), fontSize: 12 },
                formatter: (item) => element('div', null, names[item.value[1]] + ', ' + item.seriesName + '  ',
                    element('strong', null, formatRatio(item.value[0])))
            },
            xAxis: axis({
                type: 'log', min, max, axisTick: { customValues: ticks, lineStyle: { color: color('muted') } },
                axisLabel: { color: color('muted'), customValues: ticks, formatter: (value) => String(Number(value.toPrecision(2))) }
            }),
            yAxis: axis({
                type: 'category', data: names, inverse: true, splitLine: { show: false },
                axisLabel: { color: color('ink'), interval: 0 }
            }),
            series: [{
                name: 'here', type: 'scatter', symbol: 'circle', symbolSize: 10, color: color('p99'),
                data: shown.map((system, index) => [system.ratios[metric.name].median, index]),
                markLine: {
                    silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dashed' },
                    label: { show: false }, data: [{ xAxis: 1 }]
                }
            }, {
                name: 'published', type: 'scatter', symbol: 'diamond', symbolSize: 12, color: color('max'),
                data: shown.map((system, index) => [system.published[metric.name], index]).filter(([value]) => value > 0)
            }]
        })
    });
}

function suiteBody(suite)
{
    const document = suite.manifest;
    return [
        documentVerdict(suite, 'Systems took turns within each round, at ' + document.size + '. A ratio is a system\'s value by ' +
            'that of the base of its load; its range is of all pairs of rounds.'),
        element('p', { class: 'note' }, 'Published ratios are of reports that were measured on other machines, each by the base ' +
            'of the same report: compare ratios, never absolute figures. What the systems do and do not guarantee differs too.'),
        ...document.groups.flatMap((group, index) => [
            element('h2', null, group.name),
            ...suiteTable(group, '/groups/' + index),
            group.publishedBy ? element('p', { class: 'note' }, 'Published: ' + group.publishedBy + '.') : null,
            suiteChart(group, group.metrics[0])]),
        element('h2', null, 'How it came about'),
        element('p', null, element('strong', null, 'Started: '), document.start),
        element('pre', null, document.commandLine),
        element('div', { class: 'columns' }, facts('Machine', document.machine), facts('Versions', document.versions)),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, suite.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))].filter((part) => part);
}
