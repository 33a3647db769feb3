/* Charts along the time of a run. */
function middle(run, index)
{
    return (run.intervals.beginS[index] + run.intervals.endS[index]) / 2;
}

function lineSeries(run, name, values, lineColor, settings)
{
    return Object.assign({
        name, type: 'line', data: values.map((value, index) => [middle(run, index), value]),
        showSymbol: values.length < 3, symbolSize: 5, color: lineColor, lineStyle: { width: 1.6 },
        connectNulls: false, emphasis: { disabled: true }
    }, settings);
}

/** Values for a logarithmic axis: there is no place for 0 on it, and none is under 1 ns. */
function timesFromOne(values)
{
    return values.map((value) => value === null ? null : Math.max(1, value));
}

function phases(run)
{
    const names = { warm_up: 'warm-up', drain: 'drain' };
    const areas = [];
    run.intervals.phase.forEach((phase, index) =>
    {
        const last = areas[areas.length - 1];
        if (last && last.phase === phase)
        {
            last.endS = run.intervals.endS[index];
        }
        else
        {
            areas.push({ phase, beginS: run.intervals.beginS[index], endS: run.intervals.endS[index] });
        }
    });
    return areas.filter((area) => names[area.phase]).map((area) => [
        { name: names[area.phase], xAxis: area.beginS }, { xAxis: area.endS }]);
}

function leaderChanges(run)
{
    const changes = [];
    let leader = '';
    run.intervals.leader.forEach((next, index) =>
    {
        if (next !== '' && leader !== '' && next !== leader)
        {
            changes.push({ xAxis: run.intervals.beginS[index], name: 'leader ' + next });
        }
        leader = next === '' ? leader : next;
    });
    return changes;
}

function marks(run, moreLines)
{
    return {
        markArea: {
            silent: true, itemStyle: { color: color('shade') },
            label: { color: color('muted'), position: 'insideTop', fontSize: 11 }, data: phases(run)
        },
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dashed' },
            label: { color: color('muted'), formatter: (item) => item.name, fontSize: 11 },
            data: [...leaderChanges(run), ...(moreLines || [])]
        }
    };
}

function alongOption(run, series, yAxis, format, settings)
{
    const hasSlider = settings && settings.hasSlider && !root.classList.contains('on-paper');
    const ends = run.intervals.endS;
    return {
        grid: { left: 56, right: 16, top: 36, bottom: hasSlider ? 62 : 26 },
        legend: legend(series.map((one) => one.name)),
        tooltip: tooltip(format, (timeS) => 'at ' + timeS.toFixed(2) + ' s'),
        dataZoom: [hasSlider ? {
            type: 'slider', height: 22, bottom: 6, filterMode: 'none', borderColor: color('line'),
            fillerColor: color('shade'), textStyle: { color: color('muted') },
            dataBackground: { lineStyle: { color: color('line') }, areaStyle: { color: color('line') } },
            labelFormatter: (timeS) => timeS.toFixed(1) + ' s'
        } : {
            // Follows the slider of its group; the wheel is left to the page.
            type: 'inside', filterMode: 'none', zoomOnMouseWheel: false, moveOnMouseMove: false, moveOnMouseWheel: false
        }],
        xAxis: axis({
            type: 'value', min: run.intervals.beginS[0], max: ends[ends.length - 1],
            axisLabel: {
                color: color('muted'), hideOverlap: true, showMaxLabel: false,
                formatter: (timeS) => Number(timeS.toFixed(2)) + ' s'
            }
        }),
        yAxis,
        series
    };
}

function countAxis()
{
    return axis({
        type: 'value', min: 0,
        axisLabel: { color: color('muted'), formatter: (value) => value >= 1e6 ? value / 1e6 + 'M' :
            value >= 1e3 ? value / 1e3 + 'k' : value }
    });
}

function responseAlong(run)
{
    const values = run.intervals.responseNs;
    const names = [['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p99-9'], ['max', 'max']];
    const rowCount = run.intervals.rowCount;
    const joined = rowCount > run.intervals.beginS.length + 1 ?
        ' ' + rowCount + ' stored intervals were joined into ' + run.intervals.beginS.length + '.' : '';
    return figure({
        name: 'response-along', title: 'Response time along the run', group: 'run' + run.index, mark: mark(run),
        note: 'Percentiles of each interval by the time of the reply. Move the ends of the bar below to look closer.' + joined +
            unseen(run),
        option: () => alongOption(run, names.map(([key, name], index) => lineSeries(
            run, key, timesFromOne(values[key]), color(name), index === 0 ? marks(run) : {})),
        timeAxis(Object.values(values).flat()), formatNs, { hasSlider: true })
    });
}

function unseen(run)
{
    return run.lost === 0 ? '' : ' The ' + formatCount(run.lost) + ' messages without a reply have no place here; they are ' +
        'in the percentiles above.';
}

