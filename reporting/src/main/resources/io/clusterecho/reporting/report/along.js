/* Charts over the time of a run: its measured window. */
const WINDOW_NAME = 'time since the start of the measured window';

function configuredS(run, key)
{
    const match = /^(\d+)ns$/.exec((run.manifest.configuration || {})[key] || '');
    return match ? Number(match[1]) / 1e9 : null;
}

/**
 * The measured window in seconds since the start of the schedule, by the configuration; by the phases of the intervals where
 * that does not say. Null if nothing was measured.
 */
function measuredWindow(run)
{
    const { beginS, endS, phase } = run.intervals;
    const first = phase.indexOf('measure');
    const lastS = endS[endS.length - 1];
    const [warmUpS, durationS] = [configuredS(run, 'warm-up'), configuredS(run, 'duration')];
    const fromS = warmUpS !== null && warmUpS < lastS ? warmUpS : first < 0 ? null : beginS[first];
    if (fromS === null)
    {
        return null;
    }
    const toS = durationS !== null && durationS > 0 ? fromS + durationS : endS[phase.lastIndexOf('measure')];
    return toS > fromS ? { fromS, toS: Math.min(toS, lastS), lastS } : null;
}

/** Leave warm-up and drain out: what remains fills the time axis, which begins with the measured window. */
function cutToWindow(run)
{
    run.rowsPerPoint = run.intervals ? run.intervals.rowCount / run.intervals.beginS.length : 1;
    const window = run.intervals && run.intervals.beginS.length > 0 && !run.foreign ? measuredWindow(run) : null;
    if (window === null)
    {
        if (run.intervals)
        {
            run.intervals.fromS = run.intervals.beginS[0];
        }
        return;
    }
    const { beginS, endS } = run.intervals;
    const kept = beginS.map((_, index) => index).filter((index) =>
        Math.min(endS[index], window.toS) - Math.max(beginS[index], window.fromS) > 1e-3);
    const pick = (values) => kept.map((index) => values[index]);
    const picked = (node) => Object.fromEntries(Object.entries(node).map(([key, value]) =>
        [key, Array.isArray(value) ? pick(value) : typeof value === 'object' ? picked(value) : value]));
    run.intervals = picked(run.intervals);
    run.counters = run.counters && picked(run.counters);
    run.cells = cellsOf(run.cells, kept);
    run.intervals.beginS = run.intervals.beginS.map((timeS) => timeS - window.fromS);
    run.intervals.endS = run.intervals.endS.map((timeS) => timeS - window.fromS);
    Object.assign(run.intervals, {
        fromS: Math.max(0, run.intervals.beginS[0]), toS: window.toS - window.fromS, name: WINDOW_NAME
    });
    run.leftOut = { warmUpS: window.fromS, drainS: Math.max(0, window.lastS - window.toS) };
}

function cellsOf(cells, kept)
{
    const places = new Map(kept.map((index, place) => [index, place]));
    const picked = [];
    for (let i = 0; i < (cells || []).length; i += 3)
    {
        if (places.has(cells[i]))
        {
            picked.push(places.get(cells[i]), cells[i + 1], cells[i + 2]);
        }
    }
    return picked;
}

function leftOut(run)
{
    const { warmUpS, drainS } = run.leftOut || { warmUpS: 0, drainS: 0 };
    const parts = [...(warmUpS > 0 ? ['warm-up (' + formatNs(1e9 * warmUpS) + ')'] : []),
        ...(drainS >= 0.0005 ? ['drain (' + formatNs(1e9 * drainS) + ')'] : [])];
    return parts.length === 0 ? '' : 'The charts over time show the measured window; ' + parts.join(' and ') +
        (parts.length > 1 ? ' are' : ' is') + ' left out.';
}

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

