/* One run: its verdict, numbers, settings and files. */
const TIMES = [
    ['responseTimeNs', 'response time'],
    ['serviceTimeNs', 'service time'],
    ['sendDelayNs', 'send delay'],
    ['stallNs', 'client stalls']];

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
        // Of a failover test its own verdict counts: in its load, replies are late by design.
        run.word = run.failover ? run.failover.verdict : manifest.verdict.label;
        // A word that is not known must not look good.
        run.look = { GOOD: 'good', PARTIAL: 'partial', FOREIGN: 'foreign', RUNNING: 'running' }[run.word] || 'failed';
        // A foreign result does not tell how many.
        run.lost = run.foreign ? 0 : manifest.unanswered + manifest.neverSent;
        run.chartName = run.name + (run.look === 'good' ? '' : ' (' + run.word + ')');
    });
}

function badge(run)
{
    return element('span', { class: 'badge ' + run.look }, sign(run) + ' ' + run.word);
}

function sign(run)
{
    return { good: '✓', partial: '◐', failed: '✗', foreign: '⇥', running: '●' }[run.look];
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
        tile('longest stall', formatNs(manifest.stallNs.max), 'of the client itself'),
        // Folders of earlier versions have none, nor has a run that is not of a cluster.
        manifest.floorRatio === undefined ? null : element('div', {
            class: 'tile', 'data-floor-ratio': manifest.floorRatio, 'data-floor-ns': manifest.floorNs, title: manifest.baseline
        }, element('div', { class: 'name' }, 'p50 / floor'),
            element('div', { class: 'value' }, manifest.floorRatio.toFixed(2)),
            element('div', { class: 'more' }, 'floor ' + formatNs(manifest.floorNs) + '; with spinning threads ' +
                formatNs(manifest.spinningFloorNs) + ', p50 ' + manifest.spinningFloorRatio.toFixed(1) + ' times that')));
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
        manifest.floorMissing === undefined ? null : element('p', null, element('strong', null, 'p50 / floor: '),
            manifest.floorMissing),
        element('p', null, element('strong', null, 'Durability: '), manifest.durability),
        ...(manifest.placement ?
            [element('p', null, element('strong', null, 'Placement: '), manifest.placement)] : []),
        element('p', null, element('strong', null, 'Started: '), manifest.start),
        element('p', null, element('strong', null, 'To repeat it:')),
        element('pre', null, manifest.commandLine),
        element('div', { class: 'columns' },
            element('div', null, facts('Machine of the client', manifest.machine), facts('Versions', manifest.versions),
                facts('JVM of the client', manifest.jvm), facts('Cluster', manifest.cluster)),
            element('div', null, facts('Configuration in effect', manifest.configuration))),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, run.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))].filter((one) => one);
}
