/*
 * Draws the page from the JSON in #data. All text goes into the page as text, never as HTML: labels may hold anything.
 * Times are in nanoseconds until they are shown.
 */
(function ()
{
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max'];
const TIMES = [
    ['responseTimeNs', 'response time'],
    ['serviceTimeNs', 'service time'],
    ['sendDelayNs', 'send delay'],
    ['stallNs', 'client stalls']];
const OPEN_RUN_COUNT = 3;
const PAPER_WIDTH_PX = 680;
const root = document.documentElement;
const charts = [];

// ---------------------------------------------------------------------------------------------------- text and numbers

function formatNs(timeNs)
{
    for (const [limit, unit, name] of [[1e3, 1, 'ns'], [1e6, 1e3, 'µs'], [1e9, 1e6, 'ms'], [Infinity, 1e9, 's']])
    {
        if (timeNs < limit)
        {
            const value = timeNs / unit;
            return (value === 0 ? '0' : value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)) + ' ' + name;
        }
    }
    return '';
}

function formatCount(value)
{
    return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

function formatShare(share)
{
    return (100 * share).toFixed(share > 0 && share < 0.0001 ? 4 : 2) + '%';
}

/** The percentage at a place of the percentile axis: 90% at 1, 99% at 2, and so on. */
function formatPlace(place, extraDigits)
{
    const digits = Math.max(0, Math.ceil(place - 1e-9) - 2) + (extraDigits || 0);
    return (100 * (1 - Math.pow(10, -place))).toFixed(digits) + '%';
}

function element(name, attributes, ...children)
{
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
    {
        if (value !== undefined && value !== null)
        {
            node.setAttribute(key, value);
        }
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

function table(attributes, header, rows)
{
    return element('div', { class: 'scroll' }, element('table', attributes,
        header ? element('thead', null, element('tr', null, header)) : null,
        element('tbody', null, rows)));
}

function head(text)
{
    return element('th', { scope: 'col' }, text);
}

function numberHead(text)
{
    return element('th', { scope: 'col', class: 'number' }, text);
}

/** A number of the manifest: what is shown is rounded, the exact value is beside it for programs. */
function numberCell(field, value, text)
{
    return element('td', { class: 'number', 'data-field': field, 'data-value': value, title: value }, text);
}

// ------------------------------------------------------------------------------------------------------------ the runs

function prepare()
{
    const seen = new Map();
    data.runs.forEach((run, index) =>
    {
        const manifest = run.manifest;
        const number = (seen.get(manifest.label) || 0) + 1;
        seen.set(manifest.label, number);
        run.index = index;
        run.name = manifest.label + (number > 1 ? ' #' + number : '');
        run.word = manifest.verdict.label;
        // A word that is not known must not look good.
        run.look = { GOOD: 'good', PARTIAL: 'partial' }[run.word] || 'failed';
        run.lost = manifest.unanswered + manifest.neverSent;
        run.chartName = run.name + (run.look === 'good' ? '' : ' (' + run.word + ')');
    });
}

function badge(run)
{
    return element('span', { class: 'badge ' + run.look }, sign(run) + ' ' + run.word);
}

function sign(run)
{
    return { good: '✓', partial: '◐', failed: '✗' }[run.look];
}

function verdict(run)
{
    const manifest = run.manifest;
    const share = manifest.ratePerSecondAchieved / manifest.ratePerSecondAsked;
    const sentence = {
        good: 'This run stands: its rate was achieved and every message is accounted for.',
        partial: 'This run was ended before its schedule. Its numbers are of the part that was measured.',
        failed: 'This run is not a result. Its numbers must not be quoted as if it were one.'
    }[run.look];
    const facts = formatCount(manifest.ratePerSecondAchieved) + ' of ' + formatCount(manifest.ratePerSecondAsked) +
        ' messages/s achieved (' + formatShare(share) + '), ' + formatCount(run.lost) + ' of ' +
        formatCount(manifest.scheduled) + ' messages without a reply.';
    const list = (texts, name) => texts.length === 0 ? null :
        element('ul', { class: name }, texts.map((text) => element('li', null, text)));
    return element('div', { class: 'verdict ' + run.look, 'data-verdict': run.word },
        element('div', { class: 'word' }, sign(run) + ' ' + run.word +
            (manifest.verdict.partial && run.look === 'failed' ? ', and partial' : '')),
        element('p', { class: 'sentence' }, sentence + ' ' + facts),
        list(manifest.verdict.reasons, 'reasons'),
        list(manifest.verdict.warnings, 'warnings'));
}

function tiles(run)
{
    const manifest = run.manifest;
    const tile = (name, value, more) => element('div', { class: 'tile' },
        element('div', { class: 'name' }, name), element('div', { class: 'value' }, value),
        element('div', { class: 'more' }, more || ''));
    const response = manifest.responseTimeNs;
    return element('div', { class: 'tiles' },
        run.lost > 0 ?
            // The rate of the replies that came says little where others did not.
            tile('without a reply', formatCount(run.lost), formatShare(run.lost / manifest.scheduled) + ' of messages') :
            tile('achieved', formatCount(manifest.ratePerSecondAchieved) + '/s',
                formatShare(manifest.ratePerSecondAchieved / manifest.ratePerSecondAsked) + ' of asked'),
        tile('response p50', formatNs(response.p50)),
        tile('response p99', formatNs(response.p99)),
        tile('response p99.9', formatNs(response['p99.9'])),
        tile('response max', formatNs(response.max)),
        tile('longest stall', formatNs(manifest.stallNs.max), 'of the client itself'));
}

function accounts(run)
{
    const manifest = run.manifest;
    const classes = [
        ['answered', 'answered'], ['late', 'late'], ['unanswered', 'sent, but unanswered'], ['neverSent', 'never sent']];
    const sum = classes.reduce((total, [field]) => total + manifest[field], 0);
    const isEqual = sum === manifest.scheduled;
    const row = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        numberCell(field, manifest[field], formatCount(manifest[field])),
        element('td', { class: 'number muted' }, manifest.scheduled > 0 ?
            formatShare(manifest[field] / manifest.scheduled) : ''));
    const plainRow = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        numberCell(field, manifest[field], formatCount(manifest[field])), element('td', null));
    return element('section', null, element('h2', null, 'Accounts'),
        table({ class: 'accounts' }, null, [
            ...classes.map(row),
            element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'sum'),
                element('td', { class: 'number', 'data-sum': sum }, formatCount(sum)), element('td', null)),
            element('tr', null, element('th', { scope: 'row' }, 'scheduled'),
                numberCell('scheduled', manifest.scheduled, formatCount(manifest.scheduled)),
                element('td', { class: 'number ' + (isEqual ? 'muted' : 'bad') },
                    isEqual ? '✓ equals the sum' : '✗ is not the sum')),
            ...[['duplicates', 'duplicate replies'], ['outOfOrder', 'replies out of order'], ['corrupt', 'corrupt replies'],
                ['backPressured', 'attempts that met back pressure'], ['disconnected', 'attempts without a session'],
                ['newLeaders', 'changes of leader']].filter(([field]) => manifest[field] !== undefined).map(plainRow)]));
}

