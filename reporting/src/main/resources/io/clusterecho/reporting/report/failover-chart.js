/* Charts of a failover test. */
const LANES = [['victim', 'victim'], ['silence', 'silence'], ['phase', 'phase']];
const SHORTEST_DRAWN_NS = 1e6;
const BAND_OPACITY = 0.45;

function seconds(timeNs)
{
    return timeNs / 1e9;
}

function formatAfter(timeS)
{
    return (timeS > 0 ? '+' : timeS < 0 ? '−' : '') + Number(Math.abs(timeS).toFixed(3)) + ' s';
}

function bandsOf(run, cycle)
{
    return run.failover.bands[cycle.cycle] || [];
}

function what(cycle)
{
    return cycle.fault + ' of member ' + cycle.victim.join(', ');
}

// --------------------------------------------------------------------------------------------------------- all outages

function outagesOfRun(run)
{
    const cycles = run.failover.result.cycles;
    const rows = cycles.flatMap((cycle, index) => bandsOf(run, cycle).filter((band) => band.lane === 'phase')
        .map((band) => [index, seconds(band.fromNs), seconds(band.toNs), band.name]));
    const used = Object.keys(BANDS).filter((name) => rows.some((row) => row[3] === name));
    const hasBound = isBounded(run.failover.result);
    const boundS = seconds(run.failover.result.outageBoundNs);
    const longestS = Math.max(...rows.map((row) => row[2]), ...cycles.map((cycle) => seconds(cycle.outageNs)));
    return figure({
        name: 'outages', title: 'Every cycle', mark: mark(run),
        note: 'The phases after each fault, from the fault upwards; the bar marks the length of the outage. Hollow bars: cycles ' +
            'that are invalid or did not recover. Click a cycle to see its timeline.',
        above: bandLegend(used.map((name) => [name, null])),
        onClick: (item) => selectCycle(run, cycles[item.dataIndex === undefined ? 0 : item.value[0]].cycle),
        option: () => ({
            grid: { left: 56, right: 16, top: 26, bottom: 44 },
            tooltip: tooltipBox({ trigger: 'item', formatter: (item) => cycleText(run, cycles[item.value[0]]) }),
            xAxis: axis({
                type: 'category', data: cycles.map((cycle) => cycle.cycle), ...nameBelow('cycle'),
                splitLine: { show: false }
            }),
            yAxis: axis({
                type: 'value', min: 0, max: hasBound && boundS > longestS ? boundS * 1.12 : undefined,
                ...nameAbove('time after the fault'),
                axisLabel: {
                    color: color('muted'), showMaxLabel: !hasBound || boundS <= longestS,
                    formatter: (timeS) => Number(timeS.toFixed(3)) + ' s'
                }
            }),
            series: [{
                name: 'phases', type: 'custom', hasNoLegend: true, data: rows, encode: { x: 0, y: [1, 2] }, clip: true,
                renderItem: (parameters, api) => columnShape(parameters, api, rows)
            }, {
                name: 'outage', type: 'scatter', symbol: 'rect', symbolSize: [22, 4], z: 5, color: color('ink'),
                data: cycles.map((cycle, index) => ({
                    value: [index, seconds(cycle.outageNs)],
                    itemStyle: cycle.valid && cycle.recovered ? { color: color('ink') } :
                        { color: color('paper'), borderColor: color('failed-ink'), borderWidth: 1.5 }
                })),
                markLine: hasBound ? {
                    silent: true, symbol: 'none', lineStyle: { color: color('limit'), type: 'dashed' },
                    label: {
                        color: color('ink'), backgroundColor: color('paper'), padding: 2, position: 'insideEndTop', fontSize: 11,
                        formatter: 'bound by the timeouts: ' + formatNs(run.failover.result.outageBoundNs)
                    },
                    data: [{ yAxis: boundS }]
                } : undefined
            }]
        })
    });
}

