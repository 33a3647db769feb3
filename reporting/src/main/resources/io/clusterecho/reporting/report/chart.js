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
    return count <= colors.length ? colors[index] : 'hsl(' + Math.round(360 * index / count) + ' 60% ' +
        (root.classList.contains('on-paper') || !matchMedia('(prefers-color-scheme: dark)').matches ? 38 : 62) + '%)';
}

/**
 * A place for a chart with its legend. It is drawn as soon as it can be seen, and again when colours or width change.
 *
 * renderer: 'svg' stays sharp in print, 'canvas' copes with thousands of cells. onClick receives the item that was clicked.
 */
function figure(settings)
{
    const node = element('div', {
        class: 'chart' + (settings.isLow ? ' low' : '') + (settings.isTall ? ' tall' : ''), role: 'img',
        'aria-label': settings.title + '. ' + settings.note,
        style: settings.heightPx ? 'height:' + settings.heightPx + 'px' : null
    });
    const chart = { node, settings, legend: element('ul', { class: 'legend' }), hidden: new Set(), instance: null };
    charts.push(chart);
    chart.observer = new ResizeObserver(() => draw(chart, false));
    chart.observer.observe(node);
    return element('figure', { 'data-chart': settings.name },
        element('h3', null, settings.title), element('p', { class: 'note' }, settings.note), settings.above || null,
        chart.legend, node,
        element('p', { class: 'save note' }, 'Save as ', ...['SVG', 'PNG'].flatMap((kind) => [saveButton(chart, kind), ' '])));
}

/** For slides: on the paper's colour, with title and legend, as large whatever the width of the window is. */
function saveButton(chart, kind)
{
    const { name, title } = chart.settings;
    const button = element('button', { type: 'button', class: 'sort', 'aria-label': 'Save ' + title + ' as ' + kind }, kind);
    button.addEventListener('click', () =>
    {
        const [width, height, head] = [960, Math.max(480, chart.node.clientHeight), 64];
        const drawn = echarts.init(element('div'), null, { renderer: kind === 'SVG' ? 'svg' : 'canvas', width, height: height + head });
        const option = chartOption(chart, width);
        const ink = { textStyle: { color: color('ink') } };
        drawn.setOption({
            ...option, backgroundColor: color('paper'), title: { text: title, left: 'center', ...ink },
            legend: { ...option.legend, show: true, top: 38, ...ink },
            grid: [option.grid].flat().map((grid) => ({ ...grid, top: grid.top + head })),
            dataZoom: [option.dataZoom || []].flat().filter((one) => one.type !== 'slider')
        });
        element('a', { href: drawn.getDataURL({ pixelRatio: 2 }), download: name + '.' + kind.toLowerCase() }).click();
        drawn.dispose();
    });
    return button;
}

/** Draw a figure again, because what it shows has changed. */
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
    if (chart.instance === null)
    {
        chart.instance = echarts.init(chart.node, null, { renderer: chart.settings.renderer || 'svg', width });
        chart.instance.group = chart.settings.group;
        if (chart.settings.onClick)
        {
            chart.instance.on('click', chart.settings.onClick);
        }
    }
    const height = chart.node.clientHeight;
    const isResized = chart.width !== width || chart.height !== height;
    if (isResized)
    {
        chart.instance.resize({ width, height });
    }
    // Another width has more room for labels, or less.
    if (isFresh || isResized)
    {
        setOption(chart, width);
    }
    chart.height = height;
}

function chartOption(chart, width)
{
    const settings = chart.settings;
    const option = settings.option(width);
    const named = legendSeries(option);
    return Object.assign({
        animation: false,
        aria: { enabled: false },
        legend: {
            show: false, data: named.map((one) => one.name),
            selected: Object.fromEntries(named.map((one) => [one.name, !chart.hidden.has(one.name)]))
        },
        textStyle: { color: color('ink'), fontFamily: getComputedStyle(document.body).fontFamily },
        graphic: settings.mark ? [{
            type: 'text', left: 'center', top: 'middle', silent: true, z: 100,
            style: { text: settings.mark, fontSize: 54, fontWeight: 800, fill: color('failed-ink'), opacity: 0.13 } }] : []
    }, option);
}

function legendSeries(option)
{
    return option.series.filter((one, index, all) =>
        all.findIndex((other) => other.name === one.name) === index && !one.hasNoLegend);
}

function setOption(chart, width)
{
    const option = chartOption(chart, width);
    const named = legendSeries(option);
    chart.instance.setOption(option, true);
    chart.width = width;
    chart.legend.replaceChildren(...(named.length < 2 ? [] : named.map((one) => legendItem(chart, one))));
}