/** Values for a logarithmic axis, which has no 0: at least 1 ns. */
function timesFromOne(values)
{
    return values.map((value) => value === null ? null : Math.max(1, value));
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

/** Windows of the snapshots that were taken during the run, on the time axis of its charts. */
function snapshotAreas(run)
{
    const windows = run.manifest.snapshots ? run.manifest.snapshots.windows : [];
    const beginS = run.leftOut ? run.leftOut.warmUpS : 0;
    return windows.map((window) => [{ xAxis: window.beginNs / 1e9 - beginS }, { xAxis: window.endNs / 1e9 - beginS }]);
}

/** The pulse of an overload test, on the time axis of its charts. */
function pulseAreas(run)
{
    const overload = run.manifest.overload;
    const beginS = run.leftOut ? run.leftOut.warmUpS : 0;
    return overload ? [[{ xAxis: overload.pulseBeginNs / 1e9 - beginS }, { xAxis: overload.pulseEndNs / 1e9 - beginS }]] : [];
}

/** Stretches in which sessions came and went, on the time axis of the charts. */
function churnAreas(run)
{
    const windows = run.manifest.churn ? run.manifest.churn.windows : [];
    const beginS = run.leftOut ? run.leftOut.warmUpS : 0;
    return windows.map((window) => [{ xAxis: window.beginNs / 1e9 - beginS }, { xAxis: window.endNs / 1e9 - beginS }]);
}

function churnNote(run)
{
    return churnAreas(run).length > 0 ? ' Shaded: sessions come and go.' : '';
}

/** Sessions and their time to connect, where sessions came and went; each point is an interval, also where others are merged. */
function churnAlong(run)
{
    const churn = run.manifest.churn;
    if (!churn)
    {
        return [];
    }
    const shiftS = run.leftOut ? run.leftOut.warmUpS : 0;
    const points = churn.intervals.map((point) => ({ ...point, timeS: point.beginNs / 1e9 - shiftS }))
        .filter((point) => point.timeS >= 0);
    const line = (name, value, lineColor, settings) => Object.assign({
        name, type: 'line', color: lineColor, showSymbol: false, lineStyle: { width: 1.6 }, emphasis: { disabled: true },
        connectNulls: false, data: points.map((point) => [point.timeS, value(point) ?? null])
    }, settings);
    const sessions = churn.sessions;
    const lost = sessions.due - sessions.connected - sessions.inProgress - sessions.notBegun;
    const connect = (percentile) => formatTime(churn.connectTimeNs, percentile);
    return [
        figure({
            name: 'churn-connect', title: 'Time to connect', group: 'run' + run.index, mark: mark(run),
            note: 'Of the sessions that come and go, from when a session was due until it was open: p50 ' + connect('p50') +
                ', p99 ' + connect('p99') + ', max ' + connect('max') + '. Of ' + formatCount(sessions.due) + ' due, ' +
                formatCount(sessions.connected) + ' connected, ' + formatCount(lost) +
                ' were refused, timed out, failed or were not attempted.',
            option: () => alongOption(run, [
                line('p50', (point) => point.connectP50Ns, color('p50'), marks(run)),
                line('max', (point) => point.connectMaxNs, color('max'))],
            timeAxis(points.flatMap((point) => [point.connectP50Ns ?? null, point.connectMaxNs ?? null])), formatNs)
        }),
        figure({
            name: 'churn-sessions', title: 'Sessions that come and go', group: 'run' + run.index, isLow: true, mark: mark(run),
            note: 'Open at the end of each interval; opened and failed in it. The thread that opens them ' +
                'used ' + churn.cores.toFixed(2) + ' cores.',
            option: () => alongOption(run, [
                line('open', (point) => point.open, color('answered'), marks(run)),
                line('opened', (point) => point.connected, color('sent')),
                line('failed', (point) => point.failed, color('max'))],
            countAxis('sessions'), formatCount)
        })];
}

function pulseNote(run)
{
    return run.manifest.overload ? ' Shaded: the pulse of ' + formatCount(run.manifest.overload.pulseRatePerSecond) + '/s.' : '';
}

/** When an overload test was over: the backlog drained, and p99 back. */
function returnLines(run)
{
    const overload = run.manifest.overload;
    if (!overload)
    {
        return [];
    }
    const endS = overload.pulseEndNs / 1e9 - (run.leftOut ? run.leftOut.warmUpS : 0);
    const isOne = overload.drainedAfterNs === overload.returnedAfterNs;
    return (isOne ? [['returnedAfterNs', 'drained, p99 back']] :
        [['drainedAfterNs', 'drained'], ['returnedAfterNs', 'p99 back']]).filter(([field]) => (overload[field] ?? null) !== null)
        .map(([field, name]) => ({ xAxis: endS + overload[field] / 1e9, name }));
}

function marks(run, moreLines)
{
    return {
        markArea: { silent: true, itemStyle: { color: color('shade') }, data: [...snapshotAreas(run), ...pulseAreas(run), ...churnAreas(run)] },
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dashed' },
            label: { color: color('muted'), formatter: (item) => item.name, fontSize: 11 },
            data: [...leaderChanges(run), ...returnLines(run), ...(moreLines || [])]
        }
    };
}

