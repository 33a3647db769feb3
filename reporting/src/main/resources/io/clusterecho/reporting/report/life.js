/* The life of a cluster: one load with purges, faults and a rollout, on one time axis. Times in ns since the schedule began. */
function lifeShiftS(run)
{
    return run.leftOut ? run.leftOut.warmUpS : 0;
}

/** A fault that was not injected has no outage, and one without recovery has no end. */
function lifeCycle(cycle)
{
    const isStep = cycle.choice === 'next';
    const isInjected = cycle.victim.length > 0;
    const what = isStep ? 'rollout: restart' : cycle.fault;
    const role = (id) => cycle.leaderBefore < 0 ? '' : id === cycle.leaderBefore ? ' (leader)' : ' (follower)';
    return {
        atNs: cycle.startNs, isFault: isInjected, problem: cycle.problem, outageNs: isInjected ? cycle.outageNs : null,
        lastedNs: cycle.recovered ? Math.max(0, ...MOMENTS.map(([key]) => cycle[key]).filter(isNumber)) : null,
        name: (isStep ? 'restart' : cycle.fault) + ' ' + cycle.victim.join('+'),
        text: isInjected ? what + ' of member ' + cycle.victim.map((id) => id + role(id)).join(', ') : what + ', not injected'
    };
}

function lifeEvents(run)
{
    const result = run.failover.result;
    const purges = result.life.purges.map((purge) => ({
        atNs: purge.beginNs, outageNs: null, isFault: false, lastedNs: purge.endNs - purge.beginNs, problem: purge.failure,
        text: purge.failure === '' ? 'snapshot and purge' : 'purge failed'
    }));
    return [...result.cycles.map(lifeCycle), ...purges].sort((one, other) => one.atNs - other.atNs);
}

/** Faults and steps as lines, purges as bands that are wide enough to be seen. */
function lifeMarks(run)
{
    const atS = (timeNs) => timeNs / 1e9 - lifeShiftS(run);
    const life = run.failover.result.life;
    return {
        markArea: {
            silent: true, itemStyle: { color: color('shade') },
            data: life.purges.map((purge) => [{ xAxis: atS(purge.beginNs) },
                { xAxis: atS(Math.max(purge.endNs, purge.beginNs + life.durationNs / 250)) }])
        },
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dashed' },
            label: { color: color('muted'), formatter: (item) => item.name, fontSize: 11 },
            data: lifeEvents(run).filter((event) => event.isFault).map((event) => ({ xAxis: atS(event.atNs), name: event.name }))
        }
    };
}

function lifeDisk(run)
{
    const life = run.failover.result.life;
    const line = (name, value, lineColor, settings) => Object.assign({
        name, type: 'line', color: lineColor, showSymbol: false, lineStyle: { width: 1.6 }, emphasis: { disabled: true },
        data: life.disk.map((sample) => [sample.atNs / 1e9 - lifeShiftS(run), value(sample) / 1e6])
    }, settings);
    const sum = (sample) => sample.memberBytes.reduce((all, bytes) => all + bytes, sample.backupBytes);
    return figure({
        name: 'life-disk', title: 'Disk use', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Log, snapshots and votes of all members and the backup, sampled every second; in a long life a point is the ' +
            'largest of several samples. At most ' +
            formatCount(Math.round(life.diskMostBytes / 1e6)) + ' MB of ' + formatCount(Math.round(life.diskBytes / 1e6)) +
            ' MB. Shaded: a snapshot and purge.',
        option: () => alongOption(run, [
            line('all', sum, color('max'), lifeMarks(run)),
            ...life.disk[0].memberBytes.map((_, id) =>
                line('member ' + id, (sample) => sample.memberBytes[id], runColor(id, life.disk[0].memberBytes.length))),
            line('backup', (sample) => sample.backupBytes, color('sent'), { lineStyle: { width: 1.6, type: 'dashed' } }),
            line('allowed', () => life.diskBytes, color('target'), { lineStyle: { width: 1.2, type: 'dotted' } })],
        countAxis('MB'), (value) => formatCount(Math.round(value)) + ' MB')
    });
}

function lifeBackupLag(run)
{
    const counted = (run.counters && run.counters.processes || {}).backup || {};
    const lags = counted.backup_lag_max_bytes;
    return !lags ? [] : [figure({
        name: 'life-backup-lag', title: 'Lag of the backup', group: 'run' + run.index, isLow: true, mark: mark(run),
        note: 'Committed bytes that the backup lacked, the largest of each interval.',
        option: () => alongOption(run, [lineSeries(run, 'lag', lags, color('sent'), lifeMarks(run))], countAxis('bytes'),
            (value) => formatCount(Math.round(value)) + ' B')
    })];
}

function lifeBody(run)
{
    const life = run.failover.result.life;
    if (!life)
    {
        return [];
    }
    const rows = lifeEvents(run).map((event) => element('tr', null,
        element('td', { class: 'number' }, formatNs(event.atNs - 1e9 * lifeShiftS(run))),
        element('td', null, event.text),
        element('td', { class: 'number' }, isNumber(event.outageNs) ? formatNs(event.outageNs) : '–'),
        element('td', { class: 'number' }, isNumber(event.lastedNs) ? formatNs(event.lastedNs) : '–'),
        element('td', { class: 'bad' }, event.problem)));
    const values = run.intervals && run.intervals.beginS.length > 0 ? run.intervals.responseNs : null;
    return [
        element('h2', null, 'All of it on one axis'),
        ...(!values ? [] : [figure({
            name: 'life-response', title: 'Response time', group: 'run' + run.index, mark: mark(run),
            note: 'Percentiles of each interval. Lines: faults, and restarts of the rollout. Shaded: a snapshot and purge. Drag ' +
                'the ends of the bar below to zoom.' + merged(run) + unseen(run),
            option: () => alongOption(run, [['p50', 'p50'], ['p99', 'p99'], ['max', 'max']].map(([key, name], index) =>
                lineSeries(run, key, timesFromOne(values[key]), color(name), index === 0 ? lifeMarks(run) : {})),
            timeAxis([values.p50, values.p99, values.max].flat()), formatNs, { hasSlider: true })
        })]),
        ...(life.disk.length > 0 ? [lifeDisk(run)] : []),
        ...(values ? lifeBackupLag(run) : []),
        element('details', { open: rows.length <= 2 * MANY_CYCLES ? '' : null },
            element('summary', null, plural(rows.length, 'event')),
            table('Events', { class: 'wide' }, [numberHead('time'), head('event'), numberHead('outage'),
                numberHead('complete after'), head('problem')], rows)),
        element('p', { class: 'note' }, 'Times since the start of the ' + (run.leftOut ? 'measured window' :
            'schedule, warm-up included') + '. Complete: the last phase after a fault was reached; the purge had ended.')];
}
