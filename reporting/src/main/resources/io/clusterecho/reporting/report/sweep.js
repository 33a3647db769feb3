/* A sweep: every cell, small multiples, ratios and the runs in the order in which they were made. */
const AXIS_CHOICE = [
    'log-length', 'rate', 'in-flight', 'size', 'mtu', 'state-length', 'fsync', 'members', 'profile', 'placement',
    'snapshot-every', 'backup', 'churn', 'away', 'term-length', 'image-liveness', 'before-fault', 'fault', 'heap', 'connections', 'load', 'idle', 'driver',
    'transport'];
const LINE_CHOICE = [
    'transport', 'driver', 'fsync', 'placement', 'mtu', 'snapshot-every', 'backup', 'churn', 'profile', 'members', 'size', 'rate',
    'image-liveness',
    'before-fault', 'fault', 'term-length', 'away'];
/** Settings that dimensions are called after. */
const DIMENSION_FACTS = {
    placement: 'echo.placement', driver: 'echo.driver', profile: 'echo.profile', fsync: 'echo.fsync', mtu: 'echo.mtu',
    'state-length': 'echo.state.length', backup: 'echo.backup', 'term-length': 'echo.log.term.length',
    'image-liveness': 'aeron.image.liveness.timeout',
    'receive-vector': 'echo.driver.c.receive.vector', 'send-vector': 'echo.driver.c.send.vector',
    'messages-per-send': 'echo.driver.c.messages.per.send'
};
/** What became of a follower that a fault hit, in the order of the columns. */
const RETURN_TIMES = [
    ['inQuorumNs', 'in the quorum'], ['caughtUpNs', 'caught up'], ['outageNs', 'outage of the clients'],
    ['p99BeforeNs', 'p99 before'], ['p99ReturningNs', 'p99 meanwhile']];
const RETURN_CHARTS = RETURN_TIMES.slice(0, 2);
const SWEEP_PERCENTILES = ['p50', 'p99', 'p99.9'];
const MOST_MULTIPLES = 36;

function sweepVerdict(sweep)
{
    const document = sweep.manifest;
    const good = document.cells.filter((cell) => cell.verdict.good).length;
    const done = document.cells.reduce((count, cell) => count + cell.runs, 0);
    return documentVerdict(sweep, good + ' of ' + plural(document.cells.length, 'cell') + ' are good, with ' + done + ' of ' +
        plural(document.cells.length * document.plan.repeats, 'run') + ' done.');
}

function varied(sweep)
{
    return sweep.manifest.plan.varied || [];
}

/** Whether the rate of some cells was searched, rather than given. */
function isSearched(sweep)
{
    return sweep.manifest.plan.dimensions.rate.includes('max');
}

function cellLook(cell)
{
    return { GOOD: 'good', 'CLIENT-LIMITED': 'partial', PARTIAL: 'partial', OPEN: 'partial' }[cell.verdict.label] || 'failed';
}

/** A dimension in words. */
function dimensionName(dimension)
{
    return dimension === 'members' ? 'Members' : factName(DIMENSION_FACTS[dimension] || dimension);
}

