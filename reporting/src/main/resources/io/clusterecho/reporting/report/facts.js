/* Settings and facts in words with units, and the names of runs by what differs between them. */
const FACTS = {
    // Of the load.
    transport: 'Transport', rate: 'Target rate', size: 'Message size', 'warm-up': 'Warm-up', duration: 'Measured window',
    'drain-timeout': 'Drain timeout', interval: 'Interval', arrivals: 'Arrivals', batch: 'Messages due at the same time',
    'log-length': 'Log since the snapshot', away: 'Away for', 'before-fault': 'Before the fault',
    'aeron.image.liveness.timeout': 'Image liveness timeout',
    'snapshot-every': 'Snapshot every', churn: 'Sessions opened per second',
    'churn-vanish': 'Share that falls silent', 'churn-messages': 'Messages of each of them',
    'churn-turn': 'Turns without and with them', kind: 'Kinds of messages',
    connections: 'Sessions', concurrency: 'Messages in flight (closed loop)', delivery: 'Delivery',
    unacknowledged: 'Unacknowledged messages per session, at most',
    'late-after': 'Late after', 'resend-after': 'Resend after', 'connect-timeout': 'Connect timeout',
    'new-leader-timeout': 'New-leader timeout', 'session-recovery': 'Session recovery', seed: 'Random seed',
    idle: 'Idle strategy of the client', profile: 'Thread profile of the client', core: 'Core of the sending thread',
    compilers: 'Compilers of the client',
    'duty-cycle-interval': 'Least time from one duty cycle of the client to the next',
    threads: 'Threads of the client', driver: 'Media driver of the client', 'driver-threads': 'Threads of that driver',
    'driver-command': 'Command of that driver', 'driver-dir': 'Folder of that driver',
    'driver-messages-per-send': 'Datagrams per stream and send', 'driver-receive-vector': 'Datagrams per receive call',
    'driver-send-vector': 'Datagrams per send call', egress: 'Egress endpoint', assert: 'Thresholds', stages: 'Stages recorded',
    'memory-delay': 'Delay of the memory transport', 'memory-stall': 'Stall of the memory transport',
    'transport-set': 'Settings of the transport', endpoints: 'Endpoints', count: 'Messages', 'warm-up-count': 'Warm-up messages',
    // Of a search, a sweep, a failover test.
    slo: 'Condition', lowest: 'Minimum rate', highest: 'Maximum rate', resolution: 'Resolution',
    retries: 'Retries of a failed rate', pass: 'Share of fresh runs to pass',
    confirm: 'Confirmation runs', 'confirm-duration': 'Length of a confirmation run', 'later-warm-up': 'Warm-up of later trials',
    pause: 'Pause between runs', repeats: 'Repeats', set: 'Settings of all cells', 'time-limit': 'Time limit',
    cycles: 'Cycles', fault: 'Faults', victim: 'Victims', timeouts: 'Timeouts', 'return-after': 'Victim returns after',
    gap: 'Gap between cycles', limit: 'Recovery time limit', random: 'Faults drawn at random',
    snapshot: 'Snapshot before each fault', for: 'Test length',
    // Of the cluster.
    'echo.hosts': 'Hosts of the members', 'echo.fsync': 'File sync level',
    'echo.write.back': 'Write-back of recordings', 'echo.mtu': 'MTU', 'echo.profile': 'Thread profile',
    'echo.cores': 'Cores of the members', 'echo.compilers': 'Compilers of the members', 'echo.driver': 'Media driver', 'echo.driver.command': 'Command of the driver',
    'echo.driver.c.receive.vector': 'Datagrams per receive call', 'echo.driver.c.send.vector': 'Datagrams per send call',
    'echo.driver.c.messages.per.send': 'Datagrams per stream and send', 'echo.log.term.length': 'Log term length',
    'echo.client.term.length': 'Egress term length', 'echo.heartbeat.timeout': 'Leader heartbeat timeout',
    'echo.heartbeat.interval': 'Leader heartbeat interval', 'echo.election.timeout': 'Election timeout',
    'echo.election.status.interval': 'Election status interval', 'echo.canvass.timeout': 'Startup canvass timeout',
    'echo.session.timeout': 'Session timeout', 'echo.max.sessions': 'Sessions, at most',
    'echo.max.message.length': 'Message length, at most', 'echo.service': 'Clustered service',
    'echo.max.clients': 'Client ids remembered', 'echo.state.length': 'State table',
    'echo.egress.backlog.length': 'Egress backlog per session, at most',
    'echo.insecure': 'Connections without credentials', 'echo.placement': 'Placement', 'echo.fault.filter': 'Fault filter',
    'echo.launch.prefix': 'Launch prefix', 'echo.stages': 'Stages recorded by members',
    'aeron.cluster.appointed.leader.id': 'Appointed leader', peer: 'Peer', 'peer.library': 'Library',
    'peer.guarantees': 'Guarantees', 'peer.tuning': 'Tuning', 'peer.driver': 'Media driver',
    // Of the machine and its JVM.
    hostName: 'Host name', os: 'Kernel', kernel: 'Kernel build', distribution: 'Distribution', architecture: 'Architecture', cpuModel: 'CPU model',
    cpuCount: 'CPUs', cpusOnline: 'CPUs online', sockets: 'Sockets', cores: 'Cores', hyperThreads: 'Hyper-threads',
    numaNodes: 'CPUs of each NUMA node', governor: 'Frequency governor', isolatedCpus: 'Isolated CPUs',
    ticklessCpus: 'Tickless CPUs', kernelParameters: 'Kernel parameters', memoryTotal: 'Memory', clockSource: 'Clock source',
    transparentHugePages: 'Transparent huge pages', timerSlackNs: 'Timer slack', loadAverage: 'Load average before the run',
    rmemMax: 'Socket receive buffer, at most', wmemMax: 'Socket send buffer, at most', hypervisor: 'Virtual machine',
    product: 'Product', network: 'Network', sharedMemory: 'Shared memory', clusterFileSystem: 'File system of the log',
    cpusAllowed: 'CPUs allowed', cpuLimit: 'CPU limit', memoryLimit: 'Memory limit', notRead: 'Unreadable',
    version: 'Version', vendor: 'Vendor', name: 'Name', maxHeapBytes: 'Heap, at most', collectors: 'Garbage collectors',
    arguments: 'Arguments', commit: 'Commit', aeron: 'Aeron', agrona: 'Agrona', hdrhistogram: 'HdrHistogram', java: 'Java',
    'cluster-echo': 'cluster-echo'
};
/** In the list of all keys only: they name places and outputs, or follow from others. */
const MINOR_KEYS = ['label', 'output', 'json', 'json-lines', 'quiet', 'live', 'live-port', 'config', 'base-dir', 'cluster-dir', 'dir',
    'ingress.endpoints', 'echo.base.dir', 'echo.base.port', 'echo.aeron.dir', 'echo.credentials.file', 'echo.metrics', 'echo.delete.data', 'start'];
