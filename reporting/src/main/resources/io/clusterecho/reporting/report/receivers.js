/* Accounts and times of the copies for receivers, for runs with --receivers. */
const COPY_COUNTS = [
    ['scheduled', 'scheduled'], ['received', 'received'], ['late', 'late'], ['missing', 'missing'],
    ['neverSent', 'never sent'], ['duplicates', 'duplicates'], ['corrupt', 'corrupt'], ['reconnects', 'reconnects']];
const COPY_CLASSES = ['received', 'late', 'missing', 'neverSent'];
const COPY_PLACES = [['p50', Math.log10(2)], ['p90', 1], ['p99', 2], ['p99.9', 3], ['p99.99', 4]];

/** Results of earlier versions have none, nor have runs without receivers. */
function receiversOfRun(run)
{
    const fanOut = run.manifest.fanOut;
    if ((fanOut ?? null) === null)
    {
        return [];
    }
    const receivers = fanOut.receivers;
    const isEqual = receivers.every((one) => COPY_CLASSES.reduce((sum, field) => sum + one[field], 0) === one.scheduled);
    const isWhole = receivers.every((one) => one.received === one.scheduled);
    return [element('section', { 'data-receivers': receivers.length }, element('h2', null, 'Receivers'),
        table('Receivers', { class: 'wide' }, [head('receiver'), ...COPY_COUNTS.map(([, name]) => numberHead(name))],
            receivers.map((one, index) => element('tr', null, element('th', { scope: 'row' }, String(index)),
                COPY_COUNTS.map(([field]) =>
                    numberCell('fanOut.receivers.' + index + '.' + field, one[field], formatCount(one[field])))))),
        element('p', { class: isEqual ? 'note' : 'note bad' }, (isEqual ?
            'Of each receiver, received, late, missing and never sent add up to scheduled.' :
            '✗ The counts of a receiver do not add up to those scheduled.') + ' ' + formatCount(fanOut.completed) + ' of ' +
            formatCount(run.manifest.scheduled) + ' messages reached every receiver.'),
        ...isWhole ? [] : [shortfallChart(run, receivers)],
        copyTimesChart(run, fanOut))];
}

function shortfallChart(run, receivers)
{
    return figure({
        name: 'receivers-shortfall', title: 'Copies that did not arrive in time', mark: mark(run),
        note: 'Of the messages scheduled, by receiver.',
        option: () => ({
            grid: { left: 56, right: 16, top: 26, bottom: 44 },
            tooltip: tooltipBox({ trigger: 'item', formatter: (item) =>
                'receiver ' + item.name + ', ' + item.seriesName + '  ' + formatCount(item.value) }),
            xAxis: axis({
                type: 'category', data: receivers.map((one, index) => String(index)), ...nameBelow('receiver'),
                splitLine: { show: false }
            }),
            yAxis: countAxis('messages'),
            series: [['late', 'late', 'delay'], ['missing', 'missing', 'failed-ink'], ['neverSent', 'never sent', 'muted']]
                .map(([field, name, hue]) => ({
                    type: 'bar', stack: 'copies', name, data: receivers.map((one) => one[field]), barMaxWidth: 40,
                    color: color(hue)
                }))
        })
    });
}

function copyTimesChart(run, fanOut)
{
    const points = (times) => COPY_PLACES.map(([name, place]) => [place, times[name]])
        .filter(([, timeNs]) => timeNs !== undefined);
    const lines = [
        ['reply to the sender', points(run.manifest.responseTimeNs), color('response'), 'solid'],
        ['copy at each receiver', points(fanOut.responseTimeNs), color('service'), 'dashed'],
        ['last copy of a message', points(fanOut.lastResponseTimeNs), color('delay'), 'dotted']];
    return figure({
        name: 'receivers-times', title: 'Replies and copies', mark: mark(run),
        note: 'From the intended send time: p50, p90, p99, p99.9 and p99.99. Copies that nobody received count with ' +
            'their age at the end of the run.',
        option: (width) => percentileOption(lines.map(([name, data, hue, type]) => curveSeries(name, data, hue, type)),
            lines.flatMap(([, data]) => data), width, 'time (log scale)')
    });
}