function alongOption(run, series, yAxis, format, settings)
{
    const hasSlider = settings && settings.hasSlider && !root.classList.contains('on-paper');
    const ends = run.intervals.endS;
    return {
        grid: { left: 56, right: 16, top: 26, bottom: hasSlider ? 76 : 44 },
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
            type: 'value', min: run.intervals.fromS, max: run.intervals.toS === undefined ? ends[ends.length - 1] :
                run.intervals.toS,
            ...nameBelow(run.intervals.name || 'time'),
            axisLabel: {
                color: color('muted'), hideOverlap: true, formatter: (timeS) => Number(timeS.toFixed(2)) + ' s'
            }
        }),
        yAxis,
        series
    };
}

function countAxis(name)
{
    return axis({
        type: 'value', min: 0, minInterval: name === 'messages' ? 1 : undefined, ...nameAbove(name),
        axisLabel: { color: color('muted'), formatter: (value) => value >= 1e6 ? value / 1e6 + 'M' :
            value >= 1e3 ? value / 1e3 + 'k' : value }
    });
}

function responseAlong(run)
{
    const values = run.intervals.responseNs;
    const names = [['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p99-9'], ['max', 'max']];
    return figure({
        name: 'response-along', title: 'Response time over time', group: 'run' + run.index, mark: mark(run),
        note: 'Percentiles of each interval, by receive time. ' + leftOut(run) + ' Drag the ends of the bar below to zoom.' +
            (snapshotAreas(run).length > 0 ? ' Shaded: a snapshot is taken.' : '') + pulseNote(run) +
            churnNote(run) + merged(run) + unseen(run),
        option: () => alongOption(run, names.map(([key, name], index) => lineSeries(
            run, key, timesFromOne(values[key]), color(name), index === 0 ? marks(run) : {})),
        timeAxis(Object.values(values).flat()), formatNs, { hasSlider: true })
    });
}

function merged(run)
{
    const perPoint = run.rowsPerPoint || 1;
    return perPoint < 1.05 ? '' : ' A point is made of ' + perPoint.toFixed(1) + ' stored intervals on average.';
}

