/* Ratios between results of this page, beside the same ratios of a public report. */
function besidePublished()
{
    const ratios = data.publishedRatios;
    if (ratios.length === 0)
    {
        return [];
    }
    const metricName = (ratio) => ratio.metric === 'rate' ? 'highest rate' : 'response ' + ratio.metric;
    // Labels need not differ: then the number tells.
    const side = (ratio, label, number) => label + (ratio.name === ratio.against ? ' #' + number : '');
    return [
        element('h2', null, 'Beside published figures'),
        table({ class: 'wide', 'data-table': 'published' }, [head('ratio'), head('of'), head('between'), numberHead('ours'),
            numberHead('published')], ratios.map((ratio, index) => element('tr', null,
            element('th', { scope: 'row' }, ratio.of),
            element('td', null, metricName(ratio)),
            element('td', null, side(ratio, ratio.name, ratio.number) + ' : ' +
                side(ratio, ratio.against, ratio.againstNumber)),
            ratioCell('/publishedRatios/' + index + '/ours', ratio.ours),
            ratioCell('/publishedRatios/' + index + '/published', ratio.published)))),
        element('p', { class: 'note' }, 'Published: ' + data.publishedBy + '. It was measured on other machines, between hosts ' +
            'and at 100,000 messages/s; highest rates hold there with p99 below 1 ms, or 10 ms between zones. So only ratios ' +
            'of its figures stand here, and no figure by itself. Only good runs of one rate are compared, ' +
            'and confirmed searches with the same condition. Ours are of one result each, and so do not say how far results ' +
            'scatter.')];
}

function ratioCell(pointer, ratio)
{
    return ratio === undefined ? element('td', { class: 'number muted' }, '–') :
        pointerCell(pointer, ratio, formatRatio(ratio));
}
