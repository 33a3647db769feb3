/* Accounts and response times by kind of message, for runs with several lengths or kinds. */
const KIND_COUNTS = [
    ['scheduled', 'scheduled'], ['answered', 'answered'], ['late', 'late'], ['unanswered', 'unanswered'],
    ['neverSent', 'never sent']];

/** Results of earlier versions have none, nor have runs whose messages are all alike. */
function kindsOfMessages(run)
{
    const kinds = run.manifest.kinds;
    if (kinds === undefined || kinds.length === 0)
    {
        return [];
    }
    const statistics = ['p50', 'p99', 'p99.9', 'max'];
    const lengths = (kind) => kind.minLengthBytes === kind.maxLengthBytes ? formatCount(kind.minLengthBytes) :
        formatCount(kind.minLengthBytes) + '–' + formatCount(kind.maxLengthBytes);
    const isEqual = KIND_COUNTS.every(([field]) =>
        kinds.reduce((sum, kind) => sum + kind[field], 0) === run.manifest[field]);
    return [element('section', { 'data-kinds': kinds.length }, element('h2', null, 'Kinds of messages'),
        table('Kinds of messages', { class: 'wide' },
            [head('kind'), ...['bytes', 'target/s', 'achieved/s', ...KIND_COUNTS.map(([, name]) => name), ...statistics]
                .map(numberHead)],
            kinds.map((kind, index) =>
            {
                const key = 'kinds.' + index + '.';
                return element('tr', null, element('th', { scope: 'row' }, kind.name),
                    element('td', { class: 'number' }, lengths(kind)),
                    ...['ratePerSecondAsked', 'ratePerSecondAchieved'].map((field) =>
                        numberCell(key + field, kind[field], formatCount(Math.round(kind[field])))),
                    KIND_COUNTS.map(([field]) => numberCell(key + field, kind[field], formatCount(kind[field]))),
                    statistics.map((statistic) => numberCell(key + 'responseTimeNs.' + statistic,
                        kind.responseTimeNs[statistic], formatTime(kind.responseTimeNs, statistic))));
            })),
        element('p', { class: isEqual ? 'note' : 'note bad' }, 'Response times by kind. ' + (isEqual ?
            'Each count, added up over the kinds, equals that of all messages.' :
            '✗ The counts do not add up to those of all messages.')))];
}
