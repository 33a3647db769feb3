/* A failover test: its verdict, tables and audit. Times of a cycle are in ns after its fault. */
const MOMENTS = [
    ['failureDetectedNs', 'failure detected'],
    ['electionStartNs', 'election start'],
    ['electionEndNs', 'election end'],
    ['newLeaderKnownNs', 'new leader known'],
    ['sessionUsableNs', 'session usable'],
    ['firstEchoNs', 'first reply'],
    ['backlogDrainedNs', 'backlog drained'],
    ['victimReturnedNs', 'victim returned'],
    ['victimInQuorumNs', 'victim in quorum'],
    ['victimCaughtUpNs', 'victim caught up']];
const STAGES = [
    ['before', 'before the fault'], ['during', 'during the outage'], ['catchUp', 'until all members are back'],
    ['after', 'after that'], ['other', 'at other times']];
const STAGE_PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'max'];
const BANDS = {
    'undetected': 'undetected',
    'no-quorum': 'no quorum',
    'canvass': 'canvass',
    'election': 'election',
    'session': 'session recovery',
    'backlog': 'backlog',
    'silence': 'no reply',
    'away': 'away',
    'catching-up': 'catching up'
};
const MANY_CYCLES = 30;

function isNumber(value)
{
    return typeof value === 'number';
}

/** What was done, for instance "kill, pause". */
function faults(result)
{
    return [...new Set(result.cycles.map((cycle) => cycle.fault))].join(', ');
}

/** Whether the timeouts bound the outage of a cycle: they do if the leader alone was killed. */
function isBoundedCycle(cycle)
{
    return ['kill', 'wipe'].includes(cycle.fault) && cycle.victim.length === 1 && cycle.newLeaders.length > 0;
}

// Older results have no expectation of each cycle.
function expectedNs(result, cycle)
{
    return cycle.expectedOutageNs || (cycle.expectation || !isBoundedCycle(cycle) ? Infinity : result.outageBoundNs);
}

function isBounded(result)
{
    return result.cycles.some(isBoundedCycle);
}

function failoverVerdict(run)
{
    const result = run.failover.result;
    const meaning = {
        good: 'Every cycle recovered, and the logs of the members agree with the client\'s journal.',
        partial: 'The test ended before its last cycle. Its numbers cover the cycles that were run.',
        failed: 'This test did not pass. Do not quote its numbers.'
    }[run.look];
    const facts = ' ' + plural(result.cycles.length, 'cycle') + ' (' + faults(result) + '), delivery ' + result.delivery + ': ' +
        knownCount(result.acknowledgedLost) + ' of ' + knownCount(result.acknowledged) + ' acknowledged messages lost, ' +
        knownCount(result.appliedTwice) + ' applied twice.';
    const beyondBound = result.cycles.filter((cycle) => cycle.valid &&
        cycle.outageNs - (cycle.outageResolutionNs || 0) > expectedNs(result, cycle)).length;
    // Earlier results have the warnings in the manifest alone.
    const warnings = result.verdict.warnings || run.manifest.verdict.warnings;
    return verdictBlock(run, {
        word: sign(run) + ' ' + run.word + (result.verdict.partial && run.look === 'failed' ? ', and partial' : ''),
        sentence: meaning + facts, chips: [warningChip(warnings), beyondBound === 0 ? null :
            chip('⚠ ' + plural(beyondBound, 'outage') + ' longer than expected', 'partial')],
        tiles: failoverTiles(run),
        reasons: result.verdict.reasons, warnings
    });
}

function failoverTiles(run)
{
    const result = run.failover.result;
    const outage = result.outageNs;
    const spread = (value) => outage.count === 0 ? '–' : formatNs(value);
    const bad = (isBad) => isBad ? { class: 'tile bad' } : {};
    return element('div', { class: 'tiles' },
        tile('outage, median', spread(outage.median), plusMinus(result.outageResolutionNs, ', ') + 'of ' +
            plural(outage.count, 'valid cycle')),
        tile('outage, longest', spread(outage.max), 'shortest ' + spread(outage.min)),
        tile('outage bound', formatNs(result.outageBoundNs), 'by the timeouts, after SIGKILL of the leader'),
        tile('acknowledged, but lost', knownCount(result.acknowledgedLost), 'of ' + knownCount(result.acknowledged),
            bad(result.acknowledgedLost > 0)),
        tile('applied twice', knownCount(result.appliedTwice), knownCount(result.resent) + ' sent again',
            bad(result.appliedTwice > 0)),
        isNumber(result.acknowledged) ?
            tile('audit', result.audit.clean ? 'clean' : '✗', result.audit.clean ? 'of all members\' logs' :
                plural(result.audit.findings.length, 'finding') + ' shown', bad(!result.audit.clean)) :
            tile('audit', 'none', 'the logs were not compared'));
}

