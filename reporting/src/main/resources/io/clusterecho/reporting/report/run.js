/* One run: its verdict, numbers, settings and files. */
const TIMES = [
    ['responseTimeNs', 'response time'],
    ['serviceTimeNs', 'service time'],
    ['sendDelayNs', 'send delay'],
    ['receiveLatenessNs', 'receive lateness'],
    ['stallNs', 'client stalls']];

/** Receive lateness is not always known. */
function timesIn(manifest)
{
    return TIMES.filter(([field]) => manifest[field] !== undefined);
}

const CLIENT_LIMITED = 'CLIENT-LIMITED';
const LOOKS = {
    GOOD: 'good', [CLIENT_LIMITED]: 'partial', PARTIAL: 'partial', FOREIGN: 'foreign'
};

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
        // A failover test has its own verdict: in its load, replies are late by design.
        run.word = run.failover ? run.failover.verdict : manifest.verdict.label;
        // An unknown word must not look good.
        run.look = LOOKS[run.word] || 'failed';
        // A foreign result does not contain the number.
        run.lost = run.foreign ? 0 : manifest.unanswered + manifest.neverSent;
        run.last = lastInterval(run);
        cutToWindow(run);
    });
    const names = nameByDifference(data.runs);
    data.runs.forEach((run, index) =>
    {
        run.shortName = data.runs.length > 1 ? names[index] : run.name;
        run.chartName = run.shortName + (['good', 'foreign'].includes(run.look) ? '' : ' (' + run.word + ')');
    });
}

function lastInterval(run)
{
    const { phase, endS, leader, inFlight } = run.intervals || { phase: [], endS: [], leader: [], inFlight: [] };
    const last = phase.length - 1;
    return { phase: phase[last], endS: endS[last], leader: leader[last], inFlight: inFlight[last] };
}

function badge(run)
{
    return element('span', { class: 'badge ' + run.look }, sign(run) + ' ' + run.word);
}

function sign(run)
{
    return { good: '✓', partial: '◐', failed: '✗', foreign: '⇥' }[run.look];
}

function verdict(run)
{
    const manifest = run.manifest;
    const stored = manifest.verdict;
    const response = manifest.responseTimeNs;
    const share = manifest.ratePerSecondAchieved / manifest.ratePerSecondAsked;
    const meaning = run.word === CLIENT_LIMITED ?
        'The run is valid, but its slowest times are largely the load client\'s: they show little of the system measured.' : {
        good: manifest.overload ? 'Every message is accounted for. Outcome of the pulse: ' +
            manifest.overload.outcome.replace(/_/g, ' ') + '.' :
            'The rate was achieved and every message is accounted for; the verdict does not judge response times.',
        partial: 'The run ended before its schedule did. Its numbers cover the part that was measured.',
        failed: 'This run is not a valid result. Do not quote its numbers.'
    }[run.look];
    const facts = ' ' + formatCount(manifest.ratePerSecondAchieved) + ' of ' + formatCount(manifest.ratePerSecondAsked) +
        ' messages/s achieved (' + formatShare(share) + '), ' + formatCount(run.lost) + ' of ' +
        formatCount(manifest.scheduled) + ' messages without a reply.' + windowEnds(manifest);
    const ratio = response.p99 / response.p50;
    const isLong = manifest.diagnosis ? manifest.diagnosis.long : ratio >= LONG_TAIL;
    return verdictBlock(run, {
        word: sign(run) + ' ' + run.word + (stored.partial && run.look === 'failed' ? ', and partial' : ''),
        sentence: meaning + facts,
        chips: [warningChip(stored.warnings),
            isLong && ratio > 0 ? chip(ratio < LONG_TAIL && response.p99 >= 1e9 ?
                '⚠ slow: p99 is ' + formatNs(response.p99) :
                '⚠ long tail: p99 is ' + formatTimes(ratio) + ' times p50', 'partial') : null],
        tiles: tiles(run), reasons: stored.reasons, warnings: stored.warnings
    });
}

/** Where the run decided itself when warm-up and measured window ended. */
function windowEnds(manifest)
{
    const { warmUp, until } = manifest;
    const ended = { steady: '', precise: '', bound: ', its bound', request: ', ended early' };
    return (warmUp ? ' Warm-up of ' + formatNs(warmUp.lengthNs) + ended[warmUp.endedBy] +
            (warmUp.unsteady ? ': not steady.' : ': steady.') : '') +
        (until ? ' Measured for ' + formatNs(until.lengthNs) + ended[until.endedBy] + ', for ' + until.goal.replace('+-', ' ±') +
            (until.halfWidthShare === undefined ? ': no bounds.' : ': ±' + formatShare(until.halfWidthShare) + '.') : '');
}

