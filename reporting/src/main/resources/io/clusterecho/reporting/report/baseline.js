/* What a machine does without a cluster: round trips of datagrams, and syncs. */
const UDP_TIMES = [['serviceTimeNs', 'service time'], ['responseTimeNs', 'response time']];
const ALONE_TIMES = [
    ['sync', 'dataNs', 'sync of data (fsync 1)'],
    ['sync', 'allNs', 'sync with metadata (fsync 2)']];

function baselineRow(name, pointer, times)
{
    return element('tr', null, element('th', { scope: 'row' }, name),
        PERCENTILES.map((key) => pointerCell(pointer + '/' + key, times[key], formatTime(times, key))));
}

function baselineFloors(document)
{
    const floor = (one, sync) => one.quietResponseTimeNs + one.quietServiceTimeNs + sync;
    const cell = (timeNs) => element('td', { class: 'number', 'data-value': timeNs }, formatNs(timeNs));
    const syncs = document.sync ? [0, document.sync.dataNs.p50, document.sync.allNs.p50] : [0];
    return [
        element('h2', null, 'The floor of a replicated round trip'),
        table('Floors', { class: 'wide floors' },
            [head('idle strategy'), ...syncs.map((_, level) => numberHead('fsync ' + level))],
            document.udp.map((one) => element('tr', null, element('th', { scope: 'row' }, one.idle),
                syncs.map((sync) => cell(floor(one, sync)))))),
        element('p', { class: 'note' }, 'For two or more members on this machine: the response time of a round trip between ' +
            'client and leader, plus the service time of one between leader and follower, both as the median of the quietest tenth ' +
            'of a second, plus the median of one sync.')];
}

function baselineBody(one)
{
    const document = one.manifest;
    const rows = [
        ...document.udp.flatMap((udp, index) => UDP_TIMES.map(([field, name]) =>
            baselineRow('UDP round trip, ' + udp.idle + ', ' + name, '/udp/' + index + '/' + field, udp[field]))),
        ...ALONE_TIMES.filter(([part]) => document[part]).map(([part, field, name]) =>
            baselineRow(name, '/' + part + '/' + field, document[part][field]))];
    return [
        documentVerdict(one, 'What this machine does without a cluster, with messages of ' +
            formatCount(document.lengthBytes) + ' bytes.'),
        element('h2', null, 'Times'),
        table('Times', { class: 'wide' }, [head('measured'), ...PERCENTILES.map(numberHead)], rows),
        ...(document.udp.length === 0 ? [] : baselineFloors(document)),
        ...circumstances(one)];
}