function columnShape(parameters, api, rows)
{
    const from = api.coord([api.value(0), api.value(1)]);
    const to = api.coord([api.value(0), api.value(2)]);
    const width = Math.max(3, Math.min(36, api.size([1, 0])[0] * 0.7));
    return {
        type: 'rect', shape: { x: from[0] - width / 2, y: to[1], width, height: Math.max(0.5, from[1] - to[1]) },
        style: { fill: color(rows[parameters.dataIndex][3]) }
    };
}

function cycleText(run, cycle)
{
    return element('div', null,
        element('strong', null, 'cycle ' + cycle.cycle + ': ' + what(cycle)),
        element('div', null, 'outage ' + formatNs(cycle.outageNs) + ' ' + plusMinus(cycle.outageResolutionNs, '')),
        bandsOf(run, cycle).filter((band) => band.lane === 'phase').map((band) => element('div', null,
            element('span', { class: 'swatch block', style: 'color:var(--' + band.name + ')' }),
            BANDS[band.name] + '  ' + formatNs(band.toNs - band.fromNs))),
        cycle.problem ? element('div', { class: 'bad' }, cycle.problem) : null);
}

function bandLegend(bands)
{
    return element('ul', { class: 'bands' }, bands.map(([name, lengthNs]) => element('li', { 'data-band': name },
        element('span', { class: 'swatch block', style: 'color:var(--' + name + ')' }),
        BANDS[name] + (lengthNs === null ? '' : ' '), lengthNs === null ? null : element('strong', null, formatNs(lengthNs)))));
}

/** An offset from -1 to 1 by the number of a point, so that a page looks the same each time. */
function scattered(index)
{
    return (index * 0.618034) % 1 * 2 - 1;
}

function outagesOfAll(runs)
{
    const values = runs.map((run) => run.failover.result.cycles.filter((cycle) => cycle.valid)
        .map((cycle) => Math.max(SHORTEST_DRAWN_NS, cycle.outageNs)));
    const bounds = runs.map((run, index) => [index, run.failover.result.outageBoundNs])
        .filter(([index]) => isBounded(runs[index].failover.result));
    const halfTick = (columnWidth) => Math.min(60, 0.36 * columnWidth);
    const tick = (name, points, lineColor, width) => ({
        name, type: 'custom', data: points, encode: { x: 0, y: 1 }, color: lineColor, z: 6,
        legendKind: width < 2 ? 'line dashed' : 'line solid',
        renderItem: (parameters, api) =>
        {
            const [x, y] = api.coord([api.value(0), api.value(1)]);
            const half = halfTick(api.size([1, 0])[0]);
            return { type: 'line', shape: { x1: x - half, y1: y, x2: x + half, y2: y },
                style: { stroke: lineColor, lineWidth: width, lineDash: width < 2 ? [5, 4] : undefined } };
        }
    });
    const columnWidth = (width) => (width - 72) / runs.length;
    return figure({
        name: 'outages-of-all', title: 'Outages by test',
        note: 'A point for each valid cycle; outages below 1 ms are drawn at 1 ms. The thick line is the median, the dashed one ' +
            'the bound by the timeouts after SIGKILL of the leader.',
        option: (width) => ({
            grid: { left: 56, right: 16, top: 26, bottom: 34 },
            tooltip: tooltipBox({
                trigger: 'item', formatter: (item) => element('div', null,
                    runs[Math.round(item.value[0])].shortName + ', ' + item.seriesName + '  ', element('strong', null, formatNs(item.value[1])))
            }),
            xAxis: axis({
                type: 'value', min: -0.5, max: runs.length - 0.5, splitLine: { show: false },
                axisLine: { onZero: false, lineStyle: { color: color('muted') } },
                axisTick: { customValues: runs.map((run, index) => index), lineStyle: { color: color('muted') } },
                axisLabel: {
                    color: color('muted'), customValues: runs.map((run, index) => index), hideOverlap: false,
                    width: columnWidth(width) - 8, overflow: 'truncate',
                    formatter: (index) => runs[index].chartName
                }
            }),
            yAxis: Object.assign(timeAxis([...values.flat(), ...bounds.map(([, boundNs]) => boundNs)], 'outage (log scale)'), {
                axisLine: { onZero: false, lineStyle: { color: color('muted') } } }),
            series: [{
                name: 'cycles', type: 'scatter', symbolSize: 8, color: color('ink'),
                data: values.flatMap((times, index) => times.map((timeNs, place) => ({
                    value: [index + 0.8 * scattered(place) * halfTick(columnWidth(width)) / columnWidth(width), timeNs],
                    itemStyle: { color: runColor(runs[index].index, data.runs.length), opacity: 0.75 }
                })))
            },
            tick('median', runs.map((run, index) => [index, run.failover.result.outageNs]).filter(([, outage]) => outage.count > 0)
                .map(([index, outage]) => [index, Math.max(SHORTEST_DRAWN_NS, outage.median)]), color('ink'), 3),
            tick('bound', bounds, color('limit'), 1.5)]
        })
    });
}