function tiles(run)
{
    const manifest = run.manifest;
    const response = manifest.responseTimeNs;
    const bounds = (name) => boundsOf(response, name) ? '95%: ' + formatBounds(boundsOf(response, name)) : '';
    const times = (name) => response[name] / response.p50;
    const ratio = (name) => [times(name) > 0 ? formatTimes(times(name)) + ' × p50' : '', bounds(name)]
        .filter((part) => part !== '').join('; ');
    return element('div', { class: 'tiles' },
        tile('response p50', formatTime(response, 'p50'), ['median', bounds('p50')].filter((part) => part !== '').join('; ')),
        tile('response p99', formatTime(response, 'p99'), ratio('p99')),
        tile('response p99.9', formatTime(response, 'p99.9'), ratio('p99.9')),
        tile('response max', formatTime(response, 'max'), ratio('max')),
        run.lost > 0 ?
            // The rate of the replies that came says little where others did not.
            tile('without a reply', formatCount(run.lost), formatShare(run.lost / manifest.scheduled) + ' of messages') :
            tile('achieved', formatCount(manifest.ratePerSecondAchieved) + '/s',
                formatShare(manifest.ratePerSecondAchieved / manifest.ratePerSecondAsked) + ' of target'),
        tile('longest stall', formatTime(manifest.stallNs, 'max'), 'of the client'),
        // Folders of earlier versions have none, nor has a run without a cluster.
        manifest.floorRatio === undefined ? null : tile('p50 / floor', manifest.floorRatio.toFixed(2),
            'floor ' + formatNs(manifest.floorNs) + '; with spinning threads ' + formatNs(manifest.spinningFloorNs) + ', p50 ' +
            manifest.spinningFloorRatio.toFixed(1) + ' times that',
            { 'data-floor-ratio': manifest.floorRatio, 'data-floor-ns': manifest.floorNs, title: manifest.baseline }));
}

function accounts(run)
{
    const manifest = run.manifest;
    const classes = [
        ['answered', 'answered'], ['late', 'late'], ['unanswered', 'unanswered'], ['neverSent', 'never sent']];
    const sum = classes.reduce((total, [field]) => total + manifest[field], 0);
    const isEqual = sum === manifest.scheduled;
    const row = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        numberCell(field, manifest[field], formatCount(manifest[field])),
        element('td', { class: 'number muted' }, manifest.scheduled > 0 ?
            formatShare(manifest[field] / manifest.scheduled) : ''));
    const plainRow = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        numberCell(field, manifest[field], formatCount(manifest[field])), element('td', null));
    return element('section', null, element('h2', null, 'Accounts'),
        table('Accounts', { class: 'accounts' }, [head('messages'), numberHead('count'), numberHead('share')], [
            ...classes.map(row),
            element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'sum'),
                element('td', { class: 'number', 'data-sum': sum }, formatCount(sum)), element('td', null)),
            element('tr', null, element('th', { scope: 'row' }, 'scheduled'),
                numberCell('scheduled', manifest.scheduled, formatCount(manifest.scheduled)),
                element('td', { class: 'number ' + (isEqual ? 'muted' : 'bad') },
                    isEqual ? '✓ equals the sum' : '✗ differs from the sum')),
            ...[['duplicates', 'duplicate replies'], ['outOfOrder', 'replies out of order'], ['corrupt', 'corrupt replies'],
                ['backPressured', 'offers with back pressure'], ['disconnected', 'offers without a session'],
                ['newLeaders', 'leader changes']].filter(([field]) => manifest[field] !== undefined).map(plainRow)]),
        logGrowth(manifest.members));
}

/** Of the leader, or else of the member whose log grew least; nothing where none is known. */
function logGrowth(members)
{
    const grown = (members || []).filter((one) => one.logBytesPerSecond !== undefined)
        .sort((one, other) => (other.role === 'leader') - (one.role === 'leader') ||
            one.logBytesPerSecond - other.logBytesPerSecond)[0];
    return !grown ? '' : element('p', { class: 'note', 'data-log-bytes-per-second': grown.logBytesPerSecond },
        'With the messages of all clients, the log of member ' + grown.memberId + (grown.role ? ' (' + grown.role + ')' : '') +
        ' grew by ' + formatBytes(Math.round(grown.logBytesPerSecond)) + ' a second' +
        (grown.logBytesPerMessage === undefined ? '' : ', and by ' + formatBytes(Math.round(grown.logBytesPerMessage)) +
            ' for each message of this run that was answered') + '.' + diskFull(members));
}

/** Of the member whose disk is full first; nothing where none is known. */
function diskFull(members)
{
    const first = members.filter((one) => one.diskFullS !== undefined)
        .sort((one, other) => one.diskFullS - other.diskFullS)[0];
    const [unit, name] = first ? [[86400, 'days'], [3600, 'h'], [60, 'min'], [1, 's']]
        .find(([length]) => first.diskFullS >= 2 * length || length === 1) : [];
    return !first ? '' : ' If logs grow on like this, the disk of member ' + first.memberId + ' is full in ' +
        formatCount(Math.floor(first.diskFullS / unit)) + ' ' + name + '.';
}

