/* A result of another load generator: its distribution, and what its file does not contain. */
const FOREIGN_NOTE = 'foreign, closed accounts unknown; messages without a reply are in none of their numbers.';

function foreignBody(run)
{
    const manifest = run.manifest;
    const times = manifest.responseTimeNs;
    return [
        verdictBlock(run, {
            sentence: 'Measured by another load generator: ' + manifest.accounts + '. Its file contains a distribution of the ' +
                'replies that came. It does not contain the number of messages without a reply, nor the machine.',
            chips: [warningChip(manifest.verdict.warnings)],
            tiles: element('div', { class: 'tiles' },
                ...['p50', 'p99', 'p99.9', 'max'].map((name) => tile('response ' + name, formatTime(times, name),
                    name === 'p50' || !(times[name] / times.p50 > 0) ? '' : formatTimes(times[name] / times.p50) + ' × p50'))),
            reasons: manifest.verdict.reasons, warnings: manifest.verdict.warnings
        }),
        element('div', { class: 'columns' },
            element('section', null, element('h2', null, 'Response time'),
                table('Response time', { class: 'times' }, [head('percentile'), numberHead('response time')],
                    [...PERCENTILES, 'min', 'mean'].map((statistic) => element('tr', null, element('th', { scope: 'row' }, statistic),
                    numberCell('responseTimeNs.' + statistic, times[statistic], formatTime(times, statistic)))).concat(
                    element('tr', null, element('th', { scope: 'row' }, 'count'),
                        numberCell('responseTimeNs.count', times.count, formatCount(times.count)))))),
            element('section', null, element('h2', null, 'From the file name'), facts('Settings', manifest.configuration))),
        element('h2', null, 'Charts'),
        figure({
            name: 'percentiles', title: 'Percentiles', note: CURVE_NOTE, mark: mark(run),
            option: (width) => percentileOption([curveSeries('response time', run.curves.response, color('response'))],
                run.curves.response, width)
        }),
        ...(run.intervals ? [responseAlong(run), heatMap(run)] : []),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, run.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))];
}
