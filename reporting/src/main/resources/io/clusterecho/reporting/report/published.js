/* Ratios of a public report beside ours. */
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