/** A legend of the page and not of the chart: it prints, wraps, and the keyboard reaches it. */
function legendItem(chart, series)
{
    const style = (series.lineStyle || {}).type || 'solid';
    const kind = series.type === 'line' ? 'line ' + style : series.type === 'scatter' ? 'dot' : series.legendKind || 'block';
    const button = element('button', { type: 'button', 'aria-pressed': String(!chart.hidden.has(series.name)) },
        element('span', { class: 'swatch ' + kind, style: 'color:' + (series.color || color('ink')) }), series.name);
    button.addEventListener('click', () =>
    {
        const isHidden = !chart.hidden.delete(series.name);
        if (isHidden)
        {
            chart.hidden.add(series.name);
        }
        button.setAttribute('aria-pressed', String(!isHidden));
        chart.instance.dispatchAction({ type: isHidden ? 'legendUnSelect' : 'legendSelect', name: series.name });
    });
    return element('li', null, button);
}

function tooltipBox(settings)
{
    return Object.assign({
        confine: true, backgroundColor: color('paper'), borderColor: color('line'),
        textStyle: { color: color('ink'), fontSize: 12 }
    }, settings);
}

function tooltip(format, axisFormat)
{
    return tooltipBox({
        trigger: 'axis',
        axisPointer: { type: 'line', lineStyle: { color: color('muted') }, label: { show: false } },
        formatter: (items) => element('div', null,
            element('div', { class: 'muted' }, axisFormat(items[0].value[0])),
            items.filter((item) => item.value[1] !== null).map((item) => element('div', null,
                element('span', { class: 'swatch block', style: 'color:' + item.color }),
                item.seriesName + '  ', element('strong', null, format(item.value[1])))))
    });
}

/** Above the axis, from the left edge of the chart. */
function nameAbove(name)
{
    return {
        name, nameLocation: 'end', nameGap: 9,
        nameTextStyle: { color: color('muted'), align: 'left', padding: [0, 0, 0, -50] }
    };
}

function nameBelow(name)
{
    return { name, nameLocation: 'middle', nameGap: 24, nameTextStyle: { color: color('muted') } };
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
function timeAxis(values, name)
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
        type: 'log', min, max, ...nameAbove(name || 'response time (log scale)'),
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

function percentileOption(series, allPoints, width, name)
{
    const end = Math.max(1, Math.ceil(allPoints.reduce((most, [place]) => Math.max(most, place), 0) - 0.05));
    const places = [0, Math.log10(2)];
    for (let place = 1; place <= end; place++)
    {
        places.push(place);
    }
    return {
        grid: { left: 56, right: 36, top: 26, bottom: 44 },
        tooltip: tooltip(formatNs, (place) => 'up to ' + formatPlace(place, 1) + ' of messages'),
        xAxis: axis({
            type: 'value', min: 0, max: end, interval: 1, ...nameBelow('share of messages (log scale)'),
            axisTick: { customValues: places, lineStyle: { color: color('muted') } },
            axisLabel: {
                color: color('muted'), customValues: labelled(places, end, width), hideOverlap: false,
                formatter: (place) => formatPlace(place)
            }
        }),
        yAxis: timeAxis(allPoints.map(([, timeNs]) => timeNs), name),
        series
    };
}

const CURVE_NOTE = 'The fastest 90%, 99%, 99.9% ... of messages took at most this long.';

function curvesOfRun(run)
{
    const curves = run.curves;
    return figure({
        name: 'percentiles', title: 'Percentiles', note: CURVE_NOTE + ' Where response time lies above service time, ' +
            'messages waited to be sent.',
        mark: mark(run),
        option: (width) => percentileOption([
            curveSeries('response time', curves.response, color('response')),
            curveSeries('service time', curves.service, color('service'), 'dashed'),
            curveSeries('send delay', curves.delay, color('delay'), 'dotted'),
            ...curves.lateness.length > 0 ?
                [curveSeries('receive lateness', curves.lateness, color('lateness'), 'dotted')] : []],
        [...curves.response, ...curves.service, ...curves.delay, ...curves.lateness], width, 'time (log scale)')
    });
}

function curvesOfAll(kind, title)
{
    // One range for both charts, so that they can be compared side by side.
    const allPoints = data.runs.flatMap((run) => [...run.curves.response, ...(run.curves.service || [])]);
    const shown = data.runs.filter((run) => run.curves[kind]);
    return figure({
        name: 'percentiles-' + kind, title, note: CURVE_NOTE +
            (shown.some((run) => run.look !== 'good' && !run.foreign) ? ' Runs that are not good are dashed.' : '') +
            (data.runs.some((run) => run.foreign) ? kind === 'response' ? ' Dotted: ' + FOREIGN_NOTE :
                ' Foreign results have no ' + kind + ' time.' : ''),
        option: (width) => percentileOption(shown.map((run) => curveSeries(
            run.chartName, run.curves[kind], runColor(run.index, data.runs.length),
            run.foreign ? 'dotted' : run.look === 'good' ? 'solid' : 'dashed')), allPoints, width, kind + ' time (log scale)')
    });
}

function mark(run)
{
    return ['good', 'foreign'].includes(run.look) ? null : run.word;
}
