/* Why a tail is long: what the rules found, and what processes and machine counted along the run. */
const PROCESS_COLORS = ['p50', 'p99', 'p99-9', 'max', 'other', 'ink', 'muted'];

function why(run)
{
    const diagnosis = run.manifest.diagnosis;
    if (!diagnosis)
    {
        // Folders of earlier versions have none.
        return [];
    }
    return [element('section', { class: 'why', 'data-long': String(diagnosis.long) },
        element('h2', null, diagnosis.long ? 'Why is the tail long?' : 'The tail'),
        element('p', null, diagnosis.tail + '.'),
        diagnosis.findings.length === 0 ? null : element('ol', null, diagnosis.findings.map((finding) =>
            element('li', { 'data-rule': finding.rule, 'data-share': finding.share },
                element('strong', null, finding.rule + ': '), finding.cause + '.',
                element('div', { class: 'note' }, 'In ' + formatShare(finding.present) + ' of the rows. ' + (finding.share > 0 ?
                    formatShare(finding.share) + ' of what was slow lies where this happened.' :
                    'No reply stood out where this happened.')),
                element('div', null, element('em', null, 'Try: '), finding.advice + '.')))),
        diagnosis.findings.length < 2 ? null : element('p', { class: 'note' },
            'What happens at the same time shares the blame here: shares do not add up to one.'))];
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
                color(PROCESS_COLORS[index % PROCESS_COLORS.length]),
                { lineStyle: { width: 1.6, type: ['solid', 'dashed', 'dotted'][style] } }));
        }
    }));
    return lines;
}

function counted(run, name, title, note, nothing, lines, format)
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
            return alongOption(run, series, countAxis(), format);
        }
    });
}

function machineLines(run)
{
    const machine = run.counters.machine;
    const cores = (values) => values.map((value) => value === null ? null : value / 1000);
    const busy = machine.user_ms && machine.system_ms &&
        machine.user_ms.map((value, index) => value === null ? null : (value + machine.system_ms[index]) / 1000);
    const line = (name, values, lineColor, settings) => values ? [lineSeries(run, name, values, color(lineColor), settings)] : [];
    return [
        ...line('all programs', busy, 'ink'),
        ...line('idle', machine.idle_ms && cores(machine.idle_ms), 'muted', { lineStyle: { width: 1.4, type: 'dotted' } }),
        ...line('taken by the hypervisor', machine.steal_ms && cores(machine.steal_ms), 'max'),
        ...line('throttled', machine.throttled_ms && cores(machine.throttled_ms), 'max'),
        ...Object.entries(run.counters.processes).flatMap(([process, series], index) =>
            line(process, series.cpu_ms && cores(series.cpu_ms), PROCESS_COLORS[index % PROCESS_COLORS.length]))];
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
            counted(run, 'counted-stalls', 'Standing still',
                'Longest stall of each process, and its time in garbage collections (dashed) and at safepoints (dotted).',
                'No process stood still.',
                () => countedLines(run, [['stall_ms', ''], ['collection_ms', 'collections'], ['safepoint_ms', 'safepoints']]), ms),
            counted(run, 'counted-cores', 'Cores in use', 'How many cores were used, and by whom.',
                'The machine does not tell.', () => machineLines(run), (value) => Number(value.toFixed(2)) + ' cores')),
        element('div', { class: 'columns charts' },
            counted(run, 'counted-run-delay', 'Waiting for a core',
                'Time for which threads had work and no core, summed over the threads of each process.',
                'No thread waited for a core, or the system does not tell.',
                () => countedLines(run, [['run_delay_ms', '']]), ms),
            counted(run, 'counted-writes', 'Writing the log', 'Time of each member in writes, flushes to the disk included.',
                'No member of this machine wrote.', () => countedLines(run, [['write_ms', '']]), ms)),
        element('div', { class: 'columns charts' },
            counted(run, 'counted-loss', 'Loss', 'Requests to send again, and what was sent again (dashed), per second.',
                'No packet was lost.', () => countedLines(run, [['naks_sent', 'NAKs'], ['retransmits', 'retransmits']]),
                perSecond),
            counted(run, 'counted-windows', 'Waiting for windows',
                'Senders that had to wait for a receiver, publications that met back pressure (dashed), replies that waited ' +
                '(dotted), per second.',
                'No window was full.', () => countedLines(run, [['sender_limited', 'limited'], ['back_pressure', 'back pressure'],
                    ['replies_back_pressured', 'replies']]), perSecond))];
}
