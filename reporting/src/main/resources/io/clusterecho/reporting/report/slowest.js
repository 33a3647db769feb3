/* Where the time of the slowest messages went, message by message. */
const SLOW_PARTS = [
    ['sendDelayNs', 'send delay', () => color('delay')],
    ['backPressureNs', 'back pressure', () => color('back-pressure')],
    ['unknownNs', 'unknown', () => color('idle')],
    ['toLeaderNs', 'to leader', () => stageColor('toLeaderNs')],
    ['logNs', 'log', () => stageColor('logNs')],
    ['quorumNs', 'quorum', () => stageColor('quorumNs')],
    ['toServiceNs', 'to service', () => stageColor('toServiceNs')],
    ['toClientNs', 'to client', () => stageColor('toClientNs')],
    ['receiveLatenessNs', 'receive lateness', () => color('lateness')]];

/** Results of earlier versions have none, nor have runs that lost a client. */
function slowestMessages(run)
{
    const tail = run.manifest.slowest;
    if (tail === undefined)
    {
        return [];
    }
    const parts = SLOW_PARTS.filter(([field]) => tail.partsNs[field] !== undefined);
    const ofMessage = (message, field) => message.partsNs[field] === undefined ? noCell() :
        element('td', { class: 'number', title: message.partsNs[field] }, formatNs(message.partsNs[field]));
    return [element('section', { 'data-slowest': tail.messages }, element('h2', null, 'The slowest messages'),
        partsOfTail(run, tail, parts),
        causesOfTail(tail),
        waterfall(run, tail, parts),
        table('The slowest messages', { class: 'wide slowest' },
            [head('message'), numberHead('due'), numberHead('response time'), ...parts.map(([, name]) => numberHead(name))],
            [element('tr', null, element('th', { scope: 'row' }, 'all ' + formatCount(tail.messages)), noCell(),
                numberCell('slowest.responseTimeNs', tail.responseTimeNs, formatNs(tail.responseTimeNs)),
                parts.map(([field]) => numberCell('slowest.partsNs.' + field, tail.partsNs[field],
                    formatShare(tail.partsNs[field] / tail.responseTimeNs)))),
            ...tail.slowest.map((message) => element('tr', null,
                element('th', { scope: 'row' }, formatCount(message.number) + (message.isAnswered ? '' : ' (no reply)')),
                element('td', { class: 'number', title: message.dueNs }, formatNs(message.dueNs)),
                element('td', { class: 'number', title: message.responseTimeNs }, formatNs(message.responseTimeNs)),
                parts.map(([field]) => ofMessage(message, field))))]),
        element('p', { class: 'note' }, 'Due: since the start of the schedule. ' +
            'Unknown is what no time divides: without --stages all between send time and the arrival of the reply, with a ' +
            'leader on another host the way to it and back. A message without a reply counts with its age at the end of the ' +
            'run. More messages are in slowest-messages.json.'))];
}

function partSeries(parts, values, settings)
{
    return parts.map(([field, name, partColor]) =>
        ({ type: 'bar', stack: 'parts', name, data: values(field), color: partColor(), ...settings }));
}

function partsOfTail(run, tail, parts)
{
    return figure({
        name: 'slowest-parts', title: 'Where the time of the slowest messages went', mark: mark(run), heightPx: 130,
        note: 'Parts of the response times of the ' + formatCount(tail.messages) + ' slowest messages, ' +
            formatShare(tail.share) + ' of all, in the order of the path.',
        option: () => ({
            grid: { left: 16, right: 24, top: 6, bottom: 44 },
            tooltip: tooltipBox({ trigger: 'item', formatter: (item) => item.seriesName + '  ' + formatShare(item.value) }),
            xAxis: axis({
                type: 'value', max: 1, ...nameBelow('share of their response times'),
                axisLabel: { color: color('muted'), hideOverlap: true, formatter: (share) => Math.round(100 * share) + '%' }
            }),
            yAxis: { type: 'category', data: [''], show: false },
            series: partSeries(parts, (field) => [tail.partsNs[field] / tail.responseTimeNs], { barWidth: '80%' })
        })
    });
}

/** Only runs with --causes have them. */
function causesOfTail(tail)
{
    if (tail.causes === undefined)
    {
        return [];
    }
    const states = { STOPPED: 'was stopped', WAITING: 'waited for a core', BLOCKED: 'was blocked in the kernel',
        SAFEPOINT: 'was at a safepoint', UNKNOWN: 'unknown', RUNNING: 'ran', SLEEPING: 'slept' };
    const names = Object.fromEntries(SLOW_PARTS);
    const cell = (text) => text === undefined ? noCell() : element('td', null, text);
    const shown = [...tail.causes].sort((one, other) => other.timeNs - one.timeNs).slice(0, 20);
    return table('What the threads on their path did', { class: 'wide causes' },
        [head('part'), head('thread'), head('what it did'), head('who had its core'), head('certain'), numberHead('share')],
        shown.map((cause) => element('tr', null, element('th', { scope: 'row' }, names[cause.part]),
            cell(cause.thread), cell(states[cause.state]),
            cause.state === 'WAITING' ? cell(cause.holder || 'nobody') : noCell(), cell(cause.isCertain ? 'yes' : 'no'),
            element('td', { class: 'number', title: cause.timeNs }, formatShare(cause.timeNs / tail.responseTimeNs)))));
}

function waterfall(run, tail, parts)
{
    return figure({
        name: 'slowest', title: 'The ' + plural(tail.slowest.length, 'slowest message'), mark: mark(run),
        heightPx: 70 + 26 * tail.slowest.length,
        note: 'From when each was due, on the left, until its reply was taken; by number.',
        option: () => ({
            grid: { left: 90, right: 24, top: 6, bottom: 44 },
            tooltip: tooltipBox({
                trigger: 'item', formatter: (item) => item.name + '  ' + item.seriesName + '  ' + formatNs(item.value)
            }),
            xAxis: axis({
                type: 'value', max: 'dataMax', ...nameBelow('time since it was due'),
                axisLabel: { color: color('muted'), hideOverlap: true, formatter: formatNs }
            }),
            yAxis: axis({
                type: 'category', inverse: true, data: tail.slowest.map((message) => formatCount(message.number)),
                splitLine: { show: false }
            }),
            series: partSeries(parts, (field) => tail.slowest.map((message) => message.partsNs[field] || 0),
                { barWidth: '70%' })
        })
    });
}