function times(run)
{
    const manifest = run.manifest;
    const statistics = [...PERCENTILES, 'min', 'mean'];
    const row = (statistic) => element('tr', null, element('th', { scope: 'row' }, statistic),
        TIMES.map(([field]) => numberCell(field + '.' + statistic, manifest[field][statistic],
            manifest[field].count === 0 ? '–' : formatNs(manifest[field][statistic]))));
    return element('section', null, element('h2', null, 'Times'),
        table({ class: 'times' }, [head(''), ...TIMES.map(([, name]) => numberHead(name))], [
            ...statistics.map(row),
            element('tr', null, element('th', { scope: 'row' }, 'count'), TIMES.map(([field]) =>
                numberCell(field + '.count', manifest[field].count, formatCount(manifest[field].count))))]),
        element('p', { class: 'note' }, 'Response time counts from the time at which a message was due, service time from ' +
            'the time at which it was sent, send delay lies between the two.' + (run.lost > 0 ?
            ' Messages without a reply are in the response time with their age at the end of the run.' : '')));
}

function facts(title, values)
{
    const entries = Object.entries(values || {});
    return element('section', null, element('h3', null, title), entries.length === 0 ?
        element('p', { class: 'muted' }, 'not known') :
        table({ class: 'facts' }, null, entries.map(([key, value]) => element('tr', null,
            element('th', { scope: 'row' }, key), element('td', null, readable(value))))));
}

/** Options store durations in ns: shown in a larger unit where that says the same. */
function readable(value)
{
    const text = String(value);
    if (/^\d{4,}ns$/.test(text))
    {
        const timeNs = parseInt(text, 10);
        const units = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs']].filter(([unit]) => timeNs % unit === 0);
        return units.length === 0 ? text : timeNs / units[0][0] + units[0][1];
    }
    return text === '' ? '–' : text;
}