// ----------------------------------------------------------------------------------------------------- one cycle's time

function timelineOfRun(run)
{
    const failover = run.failover;
    const shown = failover.result.cycles.filter((cycle) => failover.timelines[cycle.cycle]);
    if (shown.length === 0)
    {
        return [element('h2', null, 'Around the fault'),
            element('p', { class: 'note' }, 'This folder has no timeline.csv: no cycle had a victim, or an earlier version ' +
                'wrote it.')];
    }
    const longest = shown.reduce((most, cycle) => cycle.outageNs > most.outageNs ? cycle : most);
    const buttons = element('div', { class: 'picker', role: 'group', 'aria-label': 'cycle' },
        element('span', { class: 'muted' }, 'Cycle '), shown.map((cycle) =>
        {
            const button = element('button', {
                type: 'button', class: cycle.problem ? 'bad' : '', 'data-cycle': cycle.cycle, title: what(cycle) + ', outage ' +
                    formatNs(cycle.outageNs)
            }, cycle.cycle);
            button.addEventListener('click', () => selectCycle(run, cycle.cycle));
            return button;
        }));
    const heading = element('h3', null);
    const bands = element('div', null);
    const chosen = failover.timelineCount > shown.length ? ' This page contains ' + shown.length + ' of ' +
        failover.timelineCount + ' timelines: cycles with a problem, the longest, shortest and median outage, and the first ' +
        'cycles. The others are in timeline.csv.' : '';
    const node = figure({
        name: 'timeline', title: 'Response time above, throughput below', isTall: true, mark: mark(run), above: bands,
        note: 'Response time by intended send time, throughput by receive time. Drag the ends of the bar below to zoom.' + chosen,
        option: (width) => timelineOption(run, shown.find((cycle) => cycle.cycle === run.selectedCycle), width)
    });
    run.timeline = { node, heading, bands, buttons, shown };
    selectCycle(run, longest.cycle);
    return [element('h2', null, 'Around the fault'), buttons, heading, node];
}

function selectCycle(run, number)
{
    const timeline = run.timeline;
    const cycle = timeline && timeline.shown.find((one) => one.cycle === number);
    if (!cycle)
    {
        return;
    }
    run.selectedCycle = number;
    timeline.buttons.querySelectorAll('button').forEach((button) =>
        button.setAttribute('aria-pressed', String(Number(button.dataset.cycle) === number)));
    timeline.heading.textContent = 'Cycle ' + number + ': ' + what(cycle) + ', outage ' + formatNs(cycle.outageNs) +
        (cycle.problem ? ' (' + cycle.problem + ')' : '');
    timeline.bands.replaceChildren(bandLegend(bandsOf(run, cycle).map((band) => [band.name, band.toNs - band.fromNs])));
    redraw(timeline.node);
}