function knownCount(count)
{
    return isNumber(count) ? formatCount(count) : 'not known';
}

/** The resolution of a time; empty for results without one. */
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
        pointerCell(pointer + '/count', spread.count, formatCount(spread.count)),
        ['min', 'median', 'p90', 'max'].map((rank) =>
            pointerCell(pointer + '/' + rank, spread[rank], formatTime(spread, rank))),
        isNumber(resolutionNs) ? pointerCell(resolutionPointer, resolutionNs, plusMinus(resolutionNs, '')) :
            element('td', { class: 'number muted' }, '–'));
    const rows = MOMENTS.filter(([key]) => result.phases[key] && result.phases[key].count > 0)
        .map(([key, name]) => row('/phases/' + key, name, result.phases[key], '/phaseResolutionNs/' + key, resolutions[key]));
    return [
        table('Outages and moments after the fault', { class: 'spreads' }, [
            head('time after the fault'), numberHead('cycles'), ...['min', 'median', 'p90', 'max', '±'].map(numberHead)], [
            row('/outageNs', 'outage', result.outageNs, '/outageResolutionNs', result.outageResolutionNs),
            element('tr', null, element('th', { scope: 'row' }, 'outage bound by the timeouts'),
                element('td', null), element('td', null), element('td', null), element('td', null),
                pointerCell('/outageBoundNs', result.outageBoundNs, formatNs(result.outageBoundNs)), element('td', null)),
            ...rows]),
        element('p', { class: 'note' }, 'The outage is the longest time without a scheduled reply. The other rows are times after the ' +
            'fault. The bound is valid after SIGKILL of the leader. Ranks are over valid cycles, by the nearest rank. ± is the ' +
            'resolution: the interval between two messages, or between two samples of the members.')];
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
            pointerCell(pointer + '/count', one.count, formatCount(one.count)),
            STAGE_PERCENTILES.map((percentile) =>
                pointerCell(pointer + '/' + percentile, one[percentile], formatTime(one, percentile))),
            pointerCell(pointer + '/unanswered', one.unanswered, formatCount(one.unanswered)));
    });
    return [
        element('h2', null, 'Response time before, during and after'),
        table('Response time before, during and after', { class: 'wide' }, [head('messages due'),
            numberHead('answered'), ...STAGE_PERCENTILES.map(numberHead),
            numberHead('unanswered')], rows),
        element('p', { class: 'note' }, 'All valid cycles together, by intended send time: in the second before the fault; until the ' +
            'backlog was drained (without an outage, until the last phase); until the victims had caught up; and in the 2 s ' +
            'after. The rest of the measured window is without times.')];
}

function isAudited(audit)
{
    return typeof audit.clean === 'boolean';
}

function audited(run)
{
    const result = run.failover.result;
    const mustBeNone = ['acknowledgedLost', 'appliedTwice'];
    const row = ([field, name]) => element('tr', null, element('th', { scope: 'row' }, name),
        pointerCell('/' + field, result[field], formatCount(result[field]),
            mustBeNone.includes(field) && result[field] > 0));
    const part = (title, fields) => element('section', null, element('h3', null, title),
        table(title, { class: 'accounts' }, [head('messages'), numberHead('count')],
            fields.filter(([field]) => isNumber(result[field])).map(row)));
    const audit = result.audit;
    return [
        element('h2', null, 'Audit and accounts'),
        isAudited(audit) ? element('p', null, element('span', { class: 'badge ' + (audit.clean ? 'good' : 'failed') },
            audit.clean ? '✓ audit clean' : '✗ audit not clean'),
        ' The recorded logs of all members were compared with the client\'s journal.') :
            element('p', null, element('span', { class: 'badge failed' }, '✗ no audit'), ' The logs were not compared.'),
        ...(audit.findings.length === 0 ? [] :
            [element('ul', { class: 'findings bad' }, audit.findings.map((text) => element('li', null, text)))]),
        element('div', { class: 'columns' },
            part('Audit', [['acknowledged', 'acknowledged'], ['acknowledgedLost', 'of them lost'],
                ['appliedTwice', 'applied twice'], ['unansweredInLog', 'unanswered, in the log'],
                ['unansweredLost', 'unanswered, not in the log']]),
            part('Delivery, ' + result.delivery, [['scheduled', 'scheduled'], ['late', 'late'],
                ['unanswered', 'unanswered'], ['neverSent', 'never sent'], ['resent', 'sent again'],
                ['repeated', 'repeated replies'], ['gaps', 'refused: an earlier message was missing'],
                ['reconnects', 'new sessions'], ['newLeaders', 'leader changes'],
                ['boundWaits', 'waits at the limit of unacknowledged messages']]))];
}

