/* Why a tail is long: what the rules found, and what processes and machine counted during the run. */

function why(run)
{
    const diagnosis = run.manifest.diagnosis;
    if (!diagnosis)
    {
        // Folders of earlier versions have none.
        return [];
    }
    return [element('section', { class: 'why', 'data-long': String(diagnosis.long) },
        element('h2', null, diagnosis.long ? 'Why is the tail long?' : 'How long is the tail?'),
        element('p', null, diagnosis.tail + '.'),
        diagnosis.findings.length === 0 ? null : element('ol', null, diagnosis.findings.map((finding) =>
            element('li', { 'data-rule': finding.rule, 'data-share': finding.share },
                element('strong', null, finding.rule + ': '), finding.cause + '.',
                element('div', { class: 'note' }, 'In ' + formatShare(finding.present) + ' of the intervals. ' + (finding.share > 0 ?
                    formatShare(finding.share) + ' of the excess time of the slow intervals is in or next to these.' :
                    'No interval in or next to these had an unusually long p99.')),
                element('div', null, element('em', null, 'Try: '), finding.advice + '.')))),
        diagnosis.findings.length < 2 ? null : element('p', { class: 'note' },
            'Shares do not add up to 100%: causes can occur in the same interval.'))];
}

function processColor(index)
{
    const colors = color('process').split(' ');
    return colors[index % colors.length];
}

/** One line for each process, or for each pair of process and column where there are several columns. */
function countedLines(run, columns)
{
    const lines = [];
    Object.entries(run.counters.processes).forEach(([process, series], index) => columns.forEach(([column, name], style) =>
    {
        if (series[column])
        {
            lines.push(lineSeries(run, process + (name ? ' ' + name : ''), series[column],
                processColor(index),
                { lineStyle: { width: 1.6, type: ['solid', 'dashed', 'dotted'][style] } }));
        }
    }));
    return lines;
}

function counted(run, name, title, note, nothing, lines, format, unit)
{
    if (lines().length === 0)
    {
        return element('figure', { 'data-chart': name }, element('h3', null, title),
            element('p', { class: 'note' }, nothing));
    }
    return figure({
        name, title, group: 'run' + run.index, isLow: true, mark: mark(run), note,
        option: () =>
        {
            const series = lines();
            Object.assign(series[0], marks(run));
            return alongOption(run, series, countAxis(unit), format);
        }
    });
}

function machineLines(run)
{
    const machine = run.counters.machine;
    const cores = (values) => values.map((value) => value === null ? null : value / 1000);
    const busy = machine.user_ms && machine.system_ms &&
        machine.user_ms.map((value, index) => value === null ? null : (value + machine.system_ms[index]) / 1000);
    const line = (name, values, lineColor, settings) => values ? [lineSeries(run, name, values, lineColor, settings)] : [];
    return [
        ...line('all processes', busy, color('busy')),
        ...line('idle', machine.idle_ms && cores(machine.idle_ms), color('idle'), { lineStyle: { width: 1.4, type: 'dotted' } }),
        ...line('stolen by the hypervisor', machine.steal_ms && cores(machine.steal_ms), color('steal')),
        ...line('throttled', machine.throttled_ms && cores(machine.throttled_ms), color('throttled')),
        ...Object.entries(run.counters.processes).flatMap(([process, series], index) =>
            line(process, series.cpu_ms && cores(series.cpu_ms), processColor(index)))];
}

function countersAlong(run)
{
    if (Object.keys(run.counters.processes).length === 0)
    {
        return [];
    }
    const ms = (value) => Number(value.toFixed(1)) + ' ms/s';
    const perSecond = (value) => Number(value.toFixed(1)) + '/s';
    return [
        element('div', { class: 'columns charts' },
            counted(run, 'counted-stalls', 'Stalls',
                'Longest stall of each member, ms; time of each process in garbage collections (dashed) and at safepoints ' +
                '(dotted), ms per second.',
                'No member stalled.',
                () => countedLines(run, [['stall_ms', ''], ['collection_ms', 'collections'], ['safepoint_ms', 'safepoints']]),
                (value) => Number(value.toFixed(1)) + ' ms', 'ms'),
            counted(run, 'counted-cores', 'Cores in use', 'Cores used, by process.',
                'The machine does not report it.', () => machineLines(run), (value) => Number(value.toFixed(2)) + ' cores',
                'cores')),
        element('div', { class: 'columns charts' },
            counted(run, 'counted-run-delay', 'Waiting for a core',
                'Time in which threads had work but no core, summed over the threads of each process.',
                'No thread waited for a core, or the system does not report it.',
                () => countedLines(run, [['run_delay_ms', '']]), ms, 'ms per second'),
            counted(run, 'counted-writes', 'Writing the log', 'Time of each member in writes, including flushes to the disk.',
                'No member of this machine wrote.', () => countedLines(run, [['write_ms', '']]), ms, 'ms per second')),
        element('div', { class: 'columns charts' },
            counted(run, 'counted-loss', 'Loss', 'NAKs sent, and retransmits (dashed), per second.',
                'No packet was lost.', () => countedLines(run, [['naks_sent', 'NAKs'], ['retransmits', 'retransmits']]),
                perSecond, 'packets/s'),
            counted(run, 'counted-windows', 'Waiting for windows',
                'Senders limited by flow control, publications with back pressure (dashed), replies with back pressure ' +
                '(dotted), per second.',
                'No window was full.', () => countedLines(run, [['sender_limited', 'limited'], ['back_pressure', 'back pressure'],
                    ['replies_back_pressured', 'replies']]), perSecond, 'events/s')),
        ...backupAlong(run)];
}

function backupAlong(run)
{
    if (!run.manifest.backup)
    {
        return [];
    }
    const lag = run.manifest.backup;
    return [element('div', { class: 'columns charts' },
        counted(run, 'backup-lag-bytes', 'Lag of the backup',
            'Committed bytes that the backup lacked, the most in each interval; median of their ends ' +
            formatCount(lag.medianBytes) + ' B, maximum ' + formatCount(lag.maxBytes) + ' B.',
            'The backup lacked nothing.', () => countedLines(run, [['backup_lag_max_bytes', '']]),
            (value) => formatCount(Math.round(value)) + ' B', 'bytes'),
        counted(run, 'backup-lag-time', 'Lag of the backup in time',
            'Time since the first of these bytes was committed, seen every 10 ms; median ' + formatNs(lag.medianNs) +
            ', maximum ' + formatNs(lag.maxNs) + '.',
            'The backup lacked nothing from one look to the next.', () => countedLines(run, [['backup_lag_max_ms', '']]),
            (value) => Number(value.toFixed(1)) + ' ms', 'ms'))];
}
