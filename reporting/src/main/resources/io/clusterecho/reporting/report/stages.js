/* Where the time of messages went, for runs with --stages. */
const WAY_STAGES = [
    ['sendDelayNs', 'send delay', 'waits in the client'],
    ['toLeaderNs', 'to leader', 'until the leader takes it from ingress'],
    ['logNs', 'log', 'until the leader’s archive has it'],
    ['quorumNs', 'quorum', 'until a majority has it'],
    ['toServiceNs', 'to service', 'until the leader’s service gets it'],
    ['toClientNs', 'to client', 'until the reply is received'],
    ['bothWaysNs', 'to leader and to client', 'both ways together, as the leader has another clock']];

function stageRows(run)
{
    const stages = run.manifest.stages;
    return WAY_STAGES.map(([field, name, what]) =>
        ({ field, name, what, times: field === 'sendDelayNs' ? run.manifest.sendDelayNs : stages[field] }))
        .filter((row) => row.times !== undefined);
}

/** The same in each chart, whichever stages a run has. */
function stageColor(field)
{
    const colors = color('stage').split(' ');
    return colors[WAY_STAGES.findIndex(([one]) => one === field) % colors.length];
}

/** Its part in the mean of all messages: some have the stages to and from the leader, others, with another clock, both as one. */
function meanPart(run, row)
{
    return row.times.mean * (row.field === 'sendDelayNs' ? 1 : row.times.count / run.manifest.stages.told);
}

/** Results of earlier versions have none, nor have runs without --stages. */
function whereTimeGoes(run)
{
    const stages = run.manifest.stages;
    if (stages === undefined || stages.told === 0)
    {
        return [];
    }
    const rows = stageRows(run);
    const sum = rows.reduce((total, row) => total + meanPart(run, row), 0);
    const statistics = ['p50', 'p99', 'p99.9', 'max', 'mean'];
    const cell = (row, statistic) => numberCell(
        'stages.' + row.field + '.' + statistic, row.times[statistic], formatTime(row.times, statistic));
    return [element('section', { 'data-stages': stages.told }, element('h2', null, 'Where the time goes'),
        stageChart(run, rows),
        table('Where the time goes', { class: 'wide stages' },
            [head('stage'), ...statistics.map(numberHead), numberHead('share of the mean'), head('what happens')],
            rows.map((row) => element('tr', null, element('th', { scope: 'row' }, row.name),
                statistics.map((statistic) => cell(row, statistic)),
                element('td', { class: 'number' }, formatShare(meanPart(run, row) / sum)), element('td', null, row.what)))),
        element('p', { class: 'note' }, 'Of ' + formatCount(stages.told) + ' messages with stages; ' +
            formatCount(stages.untold + stages.disagreeing) + ' had none. If all have them, the means add up to the ' +
            'mean response time; percentiles do not, since different messages are slow in different stages.'))];
}

function stageChart(run, rows)
{
    return figure({
        name: 'stages', title: 'Mean response time by stage', mark: mark(run), heightPx: 130,
        note: 'From the intended send time, on the left, to the receive time.',
        option: () => ({
            grid: { left: 16, right: 24, top: 6, bottom: 44 },
            tooltip: tooltipBox({ trigger: 'item', formatter: (item) => item.seriesName + '  ' + formatNs(item.value) }),
            xAxis: axis({
                type: 'value', max: 'dataMax', ...nameBelow('mean response time'),
                axisLabel: { color: color('muted'), hideOverlap: true, formatter: formatNs }
            }),
            yAxis: { type: 'category', data: [''], show: false },
            series: rows.map((row) => ({
                type: 'bar', stack: 'stages', name: row.name, data: [meanPart(run, row)], barWidth: '80%',
                color: row.field === 'sendDelayNs' ? color('delay') : stageColor(row.field)
            }))
        })
    });
}