/** Cells of time by response time; custom rectangles, because intervals need not be of one length. */
function heatMap(run)
{
    const intervals = run.intervals;
    const totals = new Map();
    for (let i = 0; i < run.cells.length; i += 3)
    {
        totals.set(run.cells[i], (totals.get(run.cells[i]) || 0) + run.cells[i + 2]);
    }
    const rows = [];
    for (let i = 0; i < run.cells.length; i += 3)
    {
        const [index, cell, count] = run.cells.slice(i, i + 3);
        rows.push([intervals.beginS[index], intervals.endS[index], Math.pow(10, cell / data.cellsPerDecade),
            Math.pow(10, (cell + 1) / data.cellsPerDecade), Math.log10(count / totals.get(index)), count]);
    }
    const least = rows.reduce((low, row) => Math.min(low, row[4]), -2);
    return figure({
        name: 'heat-map', title: 'Where the messages were', group: 'run' + run.index, renderer: 'canvas', mark: mark(run),
        note: 'Each column is an interval; the stronger a cell, the more of its messages had that response time. A single ' +
            'message is visible.' + unseen(run),
        option: () => Object.assign(
            alongOption(run, [{
                name: 'messages', type: 'custom', data: rows, encode: { x: [0, 1], y: [2, 3] }, clip: true,
                renderItem: cellShape, ...marks(run)
            }], timeAxis(rows.flatMap((row) => [row[2] * 1.01, row[3] * 0.99])), formatCount),
            {
                grid: { left: 56, right: 16, top: 12, bottom: 72 },
                legend: { show: false },
                tooltip: {
                    confine: true, backgroundColor: color('paper'), borderColor: color('line'),
                    textStyle: { color: color('ink'), fontSize: 12 }, formatter: cellText
                },
                visualMap: {
                    type: 'continuous', dimension: 4, min: least, max: 0, orient: 'horizontal', left: 'center', bottom: 4,
                    itemWidth: 12, itemHeight: 140, textStyle: { color: color('muted') },
                    inRange: { color: color('heat').split(' ') },
                    text: ['all messages of an interval', formatShare(Math.pow(10, least))]
                }
            })
    });
}

function cellShape(parameters, api)
{
    const lowLeft = api.coord([api.value(0), api.value(2)]);
    const highRight = api.coord([api.value(1), api.value(3)]);
    const area = parameters.coordSys;
    const shape = echarts.graphic.clipRectByRect({
        x: lowLeft[0], y: highRight[1], width: highRight[0] - lowLeft[0] + 0.4, height: lowLeft[1] - highRight[1] + 0.4
    }, { x: area.x, y: area.y, width: area.width, height: area.height });
    return shape && { type: 'rect', shape, style: { fill: api.visual('color') } };
}

function cellText(item)
{
    const [beginS, endS, lowNs, highNs, share, count] = item.value;
    return element('div', null,
        element('div', { class: 'muted' }, beginS.toFixed(2) + ' to ' + endS.toFixed(2) + ' s'),
        element('div', null, formatNs(lowNs) + ' to ' + formatNs(highNs)),
        element('strong', null, formatCount(count) + ' messages, ' + formatShare(Math.pow(10, share))));
}

function throughputAlong(run)
{
    const asked = run.manifest.ratePerSecondAsked;
    return figure({
        name: 'throughput', title: 'Throughput', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Messages per second in each interval, warm-up included. Asked: ' + formatCount(asked) + '/s.',
        option: () => alongOption(run, [
            lineSeries(run, 'sent', run.intervals.sentPerS, color('p99'),
                marks(run, [{ yAxis: asked, name: '', lineStyle: { color: color('max') } }])),
            lineSeries(run, 'answered', run.intervals.answeredPerS, color('other'))],
        countAxis(), (value) => formatCount(value) + '/s')
    });
}

function delaysAlong(run)
{
    const delays = run.intervals.delayNs;
    const stalls = run.intervals.stallNs;
    return figure({
        name: 'delays', title: 'Send delay and stalls of the platform', group: 'run' + run.index, mark: mark(run),
        note: 'A send delay that rises together with the stalls is the fault of this machine, not of the system under test.',
        option: () => alongOption(run, [
            lineSeries(run, 'send delay p50', timesFromOne(delays.p50), color('p50'), marks(run)),
            lineSeries(run, 'send delay p99', timesFromOne(delays.p99), color('p99')),
            lineSeries(run, 'send delay max', timesFromOne(delays.max), color('max')),
            lineSeries(run, 'longest stall', timesFromOne(stalls.max), color('ink'), { lineStyle: { width: 1.4, type: 'dashed' } })],
        timeAxis([delays.p50, delays.p99, delays.max, stalls.max].flat()), formatNs)
    });
}

function inFlightAlong(run)
{
    return figure({
        name: 'in-flight', title: 'In flight', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Messages sent and not yet answered at the end of each interval.',
        option: () => alongOption(run, [
            lineSeries(run, 'in flight', run.intervals.inFlight, color('p99'), { areaStyle: { opacity: 0.15 }, ...marks(run) })],
        countAxis(), formatCount)
    });
}

function backPressureAlong(run)
{
    const { backPressuredPerS, disconnectedPerS } = run.intervals;
    if ([...backPressuredPerS, ...disconnectedPerS].every((value) => !value))
    {
        return element('figure', { 'data-chart': 'back-pressure' }, element('h3', null, 'Back pressure'),
            element('p', { class: 'note' }, 'No attempt to send met back pressure, and none was without a session.'));
    }
    return figure({
        name: 'back-pressure', title: 'Back pressure', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Attempts to send per second that the transport did not take.',
        option: () => alongOption(run, [
            lineSeries(run, 'back-pressured', backPressuredPerS, color('max'), { areaStyle: { opacity: 0.15 }, ...marks(run) }),
            lineSeries(run, 'without a session', disconnectedPerS, color('ink'))],
        countAxis(), (value) => formatCount(value) + '/s')
    });
}
