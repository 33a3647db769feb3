/* A failover test: its verdict, tables and proof. Times of a cycle are in ns after its fault. */
const MOMENTS = [
    ['failureDetectedNs', 'failure detected'],
    ['electionStartNs', 'election start'],
    ['electionEndNs', 'election end'],
    ['newLeaderKnownNs', 'new leader known'],
    ['sessionUsableNs', 'session usable'],
    ['firstEchoNs', 'first echo'],
    ['backlogDrainedNs', 'backlog drained'],
    ['victimReturnedNs', 'victim returned'],
    ['victimCaughtUpNs', 'victim caught up']];
const STAGES = [
    ['before', 'before the fault'], ['during', 'during the outage'], ['catchUp', 'until all are back'], ['after', 'after that']];
const STAGE_PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'max'];
const BANDS = {
    'undetected': 'undetected',
    'no-quorum': 'no quorum',
    'canvass': 'canvass',
    'election': 'election',
    'session': 'session being found',
    'backlog': 'backlog draining',
    'silence': 'no echo',
    'away': 'away',
    'catching-up': 'catching up'
};
const MANY_CYCLES = 30;

/** A number of failover.json: the pointer tells which, the exact value is beside what is shown. */
function failoverCell(pointer, value, text, isBad)
{
    return element('td', {
        class: 'number' + (isBad ? ' bad' : ''), 'data-pointer': pointer, 'data-value': value, title: value
    }, text);
}

function isNumber(value)
{
    return typeof value === 'number';
}

function plural(count, noun)
{
    return formatCount(count) + ' ' + noun + (count === 1 ? '' : 's');
}

/** What was done, for instance "kill, pause". */
function faults(result)
{
    return [...new Set(result.cycles.map((cycle) => cycle.fault))].join(', ');
}

/** Whether what the timeouts allow for is a bound for any of these outages: of a leader that was killed alone. */
function isBounded(result)
{
    return result.cycles.some((cycle) => ['kill', 'wipe'].includes(cycle.fault) && cycle.victim.length === 1 &&
        cycle.newLeaders.length > 0);
}

function failoverVerdict(run)
{
    const result = run.failover.result;
    const load = run.manifest.verdict;
    const sentence = {
        good: 'Every cycle recovered; what the members\' logs hold agrees with what the client was told.',
        partial: 'This test was ended before its last cycle. Its numbers are of the cycles that were run.',
        failed: 'This test did not pass. Its numbers must not be quoted as if it had.'
    }[run.look];
    const facts = plural(result.cycles.length, 'cycle') + ' (' + faults(result) + '), delivery ' + result.delivery + ': ' +
        knownCount(result.acknowledgedLost) + ' of ' + knownCount(result.acknowledged) + ' acknowledged messages lost, ' +
        knownCount(result.appliedTwice) + ' applied twice.';
    // Results of before had the warnings in the manifest alone.
    const warnings = result.verdict.warnings || load.warnings;
    const list = (texts, name) => texts.length === 0 ? null :
        element('ul', { class: name }, texts.map((text) => element('li', null, text)));
    return element('div', { class: 'verdict ' + run.look, 'data-verdict': run.word },
        element('div', { class: 'word' }, sign(run) + ' ' + run.word +
            (result.verdict.partial && run.look === 'failed' ? ', and partial' : '')),
        element('p', { class: 'sentence' }, sentence + ' ' + facts),
        list(result.verdict.reasons, 'reasons'),
        list(warnings, 'warnings'));
}

function failoverTiles(run)
{
    const result = run.failover.result;
    const outage = result.outageNs;
    const tile = (name, value, more, isBad) => element('div', { class: 'tile' },
        element('div', { class: 'name' }, name), element('div', { class: 'value' + (isBad ? ' bad' : '') }, value),
        element('div', { class: 'more' }, more || ''));
    const spread = (value) => outage.count === 0 ? '–' : formatNs(value);
    return element('div', { class: 'tiles' },
        tile('outage, median', spread(outage.median), plusMinus(result.outageResolutionNs, ', ') + 'of ' +
            plural(outage.count, 'valid cycle')),
        tile('outage, longest', spread(outage.max), 'shortest ' + spread(outage.min)),
        tile('timeouts allow for', formatNs(result.outageBoundNs), 'after SIGKILL of the leader'),
        tile('acknowledged, but lost', knownCount(result.acknowledgedLost), 'of ' + knownCount(result.acknowledged),
            result.acknowledgedLost > 0),
        tile('applied twice', knownCount(result.appliedTwice), knownCount(result.resent) + ' sent again',
            result.appliedTwice > 0),
        isNumber(result.acknowledged) ?
            tile('audit', result.audit.clean ? 'clean' : '✗', result.audit.clean ? 'of all members\' logs' :
                plural(result.audit.findings.length, 'finding') + ' shown', !result.audit.clean) :
            tile('audit', 'none', 'the logs were not compared'));
}