function circumstances(run)
{
    const manifest = run.manifest;
    return [
        element('h2', null, 'How it came about'),
        element('p', null, element('strong', null, 'Durability: '), manifest.durability),
        element('p', null, element('strong', null, 'Started: '), manifest.start),
        element('p', null, element('strong', null, 'To repeat it:')),
        element('pre', null, manifest.commandLine),
        element('div', { class: 'columns' },
            element('div', null, facts('Machine of the client', manifest.machine), facts('Versions', manifest.versions),
                facts('JVM of the client', manifest.jvm), facts('Cluster', manifest.cluster)),
            element('div', null, facts('Configuration in effect', manifest.configuration))),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, run.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))];
}

// -------------------------------------------------------------------------------------------------------------- charts

function color(name)
{
    return getComputedStyle(root).getPropertyValue('--' + name).trim();
}

function runColor(index, count)
{
    const colors = color('run').split(' ');
    return count <= colors.length ? colors[index] : 'hsl(' + Math.round(360 * index / count) + ' 60% 50%)';
}

/**
 * A place for a chart. It is drawn as soon as it can be seen, and again when colours or width change.
 *
 * renderer: 'svg' stays sharp in print, 'canvas' bears thousands of cells.
 */
function figure(settings)
{
    const node = element('div', { class: 'chart' + (settings.isLow ? ' low' : '') });
    const chart = { node, settings, instance: null };
    charts.push(chart);
    new ResizeObserver(() => draw(chart, false)).observe(node);
    return element('figure', { 'data-chart': settings.name },
        element('h3', null, settings.title), element('p', { class: 'note' }, settings.note), node);
}

function draw(chart, isFresh)
{
    const width = root.classList.contains('on-paper') ? PAPER_WIDTH_PX : chart.node.clientWidth;
    if (width === 0)
    {
        return;
    }
    if (chart.instance === null || isFresh)
    {
        if (chart.instance !== null)
        {
            chart.instance.dispose();
        }
        chart.instance = echarts.init(chart.node, null, { renderer: chart.settings.renderer || 'svg', width });
        chart.instance.group = chart.settings.group;
        chart.instance.setOption(withBasics(chart.settings.option(width), chart.settings));
        chart.width = width;
    }
    else if (chart.width !== width)
    {
        chart.instance.resize({ width });
        // Labels that had room may have it no more.
        chart.instance.setOption(withBasics(chart.settings.option(width), chart.settings));
        chart.width = width;
    }
}

function withBasics(option, settings)
{
    return Object.assign({
        animation: false,
        aria: { enabled: true, label: { description: settings.title + '. ' + settings.note } },
        textStyle: { color: color('ink'), fontFamily: getComputedStyle(document.body).fontFamily },
        graphic: settings.mark ? [{
            type: 'text', left: 'center', top: 'middle', silent: true, z: 100,
            style: { text: settings.mark, fontSize: 54, fontWeight: 800, fill: color('failed-ink'), opacity: 0.13 } }] : []
    }, option);
}

function tooltip(format, axisFormat)
{
    return {
        trigger: 'axis',
        confine: true,
        backgroundColor: color('paper'),
        borderColor: color('line'),
        textStyle: { color: color('ink'), fontSize: 12 },
        axisPointer: { type: 'line', lineStyle: { color: color('muted') }, label: { show: false } },
        formatter: (items) => element('div', null,
            element('div', { class: 'muted' }, axisFormat(items[0].value[0])),
            items.filter((item) => item.value[1] !== null).map((item) => element('div', null,
                element('span', { class: 'swatch', style: 'background:' + item.color }),
                item.seriesName + '  ', element('strong', null, format(item.value[1])))))
    };
}

function legend(names)
{
    return {
        type: 'scroll', top: 0, left: 0, right: 0, data: names, itemWidth: 18, itemHeight: 10, icon: 'roundRect',
        textStyle: { color: color('ink') }, pageTextStyle: { color: color('muted') },
        pageIconColor: color('ink'), pageIconInactiveColor: color('line')
    };
}

function axis(settings)
{
    return Object.assign({
        axisLine: { lineStyle: { color: color('muted') } },
        axisTick: { show: true, lineStyle: { color: color('muted') } },
        axisLabel: { color: color('muted'), hideOverlap: true },
        splitLine: { show: true, lineStyle: { color: color('line') } },
        nameTextStyle: { color: color('muted') }
    }, settings);
}