/** Within a sentence or after another one. */
function dimensionNoun(dimension)
{
    return dimensionName(dimension).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** A value of a dimension, with its unit. */
function formatValue(dimension, value)
{
    return dimension === 'placement' ? value.replace(/^.*\//, '') :
        dimension === 'rate' && value.endsWith('%') ? value + ' of the highest rate' :
        dimension === 'rate' && value === 'max' ? 'searched' :
        factText(DIMENSION_FACTS[dimension] || dimension, value);
}

function namedValue(dimension, value)
{
    return dimensionName(dimension) + ' ' + formatValue(dimension, value);
}

function cellName(cell, dimensions)
{
    const name = dimensions.map((one) => dimensionNoun(one) + ' ' + formatValue(one, cell.values[one])).join(', ');
    return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The target rate; where it is searched, the median of the highest rates, and below it their range. */
function rateCell(cell, pointer)
{
    const highest = cell.highestRatePerSecond;
    if (highest === undefined)
    {
        return cell.values.rate === 'max' ? element('td', { class: 'number muted' }, '–') :
            pointerCell(pointer + '/ratePerSecond', cell.ratePerSecond, formatCount(cell.ratePerSecond));
    }
    const shown = pointerCell(pointer + '/highestRatePerSecond/median', highest.median, formatCount(highest.median));
    shown.append(element('div', { class: 'note' }, formatCount(highest.min) + ' – ' + formatCount(highest.max)));
    return shown;
}

function cellTable(sweep)
{
    const dimensions = varied(sweep);
    const rows = sweep.manifest.cells.flatMap((cell, index) =>
    {
        const pointer = '/cells/' + index;
        const look = cellLook(cell);
        const time = (name) =>
        {
            const spread = cell.responseTimeNs && cell.responseTimeNs[name];
            return spread === undefined ? element('td', { class: 'number muted' }, '–') :
                element('td', {
                    class: 'number' + (cell.goodRuns === 0 ? ' bad' : ''), 'data-pointer': pointer + '/responseTimeNs/' + name +
                        '/median', 'data-value': spread.median, title: spread.median
                }, formatNs(spread.median), element('div', { class: 'note' },
                    formatNs(spread.min) + ' – ' + formatNs(spread.max)));
        };
        const row = element('tr', null,
            dimensions.length === 0 ? element('th', { scope: 'row' }, cell.name) :
                dimensions.map((dimension, place) =>
                    element(place === 0 ? 'th' : 'td', { scope: place === 0 ? 'row' : null, class: 'value' },
                        formatValue(dimension, cell.values[dimension]))),
            element('td', null, element('span', { class: 'badge ' + look },
                { good: '✓', partial: '◐', failed: '✗' }[look] + ' ' + cell.verdict.label),
            cell.disturbances ? element('span', { class: 'badge partial', 'data-pointer': pointer + '/disturbances' },
                'disturbed') : null),
            pointerCell(pointer + '/goodRuns', cell.goodRuns, cell.goodRuns + ' of ' + cell.runs),
            rateCell(cell, pointer),
            ['p50', 'p99', 'p99.9', 'max'].map(time));
        const below = (texts, look) => (texts.length === 0 ? [] : [element('tr', null, element('td', {
            class: look, colspan: Math.max(1, dimensions.length) + 7
        }, texts.map((text) => element('div', null, text))))]);
        return [row, ...below(cell.verdict.reasons, 'bad'), ...below(cell.disturbances || [], 'note')];
    });
    const labels = new Map(sweep.manifest.cells.filter((cell) => cell.durability)
        .map((cell) => [cell.durability, cell.values.fsync]));
    return [
        element('h2', null, 'Cells'),
        table('Cells', { class: 'wide' }, [
            ...(dimensions.length === 0 ? [head('cell')] : dimensions.map((one) => head(dimensionName(one)))),
            head('verdict'),
            numberHead('good runs'), numberHead(isSearched(sweep) ? 'highest or target/s' : 'target/s'),
            ...['p50', 'p99', 'p99.9', 'max'].map(numberHead)], rows),
        element('p', { class: 'note' }, 'Response time: the median over the good runs of a cell, and below it their minimum and ' +
            'maximum. The times of a cell without a good run are red: its runs failed.' + (isSearched(sweep) ?
            ' A rate that was searched is the highest that meets ' + sweep.manifest.plan.slo + '; the response time is that ' +
            'at it.' : '')),
        ...[...labels.keys()].map((text) => element('p', { class: 'note' }, 'Durability: ' + text + '.')),
        ...[...new Set(sweep.manifest.cells.map((cell) => cell.placement).filter((text) => text))].map((text) =>
            element('p', { class: 'note' }, 'Placement: ' + text + '.'))];
}

/** The dimension on the axis, the one with a line for each value, and those with a chart for each value. */
function layout(sweep)
{
    const dimensions = varied(sweep);
    const along = AXIS_CHOICE.find((one) => dimensions.includes(one));
    const line = LINE_CHOICE.find((one) => dimensions.includes(one) && one !== along);
    return { along, line, panels: dimensions.filter((one) => one !== along && one !== line) };
}

function panels(sweep, dimensions)
{
    const byName = new Map();
    sweep.manifest.cells.filter((cell) => cell.responseTimeNs).forEach((cell) =>
    {
        const name = cellName(cell, dimensions);
        byName.set(name, [...(byName.get(name) || []), cell]);
    });
    return [...byName];
}

function whisker(parameters, api)
{
    const low = api.coord([api.value(0), api.value(1)]);
    const high = api.coord([api.value(0), api.value(2)]);
    const half = 4;
    const style = { stroke: api.visual('color'), lineWidth: 1.4, fill: null };
    const at = low[0] + api.value(3);
    const stroke = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
    return {
        type: 'group',
        children: [stroke(at, low[1], at, high[1]), stroke(at - half, low[1], at + half, low[1]),
            stroke(at - half, high[1], at + half, high[1])]
    };
}

/** A number in a value of a dimension: a count, a length in bytes, a duration or a rate with a suffix; NaN for words and levels. */
function numberIn(dimension, value)
{
    const match = /^(\d+(?:\.\d+)?)(ns|us|ms|s|[km]?)$/i.exec(value);
    const unit = match && match[2].toLowerCase();
    return !match || dimension === 'fsync' ? NaN : BYTE_KEYS.includes(DIMENSION_FACTS[dimension] || dimension) ? byteCount(value) :
        Number(match[1]) * { '': 1, k: 1e3, m: 1e6, ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit];
}

/** Where the values of a dimension are on its axis: at their numbers, on a log scale if they are far apart; else side by side. */
function placesAlong(dimension, values)
{
    const at = values.map((value) => numberIn(dimension, value));
    const [least, most] = [Math.min(...at), Math.max(...at)];
    if (at.some(Number.isNaN) || !(least < most))
    {
        return { at: values.map((_, index) => index), axis: {
            type: 'category', data: values.map((value) => formatValue(dimension, value)), boundaryGap: true,
            axisLabel: { color: color('muted'), interval: 0, hideOverlap: true } } };
    }
    const isLog = least > 0 && most / least >= 8;
    const room = isLog ? Math.pow(most / least, 0.12) : 0.12 * (most - least);
    return { at, axis: {
        type: isLog ? 'log' : 'value', min: isLog ? least / room : least - room, max: isLog ? most * room : most + room,
        axisTick: { customValues: at, lineStyle: { color: color('muted') } },
        axisLabel: { color: color('muted'), customValues: at, hideOverlap: true,
            formatter: (number) => formatValue(dimension, values[nearest(at, number)]) } } };
}

/** ECharts computes ticks of a log axis as powers, which need not be the numbers that it was given. */
function nearest(numbers, number)
{
    return numbers.reduce((best, one, index) => Math.abs(one - number) < Math.abs(numbers[best] - number) ? index : best, 0);
}

function multiple(
    sweep, percentile, name, cells, place, yAxis, spreadOf = (cell) => cell.responseTimeNs[percentile], format = formatNs)
{
    const { along, line } = place;
    const values = sweep.manifest.plan.dimensions[along];
    const places = placesAlong(along, values);
    const lines = line ? sweep.manifest.plan.dimensions[line] : ['all'];
    const series = lines.flatMap((value, index) =>
    {
        const own = cells.filter((cell) => !line || cell.values[line] === value);
        const lineColor = runColor(index, lines.length);
        const spreads = own.map((cell) => ({
            at: places.at[values.indexOf(cell.values[along])], spread: spreadOf(cell), isGood: cell.goodRuns > 0
        })).filter(({ spread }) => spread).sort((one, other) => one.at - other.at);
        const seriesName = line ? namedValue(line, value) : percentile;
        // Side by side, so that whiskers of one place do not hide one another.
        const shift = (index - (lines.length - 1) / 2) * 9;
        return [{
            name: seriesName, type: 'line', color: lineColor, showSymbol: true, symbolSize: 6,
            lineStyle: { width: 1.6 }, emphasis: { disabled: true },
            data: spreads.map(({ at, spread, isGood }) => ({
                value: [at, Math.max(1, spread.median)], symbol: isGood ? 'circle' : 'emptyCircle', symbolOffset: [shift, 0]
            }))
        }, {
            name: seriesName, type: 'custom', color: lineColor, renderItem: whisker, silent: true, tooltip: { show: false },
            data: spreads.map(({ at, spread }) => [at, Math.max(1, spread.min), Math.max(1, spread.max), shift])
        }];
    });
    return figure({
        name: 'multiple-' + percentile.replace(/ /g, '-'), title: percentile + (name === '' ? '' : ', ' + name), isLow: true,
        note: 'Median over the runs; whiskers from minimum to maximum.',
        option: () => ({
            grid: { left: 56, right: 12, top: 26, bottom: 44 },
            tooltip: tooltip(format, (at) => namedValue(along, values[places.at.indexOf(at)])),
            xAxis: axis({ ...places.axis, ...nameBelow(dimensionName(along)) }),
            yAxis: Object.assign(yAxis(), { axisLine: { onZero: false, lineStyle: { color: color('muted') } } }), series
        })
    });
}

/** What is drawn along a setting: percentiles of the response time, or rates where these are what was searched. */
function metricsAlong(cells)
{
    if (cells.every((cell) => cell.highestRatePerSecond))
    {
        const rates = cells.map((cell) => cell.highestRatePerSecond);
        const yAxis = () => rateAxis(
            rates.flatMap((spread) => [spread.min, spread.max]), nameAbove('messages/s (log scale)'));
        return {
            title: 'Highest rate', names: ['highest rate'], yAxis: () => yAxis,
            spreadOf: () => (cell) => cell.highestRatePerSecond, format: (rate) => formatRate(rate) + '/s'
        };
    }
    return {
        title: 'Response time', names: SWEEP_PERCENTILES, format: formatNs,
        yAxis: (percentile) => () => timeAxis(cells.map((cell) => cell.responseTimeNs[percentile]).filter((spread) => spread)
            .flatMap((spread) => [spread.min, spread.max])),
        spreadOf: (percentile) => (cell) => cell.responseTimeNs[percentile]
    };
}

function multiples(sweep)
{
    const place = layout(sweep);
    const measured = sweep.manifest.cells.filter((cell) => cell.responseTimeNs);
    if (!place.along || measured.length === 0)
    {
        return [];
    }
    const { title, names, yAxis, spreadOf, format } = metricsAlong(measured);
    const groups = panels(sweep, place.panels);
    const shown = groups.slice(0, Math.max(1, Math.floor(MOST_MULTIPLES / names.length)));
    return [
        element('h2', null, title + ' by ' +
            [place.along, place.line, ...place.panels].filter((one) => one).map(dimensionNoun).join(', ')),
        element('p', { class: 'note' }, 'All charts of a ' + (names.length > 1 ? 'percentile' : 'metric') +
            ' have the same axis. Hollow points: cells without a good run.' +
            (shown.length < groups.length ? ' The first ' + shown.length + ' of ' + groups.length +
            ' combinations are drawn; the table has all.' : '')),
        ...inRows(shown.length, names.map((name) => shown.map(([group, cells]) =>
            multiple(sweep, name, group, cells, place, yAxis(name), spreadOf(name), format))))];
}

/** A row of charts for each percentile; where that is a single chart, all of them in one row. */
function inRows(chartCount, rows)
{
    return (chartCount === 1 ? [rows.flat()] : rows).map((row) => element('div', { class: 'multiples' }, row));
}

/** How long a follower takes to come back, by cell. */
function memberReturns(sweep)
{
    const cells = sweep.manifest.cells.map((cell, index) => ({ cell, index })).filter(({ cell }) => cell.memberReturn);
    if (cells.length === 0)
    {
        return [];
    }
    const dimensions = varied(sweep);
    const rows = cells.map(({ cell, index }) => element('tr', null,
        element('th', { scope: 'row' }, dimensions.length === 0 ? cell.name : cellName(cell, dimensions)),
        RETURN_TIMES.map(([name]) =>
        {
            const range = cell.memberReturn[name];
            return range === undefined ? element('td', { class: 'number muted' }, '–') : element('td', {
                class: 'number', 'data-pointer': '/cells/' + index + '/memberReturn/' + name + '/median',
                'data-value': range.median, title: range.median
            }, formatNs(range.median), element('div', { class: 'note' }, formatNs(range.min) + ' – ' + formatNs(range.max)));
        })));
    const place = layout(sweep);
    const groups = place.along ? panels(sweep, place.panels)
        .map(([name, all]) => [name, all.filter((cell) => cell.memberReturn)]).filter(([, all]) => all.length > 0) : [];
    const shown = groups.slice(0, Math.floor(MOST_MULTIPLES / RETURN_CHARTS.length));
    return [
        element('h2', null, 'A member that comes back'),
        table('A member that comes back', { class: 'wide', 'data-table': 'member-return' },
            [head('cell'), ...RETURN_TIMES.map(([, title]) => numberHead(title))], rows),
        element('p', { class: 'note' }, 'From the start of the follower\'s process, or the end of its pause, until it is in ' +
            'the term with all that the leader had committed then, and with what the leader had by that time: the median ' +
            'over the runs, and below it their minimum and maximum. The response times are those of messages due in the ' +
            'second before the fault, and from the return until the follower had caught up.'),
        ...inRows(shown.length, RETURN_CHARTS.map(([name, title]) =>
        {
            const all = cells.map(({ cell }) => cell.memberReturn[name]);
            const yAxis = () => timeAxis(all.flatMap((range) => [range.min, range.max]));
            return shown.map(([group, own]) =>
                multiple(sweep, title, group, own, place, yAxis, (cell) => cell.memberReturn[name]));
        }))];
}

function formatRatio(ratio)
{
    return ratio < 0.0995 ? ratio.toPrecision(2) : ratio.toFixed(ratio >= 9.995 ? 1 : 2);
}

function ratios(sweep)
{
    const document = sweep.manifest;
    if (document.ratios.length === 0)
    {
        return [];
    }
    const cellOf = (number) => document.cells[number - 1];
    const differs = (ratio) => ratio.publishedDiffers || (ratio.published ? [UNCHECKED] : []);
    const isPublished = document.ratios.some((ratio) => ratio.published || differs(ratio).length > 0);
    const name = (ratio) => namedValue(compared(ratio), cellOf(ratio.cell).values[compared(ratio)]) + ' : ' +
        formatValue(compared(ratio), cellOf(ratio.against).values[compared(ratio)]);
    // Older results have an underscore for each dash.
    const compared = (ratio) => ratio.dimension.replace(/_/g, '-');
    const metrics = [...SWEEP_PERCENTILES, 'p99.5', 'max', 'rate'].filter((one) => document.ratios.some((ratio) => one in ratio.ours));
    const publishedMetrics = metrics.filter((one) => document.ratios.some((ratio) =>
        differs(ratio).length === 0 && ratio.published && one in ratio.published));
    const remarks = new Map();
    document.ratios.forEach((ratio) => differs(ratio).forEach((text) =>
        remarks.set(text, (remarks.get(text) || new Set()).add(name(ratio)))));
    document.ratios.forEach((ratio) => (ratio.publishedNotStated || []).map((one) => 'not stated by the report: ' + one)
        .forEach((text) => remarks.set(text, (remarks.get(text) || new Set()).add(name(ratio)))));
    const metricName = (one) => one === 'rate' && isSearched(sweep) ? 'highest rate' : one;
    const rows = document.ratios.map((ratio, index) =>
    {
        const cell = cellOf(ratio.cell);
        const others = varied(sweep).filter((dimension) => dimension !== compared(ratio));
        const number = (whose, percentile) => ratio[whose] && ratio[whose][percentile] !== undefined ?
            pointerCell('/ratios/' + index + '/' + whose + '/' + percentile, ratio[whose][percentile],
                formatRatio(ratio[whose][percentile])) : element('td', { class: 'number muted' }, '–');
        const ours = (percentile) =>
        {
            const cell = number('ours', percentile);
            // Documents of earlier versions have no ranges.
            if (ratio.oursMin && percentile in ratio.oursMin)
            {
                cell.append(element('div', { class: 'note' },
                    formatRatio(ratio.oursMin[percentile]) + ' – ' + formatRatio(ratio.oursMax[percentile])));
            }
            return cell;
        };
        return element('tr', null,
            element('th', { scope: 'row' }, name(ratio)),
            others.length === 0 ? null : element('td', null, cellName(cell, others)),
            metrics.map(ours),
            publishedMetrics.map((percentile) => differs(ratio).length > 0 ? noCell() : number('published', percentile)));
    });
    return [
        element('h2', null, 'Ratios'),
        table('Ratios', { class: 'wide', 'data-table': 'ratios' }, [head('ratio of'),
            ...(varied(sweep).length > 1 ? [head('at')] : []),
            ...metrics.map((metric) => numberHead(metricName(metric))),
            ...publishedMetrics.map((metric) => numberHead(metricName(metric) + ', published'))], rows),
        sentences([...remarks].map(([text, names]) => [...names].join('; ') + ': ' + text + '.'), 'note remarks'),
        element('p', { class: 'note' }, 'Two cells that differ in this setting only: the ratio of their medians' +
            (document.ratios.some((ratio) => ratio.oursMin) ? ', and below it the range of all pairs of repeats. ' +
            'If that range contains 1, or there is one repeat only, the difference is not significant. ' : '. ') + (isPublished ?
            'Published: ' + document.ratios.find((ratio) => ratio.publishedBy).publishedBy + '. Measured on other machines: ' +
            'only ratios are compared, and only where system, message, load and metric are those of the report; else the list says ' +
            'what differs. A dash: no published figure.' : ''))];
}

/** What a file sync level costs a message, and what one sync of that disk takes without a cluster. */
function syncCosts(sweep)
{
    const document = sweep.manifest;
    const costs = document.syncCosts || [];
    if (costs.length === 0)
    {
        return [];
    }
    const others = varied(sweep).filter((dimension) => dimension !== 'fsync');
    // Documents of earlier versions have no range, without which a cost says little.
    const bare = (value, format) => (value < 0 ? '−' : '+') + format(Math.abs(value)) + ', no range stored';
    const rows = costs.map((cost, index) =>
    {
        const cell = document.cells[cost.cell - 1];
        const number = (name, text) => cost[name] === undefined ? element('td', { class: 'number muted' }, '–') :
            pointerCell('/syncCosts/' + index + '/' + name, cost[name], text(cost[name]));
        return element('tr', null,
            element('th', { scope: 'row' }, formatValue('fsync', cell.values.fsync)), element('td', null, cellName(cell, others)),
            number('p50Ns', (value) => cost.p50Text || bare(value, formatNs)),
            number('cpuSecondsPerMillion', (value) => cost.cpuText || bare(value, (seconds) => seconds.toFixed(1))),
            number('syncNs', formatNs));
    });
    const missing = [...new Set(costs.map((cost) => cost.syncMissing).filter((text) => text))];
    return [
        element('h2', null, 'Cost of file syncs'),
        table('Cost of file syncs', { class: 'wide', 'data-table': 'sync-costs' }, [
            head('file sync level, compared with 0'), head('at'),
            numberHead('p50'), numberHead('core time per million messages, s'), numberHead('one sync of the disk')], rows),
        element('p', { class: 'note' }, 'Increase of the median response time and of core time over level 0, all else being equal, ' +
            'with the range of all pairs of repeats; and the median of fdatasync (level 1) or fsync (level 2) of one page, ' +
            'which a baseline measured on that disk.' + missing.map((text) => ' Disk: ' + text + '.').join(''))];
}

/** The colours of the charts above: one for each value of the line's dimension. */
function driftLook(sweep, cell)
{
    const { line } = layout(sweep);
    const values = line ? sweep.manifest.plan.dimensions[line] : ['all'];
    return {
        name: line ? namedValue(line, cell.values[line]) : 'all cells',
        color: runColor(line ? values.indexOf(cell.values[line]) : 0, values.length), lineStyle: { width: 1.2, opacity: 0.7 }
    };
}

/** Every run in the order of the sweep: a machine that changed shows as a slope that all cells share. */
function drift(sweep)
{
    const document = sweep.manifest;
    const dimensions = varied(sweep);
    const runs = document.runs.map((run, index) => ({ run, number: index + 1 })).filter(({ run }) =>
        run.responseTimeNs && run.responseTimeNs.p99 !== undefined);
    if (document.plan.repeats < 2 || runs.length === 0)
    {
        return [];
    }
    const means = new Map(document.cells.map((cell) =>
    {
        const own = runs.filter(({ run }) => run.cell === cell.cell).map(({ run }) => run.responseTimeNs.p99);
        return [cell.cell, Math.max(1, own.reduce((sum, value) => sum + value, 0) / own.length)];
    }));
    return [
        element('h2', null, 'Drift during the sweep'),
        figure({
            name: 'drift', title: 'p99 of every run as a multiple of the mean of its cell, in the order of the sweep',
            note: 'A line joins the repeats of a cell. Lines that rise or fall together show a change of the machine. Hollow ' +
                'points: runs that are not good.',
            option: () => ({
                grid: { left: 56, right: 20, top: 26, bottom: 44 },
                tooltip: tooltipBox({ trigger: 'item', formatter: (item) =>
                    element('div', null, element('div', { class: 'muted' }, 'run ' + item.value[0]),
                        item.name + '  ', element('strong', null, formatNs(item.value[2]))) }),
                xAxis: axis({ type: 'value', min: 0, max: document.runs.length + 1, minInterval: 1,
                    ...nameBelow('number of the run') }),
                yAxis: axis({ type: 'log', logBase: 2, ...nameAbove('p99 / mean of its cell (log scale)'),
                    axisLabel: { color: color('muted'), formatter: (value) => Number(value.toPrecision(3)) } }),
                series: document.cells.map((cell) => ({
                    type: 'line', ...driftLook(sweep, cell), symbolSize: 6, emphasis: { disabled: true },
                    data: runs.filter(({ run }) => run.cell === cell.cell).map(({ run, number }) => ({
                        name: dimensions.length === 0 ? cell.name : cellName(cell, dimensions),
                        value: [number, Math.max(1, run.responseTimeNs.p99) / means.get(cell.cell), run.responseTimeNs.p99],
                        symbol: run.verdict.good ? 'circle' : 'emptyCircle'
                    }))
                }))
            })
        })];
}

function sweepBody(sweep)
{
    const maxRate = sweep.manifest.maxRate;
    return [
        sweepVerdict(sweep),
        maxRate ? element('p', null, element('strong', null, 'Rates are shares of '), formatCount(maxRate.ratePerSecond) +
            ' messages/s: ' + maxRate.source + '.') : null,
        ...cellTable(sweep),
        ...memberReturns(sweep),
        ...multiples(sweep),
        ...ratios(sweep),
        ...syncCosts(sweep),
        ...drift(sweep),
        ...circumstances(sweep)].filter((part) => part);
}
