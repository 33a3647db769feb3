/* Peers under the loads of public reports, by earlier versions: ranking, values, their ratios to one system, and the published ratios. */
const RANKING_WIDTH = 7;

function suiteValue(metric, value)
{
    return metric.unit === 'ns' ? formatNs(value) : formatRate(value) + '/s';
}

function suiteCell(pointer, spread, format)
{
    if (!spread)
    {
        return noCell();
    }
    return element('td', {
        class: 'number', 'data-pointer': pointer + '/median', 'data-value': spread.median, title: spread.median
    }, format(spread.median), spread.min === spread.max ? null :
        element('div', { class: 'muted' }, format(spread.min) + ' to ' + format(spread.max)));
}

/** The systems of a load, best first by its first metric; those without a value at the end, without a rank. */
function ranked(group)
{
    const metric = group.metrics[0];
    const sign = metric.unit === 'ns' ? 1 : -1;
    const value = (system) => system.values[metric.name] ? sign * system.values[metric.name].median : Infinity;
    const order = group.systems.map((system, index) => ({ system, index }))
        .sort((one, other) => value(one.system) === value(other.system) ? 0 : value(one.system) - value(other.system));
    return order.map((entry, place) => ({ ...entry, rank: value(entry.system) === Infinity ? null : place + 1 }));
}

function runsCell(system)
{
    const text = system.goodRuns + ' of ' + system.runs +
        (system.clientLimitedRuns ? ', ' + system.clientLimitedRuns + ' limited by the client' : '');
    if (system.goodRuns === system.runs)
    {
        return element('td', { class: 'number', 'data-sort': system.goodRuns }, text);
    }
    return element('td', { class: 'number', 'data-sort': system.goodRuns }, text, element('div', null,
        system.goodRuns > 0 ? null : 'none is good'));
}

/** A published ratio, if the version that stored it checked that the report measured the same. */
function checkedRatio(system, metric)
{
    return system.publishedDiffers ? system.published[metric.name] : undefined;
}

/** What differs in the report, or is not stated there, for each system. */
function publishedNotes(group)
{
    return group.systems.flatMap((system) =>
    {
        if (!system.publishedDiffers)
        {
            return Object.keys(system.published).length > 0 ? [system.name + ', published ratio not shown: ' + UNCHECKED] : [];
        }
        return [
            system.publishedDiffers.length > 0 ?
                system.name + ', not the experiment of the report: ' + system.publishedDiffers.join('; ') : null,
            system.publishedNotStated.length > 0 ?
                system.name + ', not stated by the report: ' + system.publishedNotStated.join(', ') : null].filter((one) => one);
    });
}

/** Sentences that a click shows, if there are any. */
function hidden(summary, all)
{
    return all.length === 0 ? null :
        element('details', { class: 'keys' }, element('summary', null, summary), sentences(all, 'note'));
}

function suiteTable(group, pointer)
{
    const isPublished = group.publishedBy !== '';
    const headings = group.metrics.flatMap((metric) => [numberHead(metric.name), numberHead(metric.name + ' ratio'),
        isPublished ? numberHead(metric.name + ' published') : null]).filter((one) => one);
    const failures = group.systems.flatMap((system) =>
        system.failures.map((failure) => system.name + ': ' + failure));
    const warnings = group.systems.flatMap((system) =>
        (system.warnings || []).map((warning) => system.name + ', ' + warning));
    return [sortable(table(group.name, { class: 'wide', 'data-table': group.name },
        [head('system'), numberHead('rank'), numberHead('good runs'), ...headings],
        ranked(group).map(({ system, index, rank }) =>
        {
            const own = pointer + '/systems/' + index;
            return element('tr', null,
                element('th', { scope: 'row' }, system.name + (system.name === group.base ? ' (base)' : '')),
                rank === null ? noCell() : element('td', { class: 'number', 'data-sort': rank }, String(rank)),
                runsCell(system),
                group.metrics.flatMap((metric) => [
                    suiteCell(own + '/values/' + metric.name, system.values[metric.name],
                        (value) => suiteValue(metric, value)),
                    suiteCell(own + '/ratios/' + metric.name, system.ratios[metric.name], formatRatio),
                    isPublished ? ratioCell(own + '/published/' + metric.name, checkedRatio(system, metric)) : null]));
        }))), sentences(publishedNotes(group), 'note'), hidden('Why runs of ' + group.name + ' are not good', failures),
    hidden('Warnings of good runs of ' + group.name, warnings)];
}

/** Loads of one kind together, and no more kinds in a table than fit the page. */
function rankingParts(groups)
{
    const kinds = new Map();
    groups.forEach((entry) => kinds.set(entry.group.workload, [...(kinds.get(entry.group.workload) || []), entry]));
    return [...kinds.values()].reduce((parts, entries) =>
    {
        const last = parts[parts.length - 1];
        return last && last.length + entries.length <= RANKING_WIDTH ?
            [...parts.slice(0, -1), [...last, ...entries]] : [...parts, entries];
    }, []);
}