/**
 * Why percentiles have no bounds: a sentence for each reason, which for some times has one interval more than for others. Results
 * of earlier versions give none.
 */
function missingBounds(manifest)
{
    const named = new Map();
    timesIn(manifest).flatMap(([field]) => Object.entries(manifest[field].confidence95Missing || {}))
        .forEach(([percentile, reason]) =>
        {
            const kind = reason.replace(/\d+ intervals/, '');
            named.set(kind, named.get(kind) || { reason, missing: new Set() });
            named.get(kind).missing.add(percentile);
        });
    return [...named.values()].map(({ reason, missing }) => 'No bounds' + (missing.size === PERCENTILES.length - 1 ? '' : ' of ' +
        PERCENTILES.filter((one) => missing.has(one)).join(', ')) + ': ' + reason + '.');
}

function clientPart(tail)
{
    return !tail ? '' : element('p', { class: 'note', 'data-client-share': tail.share },
        'The client\'s part of the time of the slowest 1%, by send delay without back pressure and receive lateness: ' +
        (tail.isEachArrivalKnown ? '' : 'at least ') + formatShare(tail.share) + (tail.missing ? '' :
            ' (' + formatShare(tail.low) + ' to ' + formatShare(tail.high) + ')') + '.');
}

function times(run)
{
    const manifest = run.manifest;
    const known = timesIn(manifest);
    const statistics = [...PERCENTILES, 'min', 'mean'];
    const row = (statistic) => element('tr', null, element('th', { scope: 'row' }, statistic),
        known.map(([field]) => numberCell(field + '.' + statistic, manifest[field][statistic],
            [formatTime(manifest[field], statistic), boundsOf(manifest[field], statistic) ?
                element('div', { class: 'muted', 'data-bounds': field + '.' + statistic },
                    formatBounds(boundsOf(manifest[field], statistic))) : ''])));
    const missing = missingBounds(manifest);
    return element('section', null, element('h2', null, 'Times'),
        table('Times', { class: 'times' }, [head('percentile'), ...known.map(([, name]) => numberHead(name))], [
            ...statistics.map(row),
            element('tr', null, element('th', { scope: 'row' }, 'count'), known.map(([field]) =>
                numberCell(field + '.count', manifest[field].count, formatCount(manifest[field].count))))]),
        element('p', { class: 'note' }, 'Response time is receive time - intended send time; service time is receive time - send ' +
            'time; send delay is send time - intended send time; receive lateness, where it is known, is receive time - ' +
            'arrival of the reply, and part of the service time.' + (run.lost > 0 ?
            ' Messages without a reply count in the response time with their age at the end of the run.' : '')),
        clientPart(manifest.clientTail),
        known.some(([field]) => PERCENTILES.some((one) => boundsOf(manifest[field], one))) ?
            element('p', { class: 'note' }, 'Below a percentile: bounds ' +
            'that contain the percentile of an endless run under the same conditions with 95% confidence. Another run differs by more.') : '',
        missing.length === 0 ? '' : element('p', { class: 'note' }, missing.join(' ')));
}

function calibration(note)
{
    return note.missing !== undefined ? note.missing :
        formatDate(note.start) + ' on ' + note.host + '; largest errors of response times: ' +
        Object.entries(note.worstErrorsNs).map(([name, ns]) => name + ' ' + formatNs(Math.abs(ns))).join(', ') +
        '; ' + note.folder;
}

function circumstances(run)
{
    const manifest = run.manifest;
    return [
        element('h2', null, 'Configuration and environment'),
        manifest.floorMissing === undefined ? null : element('p', null, element('strong', null, 'p50 / floor: '),
            manifest.floorMissing),
        // Folders of earlier versions have none.
        manifest.calibration === undefined ? null : element('p', null, element('strong', null, 'Calibration of the client: '),
            calibration(manifest.calibration)),
        element('p', null, element('strong', null, 'Durability: '), manifest.durability),
        ...(manifest.placement ?
            [element('p', null, element('strong', null, 'Placement: '), manifest.placement)] : []),
        element('p', null, element('strong', null, 'Started: '), formatDate(manifest.start)),
        element('p', null, element('strong', null, 'Command:')),
        element('pre', null, manifest.commandLine),
        element('details', { class: 'keys' }, element('summary', null, 'Load, cluster, versions, JVM and machine'),
            element('div', { class: 'columns' },
                element('div', null, facts('Load', manifest.configuration), facts('Versions', manifest.versions),
                    facts('JVM of the client', manifest.jvm)),
                element('div', null, manifest.cluster ? facts('Cluster', manifest.cluster) : null,
                    facts('Machine of the client', manifest.machine)))),
        rawKeys(manifest),
        element('h2', null, 'Raw data'),
        element('ul', { class: 'files' }, run.files.map((file) =>
            element('li', null, element('a', { href: file.link }, file.name))))].filter((one) => one);
}