/** A logarithmic axis around the values given, with room so that no line hides under the frame. */
function timeAxis(values)
{
    const present = values.filter((value) => value !== null).map((value) => Math.max(1, value));
    const least = present.reduce((low, value) => Math.min(low, value), Infinity);
    const most = present.reduce((high, value) => Math.max(high, value), 1);
    const min = (least === Infinity ? 1 : least) / 1.4;
    const max = Math.max(most * 1.4, 10 * min);
    const isWide = max / min > 200;
    const ticks = [];
    for (let decade = Math.pow(10, Math.floor(Math.log10(min))); decade <= max; decade *= 10)
    {
        ticks.push(...(isWide ? [decade] : [decade, 2 * decade, 5 * decade]).filter((tick) => tick >= min && tick <= max));
    }
    return axis({
        type: 'log', min, max,
        axisTick: { customValues: ticks, lineStyle: { color: color('muted') } },
        axisLabel: {
            color: color('muted'), customValues: ticks,
            formatter: (value) => formatNs(Math.round(value)).replace(/\.0+ /, ' ')
        }
    });
}

// -------------------------------------------------------------------------------------------------- percentile curves

function curveSeries(name, points, lineColor, lineType)
{
    return {
        name, type: 'line', data: points.map(([place, timeNs]) => [place, Math.max(1, timeNs)]), showSymbol: false,
        color: lineColor, lineStyle: { width: 2, type: lineType || 'solid' }, emphasis: { disabled: true }
    };
}

/** The places that have room for their label, the highest first: those are what a reader looks for. */
function labelled(places, end, width)
{
    let limit = Infinity;
    return places.slice().reverse().filter((place) =>
    {
        const at = place / end * (width - 92);
        const half = formatPlace(place).length * 3.7 + 3;
        const fits = at + half <= limit;
        limit = fits ? at - half : limit;
        return fits;
    });
}

function percentileOption(series, allPoints, width)
{
    const end = Math.max(1, Math.ceil(allPoints.reduce((most, [place]) => Math.max(most, place), 0) - 0.05));
    const places = [0, Math.log10(2)];
    for (let place = 1; place <= end; place++)
    {
        places.push(place);
    }
    return {
        grid: { left: 56, right: 36, top: 36, bottom: 26 },
        legend: legend(series.map((one) => one.name)),
        tooltip: tooltip(formatNs, (place) => 'up to ' + formatPlace(place, 1) + ' of messages'),
        xAxis: axis({
            type: 'value', min: 0, max: end, interval: 1,
            axisTick: { customValues: places, lineStyle: { color: color('muted') } },
            axisLabel: {
                color: color('muted'), customValues: labelled(places, end, width), hideOverlap: false,
                formatter: (place) => formatPlace(place)
            }
        }),
        yAxis: timeAxis(allPoints.map(([, timeNs]) => timeNs)),
        series
    };
}

const CURVE_NOTE = 'How long the fastest 90%, 99%, 99.9% ... took at most. Both axes are logarithmic; each further nine ' +
    'takes the same room.';

function curvesOfRun(run)
{
    const curves = run.curves;
    return figure({
        name: 'percentiles', title: 'Percentiles', note: CURVE_NOTE + ' Where response time lies above service time, ' +
            'messages waited to be sent.',
        mark: mark(run),
        option: (width) => percentileOption([
            curveSeries('response time', curves.response, color('max')),
            curveSeries('service time', curves.service, color('p99')),
            curveSeries('send delay', curves.delay, color('other'), 'dotted')],
        [...curves.response, ...curves.service, ...curves.delay], width)
    });
}

function curvesOfAll(kind, title)
{
    // One range for both charts, so that they can be laid side by side.
    const allPoints = data.runs.flatMap((run) => [...run.curves.response, ...run.curves.service]);
    return figure({
        name: 'percentiles-' + kind, title, note: CURVE_NOTE + ' Runs that are not good are dashed.',
        option: (width) => percentileOption(data.runs.map((run) => curveSeries(
            run.chartName, run.curves[kind], runColor(run.index, data.runs.length),
            run.look === 'good' ? 'solid' : 'dashed')), allPoints, width)
    });
}

function mark(run)
{
    return run.look === 'good' ? null : run.word;
}

// --------------------------------------------------------------------------------------------------- along the run

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
            type: 'value', min: 0, max: ends[ends.length - 1],
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

// ------------------------------------------------------------------------------------------------------------ the page

function runBody(run)
{
    return [
        verdict(run),
        tiles(run),
        element('div', { class: 'columns' }, times(run), accounts(run)),
        element('h2', null, 'Charts'),
        curvesOfRun(run),
        responseAlong(run),
        heatMap(run),
        throughputAlong(run),
        delaysAlong(run),
        element('div', { class: 'columns charts' }, inFlightAlong(run), backPressureAlong(run)),
        circumstances(run)].flat();
}