/** The phases, and the victim's catching up outside them, so that no two colours overlap. */
function shaded(bands)
{
    const phaseBands = bands.filter((band) => band.lane === 'phase');
    const left = bands.filter((band) => band.name === 'catching-up').flatMap((band) =>
    {
        const parts = [];
        let fromNs = band.fromNs;
        phaseBands.filter((phase) => phase.toNs > band.fromNs).forEach((phase) =>
        {
            parts.push({ ...band, fromNs, toNs: Math.min(phase.fromNs, band.toNs) });
            fromNs = Math.max(fromNs, phase.toNs);
        });
        return [...parts, { ...band, fromNs }];
    });
    return [...phaseBands, ...left.filter((band) => band.toNs > band.fromNs)];
}

function timelineOption(run, cycle, width)
{
    const series = run.failover.timelines[cycle.cycle];
    const bands = bandsOf(run, cycle);
    const atS = series.atMs.map((timeMs) => timeMs / 1e3);
    const halfS = series.stretchMs / 2e3;
    const [minS, maxS] = [atS[0] - halfS, atS[atS.length - 1] + halfS];
    const timesNs = (values) => values.map((timeUs) => timeUs === null ? null : Math.max(1, timeUs * 1e3));
    const [p50, p99, max] = [series.p50Us, series.p99Us, series.maxUs].map(timesNs);
    const line = (name, values, place, lineColor, settings) => Object.assign({
        name, type: 'line', xAxisIndex: place, yAxisIndex: place, data: values.map((value, index) => [atS[index], value]),
        showSymbol: false, color: lineColor, lineStyle: { width: 1.5 }, connectNulls: false, emphasis: { disabled: true }
    }, settings);
    const shading = {
        markArea: {
            silent: true, data: shaded(bands).map((band) => [
                { xAxis: seconds(band.fromNs), itemStyle: {
                    color: color(band.name), opacity: band.lane === 'phase' ? BAND_OPACITY : BAND_OPACITY / 2 } },
                { xAxis: seconds(band.toNs) }])
        }
    };
    const faultLine = (label) => ({
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('ink'), type: 'solid', width: 1.6 },
            label: { show: label !== '', formatter: label, color: color('ink'), fontSize: 11, position: 'end' },
            data: [{ xAxis: 0 }]
        }
    });
    // Without the zeros in between, the line would run along the axis.
    const unanswered = series.unansweredPerS.map((value, index, all) =>
        value > 0 || all[index - 1] > 0 || all[index + 1] > 0 ? value : null);
    const lost = unanswered.some((value) => value > 0);
    const atLeft = { onZero: false, lineStyle: { color: color('muted') } };
    const lines = [
        line('p50', p50, 0, color('p50'), { ...shading, ...faultLine('') }),
        line('p99', p99, 0, color('p99')),
        line('max', max, 0, color('max')),
        line('due/s', series.duePerS, 2, color('target'),
            { lineStyle: { width: 1.2, type: 'dotted' }, ...shading, ...faultLine('') }),
        line('answered/s', series.answeredPerS, 2, color('answered'), { areaStyle: { opacity: 0.12 } }),
        ...(lost ? [line('never answered/s', unanswered, 2, color('failed-ink'), { areaStyle: { opacity: 0.25 } })] : [])];
    const hasSlider = !root.classList.contains('on-paper');
    const isNarrow = width < 500;
    const xAxis = (gridIndex, isLabelled) => axis({
        type: 'value', gridIndex, min: minS, max: maxS, axisTick: { show: isLabelled, lineStyle: { color: color('muted') } },
        axisLabel: {
            show: isLabelled, color: color('muted'), hideOverlap: true, showMinLabel: false, showMaxLabel: false,
            formatter: formatAfter
        },
        splitLine: { show: gridIndex !== 1, lineStyle: { color: color('line') } },
        ...(isLabelled ? nameBelow('time after the fault') : {})
    });
    return {
        grid: [
            { left: 64, right: 16, top: 26, height: isNarrow ? 165 : 195 },
            { left: 64, right: 16, top: isNarrow ? 201 : 231, height: 66 },
            { left: 64, right: 16, top: isNarrow ? 299 : 329, bottom: hasSlider ? 78 : 44 }],
        tooltip: Object.assign(tooltip(formatNs, formatAfter), { formatter: (items) => timelineText(items, bands) }),
        axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: color('muted') } },
        dataZoom: hasSlider ? [{
            type: 'slider', xAxisIndex: [0, 1, 2], height: 22, bottom: 6, filterMode: 'none', borderColor: color('line'),
            fillerColor: color('shade'), textStyle: { color: color('muted') }, showDataShadow: false,
            labelFormatter: formatAfter
        }] : [],
        xAxis: [xAxis(0, false), xAxis(1, false), xAxis(2, true)],
        yAxis: [
            Object.assign(timeAxis([...p50, ...p99, ...max]), { gridIndex: 0, axisLine: atLeft }),
            axis({
                type: 'category', gridIndex: 1, axisLine: atLeft, data: LANES.map(([, name]) => name), axisTick: { show: false },
                splitLine: { show: false }, axisLabel: { color: color('muted'), fontSize: 11 }
            }),
            Object.assign(countAxis('messages/s'), { gridIndex: 2, splitNumber: 3, axisLine: atLeft })],
        series: [...lines, lanes(bands)]
    };
}