function unseen(run)
{
    return run.lost === 0 ? '' : ' The ' + formatCount(run.lost) + ' messages without a reply are not drawn here; they are ' +
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
        name: 'heat-map', title: 'Distribution of response time over time', group: 'run' + run.index, renderer: 'canvas',
        mark: mark(run),
        note: 'Each column is an interval; the stronger the colour, the more of its messages had that response time. A single ' +
            'message is visible.' + unseen(run),
        option: () => Object.assign(
            alongOption(run, [{
                name: 'messages', type: 'custom', hasNoLegend: true, data: rows, encode: { x: [0, 1], y: [2, 3] }, clip: true,
                renderItem: cellShape, ...marks(run)
            }], timeAxis(rows.flatMap((row) => [row[2] * 1.01, row[3] * 0.99])), formatCount),
            {
                grid: { left: 56, right: 16, top: 26, bottom: 88 },
                tooltip: tooltipBox({ formatter: cellText }),
                visualMap: {
                    type: 'continuous', dimension: 4, min: least, max: 0, orient: 'horizontal', left: 'center', bottom: 2,
                    itemWidth: 12, itemHeight: 140, textStyle: { color: color('muted') },
                    inRange: { color: color('heat').split(' ') },
                    text: ['100% of an interval', formatShare(Math.pow(10, least))]
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
    const target = run.manifest.ratePerSecondAsked;
    return figure({
        name: 'throughput', title: 'Throughput', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Messages per second in each interval. Target: ' + formatCount(target) + '/s' +
            (hasVaryingTarget(run) ? ' on average; it varies by schedule.' : '.') + pulseNote(run),
        option: () => alongOption(run, [
            lineSeries(run, 'sent', run.intervals.sentPerS, color('sent'), marks(run)),
            lineSeries(run, 'answered', run.intervals.answeredPerS, color('answered'),
                { lineStyle: { width: 1.6, type: 'dashed' } }),
            targetSeries(run, target)],
        countAxis('messages/s'), (value) => formatCount(value) + '/s')
    });
}

function hasVaryingTarget(run)
{
    return new Set(run.intervals.targetPerS || []).size > 1;
}

function targetSeries(run, target)
{
    const { beginS, endS, targetPerS } = run.intervals;
    const points = hasVaryingTarget(run) ? targetPerS.flatMap((value, index) =>
        [[beginS[index], value], [endS[index], value]]) : [[beginS[0], target], [endS[endS.length - 1], target]];
    return {
        name: 'target', type: 'line', data: points, showSymbol: false,
        color: color('target'), lineStyle: { width: 1.2, type: 'dotted' }, emphasis: { disabled: true }
    };
}

function delaysAlong(run)
{
    const delays = run.intervals.delayNs;
    const stalls = run.intervals.stallNs;
    const lateness = run.intervals.latenessNs;
    return figure({
        name: 'delays', title: (lateness ? 'Send delay, receive lateness' : 'Send delay') + ' and stalls of the client',
        group: 'run' + run.index, mark: mark(run),
        note: 'A send delay that rises with the stalls comes from the client\'s machine, not from the system under test.',
        option: () => alongOption(run, [
            lineSeries(run, 'send delay p50', timesFromOne(delays.p50), color('p50'), marks(run)),
            lineSeries(run, 'send delay p99', timesFromOne(delays.p99), color('p99')),
            lineSeries(run, 'send delay max', timesFromOne(delays.max), color('max')),
            ...lateness ? [lineSeries(run, 'receive lateness p99', timesFromOne(lateness.p99), color('lateness')),
                lineSeries(run, 'receive lateness max', timesFromOne(lateness.max), color('lateness'),
                    { lineStyle: { width: 1.4, type: 'dotted' } })] : [],
            lineSeries(run, 'longest stall', timesFromOne(stalls.max), color('stall'),
                { lineStyle: { width: 1.4, type: 'dashed' } })],
        timeAxis(
            [delays.p50, delays.p99, delays.max, stalls.max, ...lateness ? [lateness.p99, lateness.max] : []].flat(),
            'time (log scale)'), formatNs)
    });
}

function inFlightAlong(run)
{
    return figure({
        name: 'in-flight', title: 'In flight', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Messages in flight at the end of each interval' +
            (run.rowsPerPoint > 1 ? ', the most of those in a point.' : '.'),
        option: () => alongOption(run, [
            lineSeries(run, 'in flight', run.intervals.inFlight, color('in-flight'),
                { areaStyle: { opacity: 0.15 }, ...marks(run) })],
        countAxis('messages'), formatCount)
    });
}

function backPressureAlong(run)
{
    const { backPressuredPerS, disconnectedPerS } = run.intervals;
    if ([...backPressuredPerS, ...disconnectedPerS].every((value) => !value))
    {
        return element('figure', { 'data-chart': 'back-pressure' }, element('h3', null, 'Back pressure'),
            element('p', { class: 'note' }, 'No offer met back pressure, and none was made without a session.'));
    }
    return figure({
        name: 'back-pressure', title: 'Back pressure', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Offers per second that the transport did not accept.',
        option: () => alongOption(run, [
            lineSeries(run, 'back-pressured', backPressuredPerS, color('back-pressure'),
                { areaStyle: { opacity: 0.15 }, ...marks(run) }),
            lineSeries(run, 'without a session', disconnectedPerS, color('no-session'),
                { lineStyle: { width: 1.6, type: 'dashed' } })],
        countAxis('offers/s'), (value) => formatCount(value) + '/s')
    });
}
