/* Results of many commits or days: a chart for each metric of a group, with its levels and where they changed. */
function formatTrend(unit, value)
{
    return unit === 'ns' ? formatNs(value) : unit === 's' ? value.toFixed(2) + ' s' : formatCount(value) + '/s';
}

function pointName(point)
{
    return point.day + ' ' + point.commit;
}

/** Medians of the points between changes, as [first point, last point, level]. */
function levelsOf(series)
{
    const last = series.values.length - 1;
    return series.changes.flatMap((change, index) => [
        ...(index === 0 ? [[0, change.point - 1, change.before]] : []),
        [change.point, index + 1 < series.changes.length ? series.changes[index + 1].point - 1 : last, change.after]]);
}

function changeLines(series)
{
    return {
        silent: true, symbol: 'none', lineStyle: { color: color('max'), type: 'dashed', width: 1.6 },
        label: {
            color: color('ink'), fontSize: 11, position: 'end',
            formatter: (item) => item.name
        },
        data: series.changes.map((change) => ({
            xAxis: change.point, name: (change.change > 0 ? '+' : '') + (100 * change.change).toFixed(1) + '% ' +
                change.outcome.toLowerCase()
        }))
    };
}

function trendAxis(series)
{
    const values = series.values.filter((value) => value !== null).flatMap((value) => [value.low, value.high]);
    if (series.unit === 'ns')
    {
        return timeAxis(values, 'time (log scale)');
    }
    return axis({
        type: 'value', min: 0, axisLabel: { color: color('muted'), formatter: (value) => series.unit === 's' ? value + ' s' :
            formatRate(value) }, ...nameAbove(series.unit === 's' ? 'core seconds per million messages' : 'messages/s')
    });
}

/** A value on the axis of its series, which is logarithmic for times and has no 0. */
function drawn(series, value)
{
    return series.unit === 'ns' ? Math.max(1, value) : value;
}

/** A line from the smallest to the largest result of a point. */
function rangeBars(series, barColor)
{
    return {
        name: 'range', type: 'custom', silent: true, color: barColor, hasNoLegend: true, z: 1,
        encode: { x: 0, y: [1, 2] },
        data: series.values.flatMap((value, index) => value === null || value.low === value.high ? [] :
            [[index, drawn(series, value.low), drawn(series, value.high)]]),
        renderItem: (ignored, api) =>
        {
            const [x, low] = api.coord([api.value(0), api.value(1)]);
            const [, high] = api.coord([api.value(0), api.value(2)]);
            const line = (x1, y1, x2, y2) => ({
                type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: barColor, lineWidth: 1.4, opacity: 0.8 } });
            return {
                type: 'group', children: [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)]
            };
        }
    };
}

function trendChart(group, series)
{
    const values = (value) => drawn(series, value);
    return figure({
        name: 'trend-' + series.metric, title: series.name.charAt(0).toUpperCase() + series.name.slice(1),
        note: series.sentence + '.',
        option: () => ({
            grid: { left: 64, right: 24, top: 40, bottom: 64 },
            tooltip: tooltipBox({
                trigger: 'axis', axisPointer: { type: 'line', lineStyle: { color: color('muted') }, label: { show: false } },
                formatter: (items) =>
                {
                    const index = items[0].dataIndex === undefined ? 0 : Number(items[0].value[0]);
                    const value = series.values[index];
                    return element('div', null, element('div', { class: 'muted' }, pointName(group.points[index])),
                        value === null ? 'no value' : element('div', null,
                            element('strong', null, formatTrend(series.unit, value.median)),
                            ' (' + plural(value.count, 'result') + ', ' + formatTrend(series.unit, value.low) + ' to ' +
                            formatTrend(series.unit, value.high) + ')'));
                }
            }),
            xAxis: axis({
                type: 'category', data: group.points.map((point) => point.day + '\n' + point.commit),
                splitLine: { show: false }, boundaryGap: true, axisLabel: { color: color('muted'), hideOverlap: true, lineHeight: 15 }, ...nameBelow('date and commit, one point each'), nameGap: 44
            }),
            yAxis: trendAxis(series),
            series: [
                {
                    name: 'median of the results', type: 'line', color: color('p99'), symbol: 'circle', symbolSize: 7,
                    lineStyle: { width: 1, opacity: 0.6 }, emphasis: { disabled: true }, markLine: changeLines(series),
                    data: series.values.map((value, index) => [index, value === null ? null : values(value.median)])
                },
                ...(series.changes.length === 0 ? [] : [{
                    name: 'level', type: 'line', color: color('max'), showSymbol: false, lineStyle: { width: 2.5 },
                    emphasis: { disabled: true }, z: 3,
                    data: levelsOf(series).flatMap(([from, to, level]) => [
                        ...Array.from({ length: to - from + 1 }, (ignored, at) => [from + at, values(level)]), [to, null]])
                }]),
                rangeBars(series, color('p99'))]
        })
    });
}