function knownCount(count)
{
    return isNumber(count) ? formatCount(count) : 'not known';
}

/**
 * By how much a time may be off; empty for results that do not say.
 */
function plusMinus(resolutionNs, end)
{
    return isNumber(resolutionNs) && resolutionNs > 0 ? '± ' + formatNs(resolutionNs) + end : '';
}

function spreads(run)
{
    const result = run.failover.result;
    const resolutions = result.phaseResolutionNs || {};
    const row = (pointer, name, spread, resolutionPointer, resolutionNs) => element('tr', null,
        element('th', { scope: 'row' }, name),
        failoverCell(pointer + '/count', spread.count, formatCount(spread.count)),
        ['min', 'median', 'p90', 'max'].map((rank) =>
            failoverCell(pointer + '/' + rank, spread[rank], formatNs(spread[rank]))),
        isNumber(resolutionNs) ? failoverCell(resolutionPointer, resolutionNs, plusMinus(resolutionNs, '')) :
            element('td', { class: 'number muted' }, '–'));
    const rows = MOMENTS.filter(([key]) => result.phases[key] && result.phases[key].count > 0)
        .map(([key, name]) => row('/phases/' + key, name, result.phases[key], '/phaseResolutionNs/' + key, resolutions[key]));
    return [
        table({ class: 'spreads' }, [
            head('after the fault'), numberHead('cycles'), ...['min', 'median', 'p90', 'max', '±'].map(numberHead)], [
            row('/outageNs', 'outage', result.outageNs, '/outageResolutionNs', result.outageResolutionNs),
            element('tr', null, element('th', { scope: 'row' }, 'the timeouts allow for, at most'),
                element('td', null), element('td', null), element('td', null), element('td', null),
                failoverCell('/outageBoundNs', result.outageBoundNs, formatNs(result.outageBoundNs)), element('td', null)),
            ...rows]),
        element('p', { class: 'note' }, 'The outage is the longest time without an echo that the schedule asked for. Of the ' +
            'other moments the time after the fault is given. What the timeouts allow for holds after SIGKILL of the leader. ' +
            'Ranks are of valid cycles, by the nearest rank; ± is by how much a time may be off: the distance of two messages, ' +
            'or of two looks at members.')];
}

function stages(run)
{
    const stored = run.failover.result.responseTimeNs;
    if (!stored)
    {
        return [];
    }
    const rows = STAGES.filter(([key]) => stored[key]).map(([key, name]) =>
    {
        const pointer = '/responseTimeNs/' + key;
        const one = stored[key];
        return element('tr', null, element('th', { scope: 'row' }, name),
            failoverCell(pointer + '/count', one.count, formatCount(one.count)),
            STAGE_PERCENTILES.map((percentile) =>
                failoverCell(pointer + '/' + percentile, one[percentile], one.count === 0 ? '–' : formatNs(one[percentile]))),
            failoverCell(pointer + '/unanswered', one.unanswered, formatCount(one.unanswered)));
    });
    return [
        element('h2', null, 'Response time before, during and after'),
        table({ class: 'wide' }, [head('messages due'), numberHead('answered'), ...STAGE_PERCENTILES.map(numberHead),
            numberHead('unanswered')], rows),
        element('p', { class: 'note' }, 'Of all valid cycles together, by the time at which a message was due: in the second ' +
            'before the fault; until the backlog was drained (where there was no outage, until the last phase); until the ' +
            'victims had caught up; and in the 2 s after.')];
}