function overview()
{
    const rows = data.runs.map((run) =>
    {
        const manifest = run.manifest;
        const time = (name) => element('td', { class: 'number' }, formatNs(manifest.responseTimeNs[name]));
        return element('tr', null,
            element('th', { scope: 'row' },
                element('span', { class: 'swatch', style: 'background:' + runColor(run.index, data.runs.length) }),
                element('a', { href: '#run' + run.index }, run.name)),
            element('td', null, badge(run)),
            element('td', { class: 'number' }, formatCount(manifest.ratePerSecondAsked)),
            element('td', { class: 'number' }, formatCount(manifest.ratePerSecondAchieved)),
            element('td', { class: 'number' + (run.lost > 0 ? ' bad' : '') }, formatCount(run.lost)),
            PERCENTILES.map(time));
    });
    return [
        element('h2', null, 'Runs'),
        table({ class: 'wide' }, [head('run'), head('verdict'), numberHead('asked/s'), numberHead('achieved/s'),
            numberHead('no reply'), ...PERCENTILES.map(numberHead)], rows),
        element('p', { class: 'note' }, 'Percentiles of the response time.')];
}

/** What a reader must know before holding one run against another. */
function differences()
{
    const groups = ['configuration', 'cluster', 'versions', 'machine', 'jvm'];
    const keys = groups.flatMap((group) =>
        [...new Set(data.runs.flatMap((run) => Object.keys(run.manifest[group] || {})))].map((key) => [group, key]));
    const value = (run, [group, key]) => (run.manifest[group] || {})[key];
    const differing = keys.filter((key) => !['label', 'output'].includes(key[1]) &&
        new Set(data.runs.map((run) => value(run, key))).size > 1);
    const durabilities = new Set(data.runs.map((run) => run.manifest.durability));
    const row = (name, values) => element('tr', null, element('th', { scope: 'row' }, name),
        values.map((one) => element('td', null, one === undefined ? 'not set' : readable(one))));
    return [
        element('h2', null, 'What differs between them'),
        differing.length === 0 && durabilities.size === 1 ?
            element('p', null, 'Nothing that was recorded: settings, versions, machine and durability are the same.') :
            table({ class: 'wide differences' }, [head(''), ...data.runs.map((run) => head(run.name))], [
                durabilities.size > 1 ? row('durability', data.runs.map((run) => run.manifest.durability.split(':')[0])) : null,
                ...differing.map((key) => row(key.join(' '), data.runs.map((run) => value(run, key))))].filter((one) => one))];
}

function page()
{
    prepare();
    const report = document.getElementById('report');
    if (data.runs.length === 1)
    {
        const run = data.runs[0];
        report.append(element('h1', null, run.name), ...runBody(run));
    }
    else
    {
        report.append(
            element('h1', null, data.runs.length + ' runs'),
            ...overview(),
            curvesOfAll('response', 'Response time by percentile'),
            curvesOfAll('service', 'Service time by percentile'),
            ...differences(),
            element('h2', null, 'Each run'),
            ...data.runs.map((run) => element('details', {
                class: 'run', id: 'run' + run.index, open: data.runs.length <= OPEN_RUN_COUNT ? '' : null
            }, element('summary', null, badge(run), ' ' + run.name), ...runBody(run))));
        report.querySelectorAll('a[href^="#run"]').forEach((link) => link.addEventListener('click', () =>
        {
            document.querySelector(link.getAttribute('href')).open = true;
        }));
    }
    report.append(element('footer', null, 'Written by cluster-echo. This file holds all that it shows and fetches nothing. ' +
        'Charts: Apache ECharts ' + echarts.version + ', Apache License 2.0.'));

    charts.forEach((chart) => draw(chart, false));
    data.runs.forEach((run) => echarts.connect('run' + run.index));
}

function redrawAll()
{
    charts.forEach((chart) => draw(chart, true));
}

function followCircumstances()
{
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
    let closed = [];
    window.addEventListener('beforeprint', () =>
    {
        closed = [...document.querySelectorAll('details:not([open])')];
        closed.forEach((node) => { node.open = true; });
        root.classList.add('on-paper');
        redrawAll();
    });
    window.addEventListener('afterprint', () =>
    {
        closed.forEach((node) => { node.open = false; });
        root.classList.remove('on-paper');
        redrawAll();
    });
}

page();
followCircumstances();
root.setAttribute('data-state', 'drawn');
}());