function rankingTable(groups)
{
    const names = [...new Set(groups.flatMap(({ order }) => order.map(({ system }) => system.name)))];
    const cell = (name, { group, order }) =>
    {
        const found = order.find(({ system }) => system.name === name);
        if (!found || found.rank === null)
        {
            return element('td', { class: 'number muted', 'data-sort': '' }, found ? 'no value' : '–');
        }
        const ratio = found.system.ratios[group.metrics[0].name];
        return element('td', { class: 'number', 'data-sort': found.rank }, element('strong', null, String(found.rank)),
            element('div', { class: 'muted' }, ratio ? formatRatio(ratio.median) + '×' : ''));
    };
    const title = [...new Set(groups.map(({ group }) => group.workload))].join(', ');
    return [
        element('h3', null, title),
        sortable(table('Ranking: ' + title, { class: 'wide', 'data-table': 'ranking' },
            [head('system'), ...groups.map(({ group }) => numberHead(group.name + ', ' + group.metrics[0].name))],
            names.map((name) => element('tr', null, element('th', { scope: 'row' }, name),
                groups.map((entry) => cell(name, entry))))))];
}

/** Rank and ratio of each system under each load. */
function ranking(suite)
{
    const groups = suite.manifest.groups.map((group) => ({ group, order: ranked(group) }));
    return [
        element('h2', null, 'Ranking'),
        element('p', { class: 'note' }, 'Rank by the first metric of each load, 1 is best; below it the ratio to the base of the ' +
            'load. Click a heading to sort. The systems differ in what they guarantee, so there is no overall rank.'),
        ...rankingParts(groups).flatMap(rankingTable)];
}

/** Ours and published, on one logarithmic axis of ratios; a system without a good run has no point. */
function suiteChart(group, metric)
{
    const shown = ranked(group).map(({ system }) => system).filter((system) => system.ratios[metric.name]);
    if (shown.length < 2)
    {
        return null;
    }
    const values = shown.flatMap((system) => [system.ratios[metric.name].min, system.ratios[metric.name].max,
        checkedRatio(system, metric)]).filter((value) => value > 0);
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
        name: 'suite-ratio', title: group.name + ': ' + metric.name + ' as a ratio to ' + group.base,
        note: metric.unit === 'ns' ? 'Farther right is slower.' : 'Farther right is faster.',
        heightPx: 70 + 26 * shown.length,
        option: (width) => ({
            grid: { left: Math.min(130, width / 3), right: 20, top: 10, bottom: 44 },
            tooltip: tooltipBox({
                trigger: 'item', formatter: (item) => element('div', null, names[item.value[1]] + ', ' + item.seriesName + '  ',
                    element('strong', null, formatRatio(item.value[0])))
            }),
            xAxis: axis({
                type: 'log', min, max, axisTick: { customValues: ticks, lineStyle: { color: color('muted') } },
                axisLabel: { color: color('muted'), customValues: ticks, formatter: (value) => String(Number(value.toPrecision(2))) },
                ...nameBelow('ratio to ' + group.base + ' (log scale)')
            }),
            yAxis: axis({
                type: 'category', data: names, inverse: true, splitLine: { show: false },
                axisLabel: { color: color('ink'), interval: 0 }
            }),
            series: [{
                name: 'here', type: 'scatter', symbol: 'circle', symbolSize: 10, color: color('here'),
                data: shown.map((system, index) => [system.ratios[metric.name].median, index]),
                markLine: {
                    silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dashed' },
                    label: { show: false }, data: [{ xAxis: 1 }]
                }
            }, {
                name: 'published', type: 'scatter', symbol: 'diamond', symbolSize: 12, color: color('published'),
                data: shown.map((system, index) => [checkedRatio(system, metric), index]).filter(([value]) => value > 0)
            }]
        })
    });
}

function suiteVerdict(suite)
{
    const document = suite.manifest;
    const runs = document.groups.flatMap((group) => group.systems).reduce((sum, system) =>
        ({ done: sum.done + system.runs, good: sum.good + system.goodRuns }), { done: 0, good: 0 });
    return documentVerdict(suite, 'Systems ran interleaved in each round, at ' + document.size + '. A ratio is a system\'s value ' +
        'divided by that of the base of its load; its range is over all pairs of rounds.',
    element('div', { class: 'tiles' },
        tile('loads', formatCount(document.groups.length)),
        tile('systems', formatCount(new Set(document.groups.flatMap((group) => group.systems.map(({ name }) => name))).size)),
        tile('good runs', formatCount(runs.good), 'of ' + formatCount(runs.done))));
}

function suiteBody(suite)
{
    const document = suite.manifest;
    return [
        suiteVerdict(suite),
        element('p', { class: 'note' }, 'Published ratios come from reports that were measured on other machines, each divided by ' +
            'the base of the same report: compare ratios, never absolute figures. They are shown only where system, call style, ' +
            'message, load and metric of both systems are those of the report.'),
        ...ranking(suite),
        ...document.groups.flatMap((group, index) => [
            element('h2', null, group.name),
            ...suiteTable(group, '/groups/' + index),
            group.publishedBy ? element('p', { class: 'note' }, 'Published: ' + group.publishedBy + '.') : null,
            suiteChart(group, group.metrics[0])]),
        element('h2', null, 'Configuration and environment'),
        element('p', null, element('strong', null, 'Started: '), formatDate(document.start)),
        element('pre', null, document.commandLine),
        element('div', { class: 'columns' }, facts('Machine', document.machine), facts('Versions', document.versions)),
        rawKeys(document),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, suite.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))].flat().filter((part) => part);
}
