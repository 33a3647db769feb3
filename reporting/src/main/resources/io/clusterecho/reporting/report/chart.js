/* What all charts share, and the percentile curves. */
const PAPER_WIDTH_PX = 680;
const charts = [];

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
 * renderer: 'svg' stays sharp in print, 'canvas' bears thousands of cells. onClick is given what was clicked on.
 */
function figure(settings)
{
    const node = element('div', {
        class: 'chart' + (settings.isLow ? ' low' : '') + (settings.isTall ? ' tall' : ''),
        style: settings.heightPx ? 'height:' + settings.heightPx + 'px' : null
    });
    const chart = { node, settings, instance: null };
    charts.push(chart);
    chart.observer = new ResizeObserver(() => draw(chart, false));
    chart.observer.observe(node);
    return element('figure', { 'data-chart': settings.name },
        element('h3', null, settings.title), element('p', { class: 'note' }, settings.note), settings.above || null, node);
}

/** Draw a figure anew, because what it shows has changed. */
function redraw(figureNode)
{
    charts.filter((chart) => figureNode.contains(chart.node)).forEach((chart) => draw(chart, true));
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
        if (chart.settings.onClick)
        {
            chart.instance.on('click', chart.settings.onClick);
        }
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
    const allPoints = data.runs.flatMap((run) => [...run.curves.response, ...(run.curves.service || [])]);
    const shown = data.runs.filter((run) => run.curves[kind]);
    return figure({
        name: 'percentiles-' + kind, title, note: CURVE_NOTE + ' Runs that are not good are dashed.' +
            (data.runs.some((run) => run.foreign) ? kind === 'response' ? ' Dotted: ' + FOREIGN_NOTE :
                ' Foreign results have no ' + kind + ' time.' : ''),
        option: (width) => percentileOption(shown.map((run) => curveSeries(
            run.chartName, run.curves[kind], runColor(run.index, data.runs.length),
            run.foreign ? 'dotted' : run.look === 'good' ? 'solid' : 'dashed')), allPoints, width)
    });
}

function mark(run)
{
    return ['good', 'foreign', 'running'].includes(run.look) ? null : run.word;
}