const BYTE_KEYS = ['size', 'log-length', 'echo.mtu', 'echo.log.term.length', 'echo.client.term.length', 'echo.max.message.length',
    'echo.egress.backlog.length', 'echo.state.length', 'maxHeapBytes', 'rmemMax', 'wmemMax'];
const RATE_KEYS = ['rate', 'lowest', 'highest'];
const SYNC_LEVELS = ['0 (page cache)', '1 (data synced)', '2 (data and metadata synced)'];

function formatBytes(bytes)
{
    for (const [unit, name] of [[1 << 30, 'GiB'], [1 << 20, 'MiB'], [1 << 10, 'KiB']])
    {
        if (bytes >= 4 * unit || bytes >= unit && bytes % unit === 0)
        {
            return Number((bytes / unit).toFixed(1)) + ' ' + name;
        }
    }
    return formatCount(bytes) + ' bytes';
}

function byteCount(text)
{
    const match = /^(\d+)([kmg]?)$/i.exec(text);
    return match ? Number(match[1]) * { '': 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 }[match[2].toLowerCase()] : null;
}

/** Durations are stored in ns, or as they were given ("60s"); sweeps of earlier versions have both units ("6sns"). */
function readable(value)
{
    const match = /^(\d+)(ns|us|ms|s|m|h)(?:ns)?$/.exec(value);
    if (!match)
    {
        return { '': '–', true: 'yes', false: 'no' }[value] || value;
    }
    const timeNs = Number(match[1]) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 }[match[2]];
    const [unit, name] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']].find(([length]) => timeNs % length === 0);
    return formatCount(timeNs / unit) + ' ' + name;
}

