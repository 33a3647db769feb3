/* Ratios of a public report beside ours. */
/** Results of earlier versions have ratios whose experiments were not compared: they are not shown. */
const UNCHECKED = 'not checked by the version that stored this result whether the report measured the same';

function ratioCell(pointer, ratio)
{
    return ratio === undefined ? element('td', { class: 'number muted' }, '–') :
        pointerCell(pointer, ratio, formatRatio(ratio));
}