function trendTable(group)
{
    const isChange = (series, index) => series.changes.some((change) => change.point === index);
    return table('Points of ' + group.name, { class: 'wide' },
        [head('date'), head('commit'), numberHead('results'), ...group.series.map((series) => numberHead(series.name))],
        group.points.map((point, index) => element('tr', null,
            element('th', { scope: 'row' }, point.day), element('td', null, point.commit),
            element('td', { class: 'number' }, formatCount(point.results.length)),
            group.series.map((series) =>
            {
                const value = series.values[index];
                return value === null ? noCell() : element('td', {
                    class: 'number', 'data-metric': series.metric, 'data-value': value.median, title: value.median
                }, element('div', null, (isChange(series, index) ? 'new level: ' : '') + formatTrend(series.unit, value.median)),
                value.low === value.high ? null : element('div', { class: 'note' },
                    formatTrend(series.unit, value.low) + ' – ' + formatTrend(series.unit, value.high)));
            }))));
}

function trendGroup(group)
{
    return [
        element('h2', null, group.name),
        sentences(group.series.map((series) => series.sentence), 'warnings-none'),
        ...group.series.map((series) => trendChart(group, series)),
        trendTable(group)];
}

/** Groups without a trend yet, folded. */
function singlePoints(groups)
{
    return groups.length === 0 ? [] : [element('details', { class: 'keys' },
        element('summary', null, plural(groups.length, 'group') + ' of a single point'),
        ...groups.flatMap((group) => [element('h3', null, group.name), trendTable(group)]))];
}

const GATE_LOOKS = { 'NO REGRESSION': 'good', UNDECIDED: 'partial' };

function trendVerdict(gate)
{
    return verdictBlock({ name: 'trend', word: gate.outcome, look: GATE_LOOKS[gate.outcome] || 'failed' }, {
        word: gate.outcome, sentence: gate.summary + '.', chips: [], reasons: gate.refusals,
        warnings: gate.metrics.map((one) => one.group + ': ' + one.sentence)
    });
}

function trendPage(report)
{
    const trend = data.trend;
    report.append(
        element('header', { class: 'page-top' }, element('h1', null, 'Results over time'), element('p', null, trend.summary + '.')),
        ...(trend.gate ? [trendVerdict(trend.gate)] : []),
        ...[sentences(trend.warnings, 'warnings'), sentences(trend.notes, 'notes')].filter((node) => node !== null),
        element('p', { class: 'note' }, 'A point is the median of the results of a commit on a day, with their range, or the 95% ' +
            'bounds of a single one where known. A series without a change has one in at most ' +
            formatCount(100 * trend.changeAlpha) + '% of cases, if its points are independent.'),
        ...trend.groups.filter((group) => group.points.length > 1).flatMap(trendGroup).filter((node) => node !== null),
        ...singlePoints(trend.groups.filter((group) => group.points.length === 1)));
}