function lanes(bands)
{
    const rows = bands.map((band) => [
        seconds(band.fromNs), seconds(band.toNs), LANES.findIndex(([lane]) => lane === band.lane)]);
    return {
        name: 'phases', type: 'custom', hasNoLegend: true, xAxisIndex: 1, yAxisIndex: 1, data: rows,
        encode: { x: [0, 1], y: 2 }, clip: true,
        tooltip: { show: false }, silent: true,
        renderItem: (parameters, api) => laneShape(parameters, api, bands[parameters.dataIndex])
    };
}

/** A bar, with its name if there is room for it. */
function laneShape(parameters, api, band)
{
    const from = api.coord([api.value(0), api.value(2)]);
    const to = api.coord([api.value(1), api.value(2)]);
    const area = parameters.coordSys;
    const shape = echarts.graphic.clipRectByRect(
        { x: from[0], y: from[1] - 9, width: Math.max(1, to[0] - from[0]), height: 18 },
        { x: area.x, y: area.y, width: area.width, height: area.height });
    if (!shape)
    {
        return null;
    }
    const text = BANDS[band.name] + ' ' + formatNs(band.toNs - band.fromNs);
    const fitting = [text, BANDS[band.name]].find((one) => one.length * 6 + 6 <= shape.width);
    return {
        type: 'group',
        children: [
            { type: 'rect', shape, style: { fill: color(band.name) } },
            ...(fitting ? [{
                type: 'text',
                style: {
                    text: fitting, x: shape.x + 4, y: shape.y + shape.height / 2, verticalAlign: 'middle', fontSize: 11,
                    fill: color('ink')
                }
            }] : [])]
    };
}

function timelineText(items, bands)
{
    const at = items[0].axisValue === undefined ? items[0].value[0] : items[0].axisValue;
    const inside = bands.filter((band) => seconds(band.fromNs) <= at && at < seconds(band.toNs) && band.lane !== 'silence');
    const format = (item) => ['p50', 'p99', 'max'].includes(item.seriesName) ? formatNs(item.value[1]) :
        formatCount(item.value[1]);
    return element('div', null,
        element('div', { class: 'muted' }, formatAfter(at) + (inside.length === 0 ? '' : ', ' +
            inside.map((band) => (band.lane === 'victim' ? 'victim ' : '') + BANDS[band.name]).join(', '))),
        items.filter((item) => item.seriesType === 'line' && item.value[1] !== null).map((item) => element('div', null,
            element('span', { class: 'swatch block', style: 'color:' + item.color }),
            item.seriesName + '  ', element('strong', null, format(item)))));
}
