/* Where the time of messages went, for runs that asked for it. */
const WAY_STAGES = [
    ['sendDelayNs', 'send delay', 'waits for its turn in the client'],
    ['toLeaderNs', 'to leader', 'until the leader takes it from its ingress'],
    ['logNs', 'log', 'until the leader’s own archive has it'],
    ['quorumNs', 'quorum', 'until a majority has it'],
    ['toServiceNs', 'to service', 'until the leader’s service is given it'],
    ['toClientNs', 'to client', 'until the reply is received'],
    ['bothWaysNs', 'to leader and to client', 'both ways together: the leader has another clock']];

function stageRows(run)
{
    const stages = run.manifest.stages;
    return WAY_STAGES.map(([field, name, what]) =>
        ({ field, name, what, times: field === 'sendDelayNs' ? run.manifest.sendDelayNs : stages[field] }))
        .filter((row) => row.times !== undefined);
}

/** Results of earlier versions have none, nor have runs that did not ask. */
function whereTimeGoes(run)
{
    const told = run.manifest.stages;
    if (told === undefined || told.told === 0)
    {
        return [];
    }
    const rows = stageRows(run);
    const sum = rows.reduce((total, row) => total + row.times.mean, 0);
    const statistics = ['p50', 'p99', 'p99.9', 'max', 'mean'];
    const cell = (row, statistic) => numberCell(
        'stages.' + row.field + '.' + statistic, row.times[statistic], formatNs(row.times[statistic]));
    return [element('section', { 'data-stages': told.told }, element('h2', null, 'Where the time goes'),
        stageChart(run, rows),
        table({ class: 'wide stages' },
            [head('stage'), ...statistics.map(numberHead), numberHead('share of the mean'), head('a message')],
            rows.map((row) => element('tr', null, element('th', { scope: 'row' }, row.name),
                statistics.map((statistic) => cell(row, statistic)),
                element('td', { class: 'number' }, formatShare(row.times.mean / sum)), element('td', null, row.what)))),
        element('p', { class: 'note' }, 'Of ' + formatCount(told.told) + ' messages whose replies told of it; ' +
            formatCount(told.untold + told.disagreeing) + ' did not. The means add up to the mean response time of answered ' +
            'messages; percentiles do not add up, since slow stages fall on different messages.'))];
}

function stageChart(run, rows)
{
    return figure({
        name: 'stages', title: 'Mean response time by stage', mark: mark(run), heightPx: 130,
        note: 'From when a message was due, on the left, to its reply.',
        option: () => ({
            grid: { left: 16, right: 24, top: 34, bottom: 26 },
            legend: legend(rows.map((row) => row.name)),
            tooltip: {
                trigger: 'item', confine: true, backgroundColor: color('paper'), borderColor: color('line'),
                textStyle: { color: color('ink'), fontSize: 12 },
                formatter: (item) => item.seriesName + '  ' + formatNs(item.value)
            },
            xAxis: axis({
                type: 'value', max: 'dataMax',
                axisLabel: { color: color('muted'), hideOverlap: true, formatter: formatNs }
            }),
            yAxis: { type: 'category', data: [''], show: false },
            series: rows.map((row, index) => ({
                type: 'bar', stack: 'stages', name: row.name, data: [row.times.mean], barWidth: '80%',
                itemStyle: { color: runColor(index, rows.length) }
            }))
        })
    });
}