function cycleTable(run)
{
    const result = run.failover.result;
    const moments = ['failureDetectedNs', 'electionEndNs', 'firstEchoNs', 'backlogDrainedNs', 'victimCaughtUpNs'];
    const hasProblem = result.cycles.some((cycle) => cycle.problem || !cycle.valid);
    const rows = result.cycles.map((cycle, index) => element('tr', null,
        element('th', { scope: 'row' }, cycle.cycle),
        element('td', null, cycle.fault + ' ' + cycle.victim.join('+')),
        pointerCell('/cycles/' + index + '/outageNs', cycle.outageNs, formatNs(cycle.outageNs)),
        moments.map((key) => isNumber(cycle[key]) ?
            pointerCell('/cycles/' + index + '/' + key, cycle[key], formatNs(cycle[key])) :
            element('td', { class: 'number muted' }, '–')),
        !hasProblem ? null : element('td', { class: 'remark bad' }, (cycle.valid ? '' : 'invalid: ') + cycle.problem)));
    const content = table('Cycles', { class: 'wide cycles' }, [head('cycle'), head('fault, member'), numberHead('outage'),
        ...MOMENTS.filter(([key]) => moments.includes(key)).map(([, name]) => numberHead(name)),
        ...(hasProblem ? [element('th', { scope: 'col', class: 'remark' }, 'problem')] : [])], rows);
    return rows.length <= MANY_CYCLES ? content :
        element('details', null, element('summary', null, 'All ' + rows.length + ' cycles'), content);
}

/** The steps of a rollout, whose outages are those of its cycles; nothing for other tests. */
function rolloutSteps(run)
{
    const result = run.failover.result;
    const rollout = result.rollout;
    if (!rollout)
    {
        return [];
    }
    const version = (one) => one.version + ' (commit ' + one.commit + ') with Aeron ' + one.aeron;
    const time = (pointer, timeNs) => isNumber(timeNs) ? pointerCell(pointer, timeNs, formatNs(timeNs)) :
        element('td', { class: 'number muted' }, '–');
    const rows = rollout.steps.map((step, index) =>
    {
        const position = result.cycles.findIndex((cycle) => cycle.cycle === step.cycle);
        const cycle = result.cycles[position];
        return element('tr', null,
            element('th', { scope: 'row' }, step.cycle),
            element('td', null, step.memberId + (step.leader ? ' (leader)' : ' (follower)')),
            element('td', null, step.running ? step.running.version : '–'),
            element('td', null, step.running ? step.running.aeron : '–'),
            time('/cycles/' + position + '/outageNs', cycle.outageNs),
            time('/cycles/' + position + '/victimCaughtUpNs', cycle.victimCaughtUpNs),
            time('/rollout/steps/' + index + '/snapshotLoadNs', step.snapshotLoadNs));
    });
    return [
        element('h2', null, 'Rollout'),
        element('p', null, 'From ' + version(rollout.from) + ' to ' + version(rollout.to) +
            (rollout.andBack ? ', and back' : '') + ': ' + rollout.steps.length + ' of ' + rollout.stepCount +
            ' steps, outages of ' + formatNs(rollout.outageNs) + ' in all.'),
        table('Steps of the rollout', { class: 'wide' }, [head('step'), head('member'), head('version'), head('Aeron'),
            numberHead('outage'), numberHead('caught up'), numberHead('snapshot loaded in')], rows),
        element('p', { class: 'note' }, 'Each member was stopped in an orderly way and started from the other jar when the others ' +
            'served without it; the snapshot that it loaded is of the version before. Step n is cycle n of the charts.')];
}

function failoverBody(run)
{
    return [
        failoverVerdict(run),
        ...rolloutSteps(run),
        element('h2', null, 'Outages'),
        ...spreads(run),
        outagesOfRun(run),
        cycleTable(run),
        ...timelineOfRun(run),
        ...stages(run),
        ...audited(run)];
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
            element('th', { scope: 'row' }, runSwatch(run), run.shortName),
            element('td', null, badge(run)),
            element('td', null, faults(result)),
            element('td', null, result.delivery),
            element('td', { class: 'number' }, formatCount(outage.count)),
            ['min', 'median', 'p90', 'max'].map((rank) => element('td', { class: 'number' }, formatTime(outage, rank))),
            element('td', { class: 'number muted' }, isBounded(result) ? formatNs(result.outageBoundNs) : '–'),
            element('td', { class: 'number' + (result.acknowledgedLost > 0 ? ' bad' : '') },
                knownCount(result.acknowledgedLost)),
            element('td', { class: 'number' + (result.appliedTwice > 0 ? ' bad' : '') },
                knownCount(result.appliedTwice)));
    });
    return [
        element('h2', null, 'Outages by test'),
        table('Outages by test', { class: 'wide' }, [head('run'), head('verdict'), head('fault'), head('delivery'),
            numberHead('cycles'),
            ...['min', 'median', 'p90', 'max'].map(numberHead), numberHead('bound'), numberHead('lost'),
            numberHead('applied twice')], rows),
        outagesOfAll(runs)];
}
