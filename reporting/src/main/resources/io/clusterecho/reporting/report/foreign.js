/* A result of another load generator: its distribution, and what is not known of it. */
const FOREIGN_NOTE = 'foreign, closed accounts unknown; messages without a reply are in none of their numbers.';

function foreignBody(run)
{
    const manifest = run.manifest;
    const times = manifest.responseTimeNs;
    return [
        element('div', { class: 'verdict ' + run.look, 'data-verdict': run.word },
            element('div', { class: 'word' }, sign(run) + ' ' + run.word),
            element('p', { class: 'sentence' }, 'Measured by another load generator: ' + manifest.accounts +
                '. Its file holds a distribution of the replies that came, and neither how many did not come nor on which ' +
                'machine that was.'),
            manifest.verdict.reasons.length === 0 ? null :
                element('ul', { class: 'reasons' }, manifest.verdict.reasons.map((text) => element('li', null, text))),
            manifest.verdict.warnings.length === 0 ? null :
                element('ul', { class: 'warnings' }, manifest.verdict.warnings.map((text) => element('li', null, text)))),
        element('div', { class: 'columns' },
            element('section', null, element('h2', null, 'Response time'),
                table({ class: 'times' }, null, [...PERCENTILES, 'min', 'mean'].map((statistic) => element('tr', null,
                    element('th', { scope: 'row' }, statistic),
                    numberCell('responseTimeNs.' + statistic, times[statistic], formatNs(times[statistic])))).concat(
                    element('tr', null, element('th', { scope: 'row' }, 'count'),
                        numberCell('responseTimeNs.count', times.count, formatCount(times.count)))))),
            element('section', null, element('h2', null, 'What its name says'), facts('', manifest.configuration))),
        element('h2', null, 'Charts'),
        figure({
            name: 'percentiles', title: 'Percentiles', note: CURVE_NOTE, mark: mark(run),
            option: (width) => percentileOption([curveSeries('response time', run.curves.response, color('max'))],
                run.curves.response, width)
        }),
        ...(run.intervals ? [responseAlong(run), heatMap(run)] : []),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, run.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))];
}