function proof(run)
{
    const result = run.failover.result;
    const mustBeNone = ['acknowledgedLost', 'appliedTwice'];
    const row = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        failoverCell('/' + field, result[field], formatCount(result[field]),
            mustBeNone.includes(field) && result[field] > 0));
    const part = (title, fields) => element('section', null, element('h3', null, title),
        table({ class: 'accounts' }, null, fields.filter(([field]) => isNumber(result[field])).map(row)));
    const audit = result.audit;
    return [
        element('h2', null, 'What was lost'),
        element('p', null, element('span', { class: 'badge ' + (audit.clean ? 'good' : 'failed') },
            audit.clean ? '✓ audit clean' : '✗ audit not clean'),
        ' The recorded logs of all members were held against the client\'s journal of what it was told.'),
        ...(audit.findings.length === 0 ? [] :
            [element('ul', { class: 'findings bad' }, audit.findings.map((text) => element('li', null, text)))]),
        element('div', { class: 'columns' },
            part('Proof', [['acknowledged', 'acknowledged'], ['acknowledgedLost', 'of them lost'],
                ['appliedTwice', 'applied twice'], ['unansweredInLog', 'without an answer, but in the log'],
                ['unansweredLost', 'without an answer, and lost']]),
            part('Delivery, ' + result.delivery, [['scheduled', 'scheduled'], ['late', 'late'],
                ['unanswered', 'sent, but unanswered'], ['neverSent', 'never sent'], ['resent', 'sent again'],
                ['repeated', 'repeated replies'], ['gaps', 'refused, as an earlier one was missing'],
                ['reconnects', 'new sessions'], ['newLeaders', 'changes of leader'],
                ['boundWaits', 'waits for room at the bound']]))];
}

function cycleTable(run)
{
    const result = run.failover.result;
    const moments = ['failureDetectedNs', 'electionEndNs', 'firstEchoNs', 'backlogDrainedNs', 'victimCaughtUpNs'];
    const rows = result.cycles.map((cycle, index) => element('tr', null,
        element('th', { scope: 'row' }, cycle.cycle),
        element('td', null, cycle.fault + ' ' + cycle.victim.join('+')),
        failoverCell('/cycles/' + index + '/outageNs', cycle.outageNs, formatNs(cycle.outageNs)),
        moments.map((key) => isNumber(cycle[key]) ?
            failoverCell('/cycles/' + index + '/' + key, cycle[key], formatNs(cycle[key])) :
            element('td', { class: 'number muted' }, '–')),
        element('td', { class: 'remark bad' },
            (cycle.valid ? '' : 'not valid: ') + cycle.problem)));
    const content = table({ class: 'wide cycles' }, [head('cycle'), head('fault, member'), numberHead('outage'),
        ...MOMENTS.filter(([key]) => moments.includes(key)).map(([, name]) => numberHead(name)), head('')], rows);
    return rows.length <= MANY_CYCLES ? content :
        element('details', null, element('summary', null, 'All ' + rows.length + ' cycles'), content);
}

function failoverBody(run)
{
    return [
        failoverVerdict(run),
        failoverTiles(run),
        element('h2', null, 'Outages'),
        ...spreads(run),
        outagesOfRun(run),
        cycleTable(run),
        ...timelineOfRun(run),
        ...stages(run),
        ...proof(run)];
}

function failoversSideBySide(runs)
{
    if (runs.length < 2)
    {
        return [];
    }
    const rows = runs.map((run) =>
    {
        const result = run.failover.result;
        const outage = result.outageNs;
        return element('tr', null,
            element('th', { scope: 'row' },
                element('span', { class: 'swatch', style: 'background:' + runColor(run.index, data.runs.length) }), run.name),
            element('td', null, badge(run)),
            element('td', null, faults(result)),
            element('td', null, result.delivery),
            element('td', { class: 'number' }, formatCount(outage.count)),
            ['min', 'median', 'p90', 'max'].map((rank) => element('td', { class: 'number' }, formatNs(outage[rank]))),
            element('td', { class: 'number muted' }, isBounded(result) ? formatNs(result.outageBoundNs) : '–'),
            element('td', { class: 'number' + (result.acknowledgedLost > 0 ? ' bad' : '') }, formatCount(result.acknowledgedLost)),
            element('td', { class: 'number' + (result.appliedTwice > 0 ? ' bad' : '') }, formatCount(result.appliedTwice)));
    });
    return [
        element('h2', null, 'Outages side by side'),
        table({ class: 'wide' }, [head('run'), head('verdict'), head('fault'), head('delivery'), numberHead('cycles'),
            ...['min', 'median', 'p90', 'max'].map(numberHead), numberHead('allowed for'), numberHead('lost'),
            numberHead('twice')], rows),
        outagesOfAll(runs)];
}