function factName(key)
{
    const words = key.replace(/^echo\./, '').replace(/[.-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    return FACTS[key] || words.charAt(0).toUpperCase() + words.slice(1);
}

function factText(key, value)
{
    const text = String(value);
    if (BYTE_KEYS.includes(key) && byteCount(text) !== null)
    {
        return formatBytes(byteCount(text));
    }
    if (RATE_KEYS.includes(key) && /^\d+$/.test(text))
    {
        return formatCount(Number(text)) + ' messages/s';
    }
    if (key === 'echo.fsync')
    {
        return SYNC_LEVELS[text] || text;
    }
    if (key === 'memoryTotal' && /^\d+ kB$/.test(text))
    {
        return formatBytes(1024 * parseInt(text, 10));
    }
    if (key === 'timerSlackNs')
    {
        return readable(text + 'ns');
    }
    if (key === 'resolution')
    {
        return 100 * Number(text) + '%';
    }
    return key === 'commit' || !/^\d{5,}$/.test(text) ? readable(text) : formatCount(Number(text));
}

/** What has no effect: settings of another transport or driver. */
function isIdle(key, values)
{
    return key.startsWith('memory-') && values.transport !== 'memory' ||
        /^driver-(command|dir|.*vector|messages.*)$/.test(key) && values.driver !== 'c' ||
        /^echo\.driver\.c(ommand)?\b/.test(key) && values['echo.driver'] === 'java' ||
        ['unacknowledged', 'resend-after'].includes(key) && values.delivery === 'at-most-once';
}

function facts(title, values)
{
    const all = values || {};
    const order = Object.keys(FACTS);
    const place = (key) => order.includes(key) ? order.indexOf(key) : order.length;
    const entries = Object.entries(all).filter(([key, value]) =>
        !MINOR_KEYS.includes(key) && String(value) !== '' && !isIdle(key, all))
        .sort(([one], [other]) => place(one) - place(other));
    return element('section', null, element('h3', null, title), entries.length === 0 ?
        element('p', { class: 'muted' }, 'not known') :
        table(title, { class: 'facts' }, null, entries.map(([key, value]) => element('tr', null,
            element('th', { scope: 'row' }, factName(key)), element('td', null, factText(key, value))))));
}

/** All keys as they were stored, for programs and for options that have no words here. */
function rawKeys(manifest)
{
    const groups = ['configuration', 'cluster', 'versions', 'machine', 'jvm'].filter((group) => manifest[group]);
    return element('details', { class: 'keys' }, element('summary', null, 'All keys and values as stored'),
        groups.map((group) => [element('p', { class: 'note' }, group), element('pre', null,
            Object.entries(manifest[group]).map(([key, value]) => key + '=' + value).join('\n'))]));
}

// ------------------------------------------------------------------------------------------------------- what differs

function memberCount(manifest)
{
    const hosts = (manifest.cluster || {})['echo.hosts'];
    return hosts ? hosts.split(',').length : undefined;
}

/** Facts that may differ between runs, in the order in which they make names: how to read one, how to name it, its text. */
const DIFFERENCES = [
    ['Peer', (run) => group(run, 'cluster').peer],
    ['Transport', (run) => group(run, 'configuration').transport],
    ['Media driver', (run) => group(run, 'cluster')['echo.driver'], (value) => value + ' driver'],
    ['Members', (run) => memberCount(run.manifest), (value) => plural(value, 'member')],
    ['File sync level', (run) => group(run, 'cluster')['echo.fsync'], (value) => 'fsync ' + value],
    ['Message size', (run) => group(run, 'configuration').size, (value) => value + ' B', (value) => factText('size', value)],
    ['Target rate', (run) => group(run, 'configuration').rate, (value) => (/^\d+$/.test(value) ? formatRate(Number(value)) + '/s' : value),
        (value) => factText('rate', value)],
    ['Sessions', (run) => group(run, 'configuration').connections, (value) => plural(Number(value), 'session')],
    ['Placement', (run) => (run.foreign ? undefined : run.manifest.placement || 'none emulated'),
        (value) => 'placement ' + value.split(':')[0], (value) => value.split(':')[0]],
    ['Fault', (run) => run.failover && faults(run.failover.result), (value) => value],
    ['Victims', (run) => group(run, 'configuration').victim],
    ['Timeouts', (run) => group(run, 'configuration').timeouts, (value) => value.toLowerCase() + ' timeouts'],
    ['Delivery', (run) => group(run, 'configuration').delivery]];
const NAME_PARTS = 4;

function group(run, name)
{
    return run.manifest[name] || {};
}

/** Every fact that is not the same in all runs: name, value of each run, short form for names, form for tables. */
function differingFacts(runs)
{
    const named = DIFFERENCES.map(([name, value, short, text]) => ({
        name, values: runs.map(value), short: short || ((one) => factText('', one)), text: text || ((one) => factText('', one))
    }));
    const covered = ['peer', 'transport', 'echo.driver', 'driver', 'echo.hosts', 'echo.fsync', 'size', 'rate', 'connections',
        'echo.placement', 'victim', 'fault', 'timeouts', 'delivery', 'loadAverage', ...MINOR_KEYS];
    const places = { cluster: '', configuration: '', versions: '', machine: 'Machine: ', jvm: 'JVM: ' };
    const others = Object.keys(places).flatMap((place) => [...new Set(runs.flatMap((run) => Object.keys(group(run, place))))]
        .filter((key) => !covered.includes(key) && !(place === 'machine' && key === 'name') &&
            !runs.some((run) => isIdle(key, group(run, place))))
        .map((key) => ({
            name: places[place] + factName(key), values: runs.map((run) => group(run, place)[key]),
            short: (value) => key === 'transport-set' ? value : factName(key).toLowerCase() + ' ' + factText(key, value),
            text: (value) => factText(key, value)
        })));
    // Most of a foreign result is not known: that is shown elsewhere, and does not count as a difference.
    const isDifferent = (fact) => new Set(fact.values.filter((value, index) =>
        !runs[index].foreign || value !== undefined).map(String)).size > 1;
    const durability = {
        name: 'Durability', values: runs.map((run) => run.manifest.durability), short: (value) => value.split(':')[0],
        text: (value) => value.split(':')[0]
    };
    const hosts = named.find((fact) => fact.name === 'Members');
    const hostNames = {
        name: 'Hosts of the members', values: runs.map((run) => group(run, 'cluster')['echo.hosts']), short: String,
        text: (value) => value.split(',').join(', ')
    };
    return [...named, ...(isDifferent(hosts) ? [] : [hostNames]), durability, ...others].filter(isDifferent);
}

/** Short names by what differs, as many parts as it takes. Runs with the same settings are numbered, or named by their labels. */
function nameByDifference(runs)
{
    const names = runs.map(() => []);
    const distinct = (parts) => new Set(parts.map((one) => one.join())).size;
    for (const fact of differingFacts(runs))
    {
        const next = names.map((parts, index) => fact.values[index] === undefined ? parts :
            [...parts, fact.short(fact.values[index])]);
        if (distinct(next) > distinct(names) && names[0].length < NAME_PARTS && distinct(names) < runs.length)
        {
            next.forEach((parts, index) => { names[index] = parts; });
        }
    }
    const texts = names.map((parts) => parts.join(', '));
    return texts.map((text, index) =>
    {
        const same = runs.filter((_, other) => texts[other] === text);
        const labels = new Set(same.map((run) => run.manifest.label));
        return text === '' ? runs[index].name : same.length === 1 ? text :
            text + (labels.size === same.length ? ', ' + runs[index].name : ' #' + (same.indexOf(runs[index]) + 1));
    });
}

function differences()
{
    const differing = differingFacts(data.runs);
    const cell = (fact, value, index) => element('td', null, value !== undefined ? fact.text(value) :
        data.runs[index].foreign ? 'not known' : 'not set');
    return [
        element('h2', null, 'What differs between the runs'),
        differing.length === 0 ?
            element('p', null, 'Nothing that was recorded: settings, versions, machine and durability are the same.') :
            table('What differs between the runs', { class: 'wide differences' },
                [head(''), ...data.runs.map((run) => head(run.name))],
                differing.map((fact) => element('tr', null, element('th', { scope: 'row' }, fact.name),
                    fact.values.map((value, index) => cell(fact, value, index)))))];
}
