/* Ratios between results of this page, and the same ratios of a public report. */
function besidePublished()
{
    const ratios = data.publishedRatios;
    if (ratios.length === 0)
    {
        return [];
    }
    const metricName = (ratio) => ratio.metric === 'rate' ? 'highest rate' : 'response ' + ratio.metric;
    // Where two labels are the same, the number distinguishes them.
    const side = (ratio, label, number) => label + (ratio.name === ratio.against ? ' #' + number : '');
    return [
        element('h2', null, 'Published figures'),
        table('Published figures', { class: 'wide', 'data-table': 'published' }, [head('ratio'), head('of'),
            head('between'), numberHead('ours'), numberHead('published')], ratios.map((ratio, index) => element('tr', null,
            element('th', { scope: 'row' }, ratio.of),
            element('td', null, metricName(ratio)),
            element('td', null, side(ratio, ratio.name, ratio.number) + ' : ' +
                side(ratio, ratio.against, ratio.againstNumber)),
            ratioCell('/publishedRatios/' + index + '/ours', ratio.ours),
            publishedCell('/publishedRatios/' + index + '/published', ratio.published, ratio.publishedDiffers)))),
        element('p', { class: 'note' }, 'Published: ' + data.publishedBy + '. Measured on other machines, between hosts, ' +
            'at 100,000 messages/s; its highest rates have p99 below 1 ms, or 10 ms between zones. So only ratios are ' +
            'compared, and only where system, call style, message, load and metric of both results are those of the report; ' +
            'else the row says what differs. Each of our ratios comes from one pair of results, so it has no range.')];
}

/** Results of earlier versions have ratios whose experiments were not compared: they are not shown. */
const UNCHECKED = 'not checked by the version that stored this result whether the report measured the same';

/** A published ratio, or what differs in the report. */
function publishedCell(pointer, ratio, differences, notStated)
{
    if (ratio !== undefined && ratio !== null && differences === undefined)
    {
        return element('td', { class: 'muted' }, '–', element('div', { class: 'note' }, UNCHECKED));
    }
    if (differences && differences.length > 0)
    {
        return element('td', { class: 'muted' }, '–', differences.map((one) => element('div', { class: 'note' }, one)));
    }
    const cell = ratioCell(pointer, ratio === null ? undefined : ratio);
    (ratio === undefined || ratio === null ? [] : notStated || []).forEach((name) =>
        cell.append(element('div', { class: 'note' }, 'not stated: ' + name)));
    return cell;
}

function ratioCell(pointer, ratio)
{
    return ratio === undefined ? element('td', { class: 'number muted' }, '–') :
        pointerCell(pointer, ratio, formatRatio(ratio));
}
