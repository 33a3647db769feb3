/* Results of many folders: tables of runs, searches and failover tests, with filters by machine and settings. */
const NOT_KNOWN = 'not known';
/** What the rows can be filtered by, and what a result has of it. */
const INDEX_FILTERS = [
    ['Machine', (run) => ['product', 'cpuModel'].map((key) => group(run, 'machine')[key])
        .filter((name) => name && !/^(could not|not t.ld|unknown)/.test(name)).join(', ')],
    ['Cores', (run) => group(run, 'machine').cpuCount],
    ['Thread profile', (run) => group(run, 'cluster')['echo.profile']],
    ['File sync level', (run) => group(run, 'cluster')['echo.fsync']],
    // Members of earlier versions had no other driver; of a peer's it is known where it was set.
    ['Media driver', (run) => group(run, 'cluster')['echo.driver'] || (memberCount(run.manifest) ? 'java' :
        (/(?:^|,)peer\.driver=(\w+)/.exec(group(run, 'configuration')['transport-set']) || [])[1])]];
const INDEX_SETTINGS = {
    'Members': (run) => memberCount(run.manifest),
    'Message size': (run) => group(run, 'configuration').size,
    'Target/s': (run) => group(run, 'configuration').rate,
    'Condition': (run) => run.manifest.slo || group(run, 'configuration').slo,
    'Fault': (run) => group(run, 'configuration').fault,
    'Victim': (run) => group(run, 'configuration').victim
};
const responseTime = (percentile) => (run) => (run.manifest.responseTimeNs || {})[percentile];
/** By kind: heading, settings with a column, and metrics with their units. */
const INDEX_TABLES = {
    run: ['Runs', ['Members', 'Message size', 'Target/s'], [
        ...['p50', 'p99', 'p99.9'].map((name) => [name, 'ns', responseTime(name)]),
        ['achieved/s', 'perSecond', (run) => run.manifest.ratePerSecondAchieved]]],
    'max-rate': ['Highest rates', ['Members', 'Message size', 'Condition'],
        [['highest rate', 'perSecond', (run) => (run.manifest.answer || {}).ratePerSecond]]],
    failover: ['Failover tests', ['Members', 'Fault', 'Victim', 'Target/s'],
        // An outage that the test did not notice is as long as what it could not notice.
        [['median outage', 'ns', ({ manifest }) => (!manifest.outageNs || !manifest.outageNs.count ? undefined :
            Math.max(manifest.outageNs.median, manifest.outageResolutionNs || 0))]]]
};
/** Differs between results that repeat one another. */
const NOT_A_SETTING = [...MINOR_KEYS, 'seed', 'assert', 'threads', 'started-in', 'class-path', 'junit', 'commit', 'aeron-dir', 'loadAverage', 'notRead', 'hostName'];

/** Without what all links begin with. */
function indexFolders(results)
{
    const paths = results.map((result) => decodeURIComponent(result.link).split('/'));
    const isShared = (at) => paths.every((path) => at < path.length - 1 && path[at] === paths[0][at]);
    const shared = paths.length === 0 ? 0 : paths[0].findIndex((_, at) => !isShared(at));
    return results.map((result, index) => ({
        ...result, folder: paths[index][shared], folderLink: result.link.split('/').slice(0, shared + 1).join('/')
    }));
}

/** Results that repeat one another: of one folder, with the same settings, machine, versions and day. */
function repeats(results)
{
    const groups = new Map();
    results.forEach((result) =>
    {
        const { manifest } = result;
        const settings = ['configuration', 'cluster', 'machine', 'jvm'].map((place) => Object.entries(group(result, place))
            .filter(([key]) => !NOT_A_SETTING.includes(key)).sort());
        const key = JSON.stringify([result.folder, result.kind, manifest.start.slice(0, 10),
            Object.entries(group(result, 'versions')).sort(), manifest.durability, manifest.placement, manifest.accounts, settings]);
        groups.set(key, [...(groups.get(key) || []), result]);
    });
    return [...groups.values()];
}

/** The median by the nearest rank, as in the documents, of the good results; null if none has the metric. */
function indexValue(results, of)
{
    const values = results.filter((one) => one.manifest.verdict.good).map(of).filter((value) => value > 0)
        .sort((one, other) => one - other);
    return values.length === 0 ? null :
        { median: values[Math.ceil(values.length / 2) - 1], low: values[0], high: values[values.length - 1] };
}

function factOf(of, result)
{
    return String(of(result) || NOT_KNOWN);
}

function settingText(setting, value)
{
    return value === undefined ? '–' : setting === 'Target/s' && /^\d+$/.test(value) ? formatCount(Number(value)) :
        setting === 'Message size' ? factText('size', value) : String(value);
}

function metricCell(unit, value)
{
    return value === null ? noCell() : element('td', { class: 'number', 'data-value': value.median, title: value.median },
        formatTrend(unit, value.median), value.low === value.high ? null : element('div', { class: 'note' }, unit === 'ns' ?
            formatBounds([value.low, value.high]) : formatCount(value.low) + ' – ' + formatCount(value.high)));
}

function indexRow(results, name, settings, metrics)
{
    const [first] = results;
    const goodCount = results.filter((one) => one.manifest.verdict.good).length;
    const labels = [...new Set(results.map((one) => one.manifest.verdict.label))];
    const [look, sign] = goodCount === 0 ? ['failed', '✗ '] :
        goodCount < results.length || labels[0] !== 'GOOD' || labels.length > 1 ? ['partial', '◐ '] : ['good', '✓ '];
    return element('tr', null,
        element('th', { scope: 'row' }, element('a', { href: first.folderLink }, first.folder),
            name === '' ? null : element('div', { class: 'note' }, name)),
        INDEX_FILTERS.map(([, of]) => element('td', null, factOf(of, first))),
        settings.map((setting) => element('td', { class: 'setting' }, settingText(setting, INDEX_SETTINGS[setting](first)))),
        metrics.map(([, unit, of]) => metricCell(unit, indexValue(results, of))),
        element('td', { 'data-value': goodCount / results.length }, element('span', { class: 'badge ' + look },
            sign + labels.join(', ')), element('div', { class: 'note' }, goodCount + ' of ' + results.length + ' good')),
        element('td', { class: 'value' }, first.manifest.start.slice(0, 10),
            element('div', { class: 'note' }, group(first, 'versions').commit || '')));
}

/** A choice for each fact; without one all rows are shown. */
function indexFilters(rows)
{
    const status = element('p', { class: 'note', role: 'status' });
    const filters = INDEX_FILTERS.map(([name, of]) =>
    {
        const values = [...new Set(rows.map(({ result }) => factOf(of, result)))]
            .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
        return { name, of, select: element('select', null, element('option', { value: '' }, 'all'),
            values.map((value) => element('option', { value }, value))) };
    });
    const show = () =>
    {
        rows.forEach(({ result, node }) =>
        {
            node.hidden = filters.some(({ of, select }) => select.value !== '' && select.value !== factOf(of, result));
        });
        status.textContent = rows.filter(({ node }) => !node.hidden).length + ' of ' + plural(rows.length, 'row') + ' shown.';
    };
    filters.forEach(({ select }) => select.addEventListener('change', show));
    show();
    return [element('div', { class: 'filters' }, filters.map(({ name, select }) => element('label', null, name, select))), status];
}

/** The rows of a kind, named by what differs within their folder. */
function indexTable(kind, results)
{
    const [title, settings, metrics] = INDEX_TABLES[kind];
    const shown = [...INDEX_FILTERS.map(([name]) => name), ...settings, 'Target rate', 'Fault', 'Victims', 'Durability',
        ...NOT_A_SETTING.map(factName)];
    const rows = repeats(results).map((own) => ({ own, result: own[0] }));
    rows.forEach((row) =>
    {
        const beside = rows.filter(({ result }) => result.folder === row.result.folder);
        const differing = differingFacts(beside.map(({ result }) => result))
            .filter(({ name }) => !shown.includes(name) && !name.startsWith('Machine: '));
        const at = beside.indexOf(row);
        const name = [...new Set(differing.map((fact) => fact.values[at] === undefined ? '' : fact.short(fact.values[at])))]
            .filter((part) => part !== '').slice(0, NAME_PARTS);
        const isUnconfirmed = row.own.some(({ manifest: { answer } }) => answer && !answer.confirmed);
        const notes = isUnconfirmed ? [...name, 'not confirmed'] : name;
        row.node = indexRow(row.own, notes.join(', '), settings, metrics);
    });
    return { rows, nodes: [element('h2', null, title), sortable(table(title, { class: 'wide' }, [
        head('result'), ...INDEX_FILTERS.map(([name]) => head(name)), ...settings.map(head),
        ...metrics.map(([name]) => numberHead(name)), head('verdict'), head('day, commit')], rows.map(({ node }) => node)))] };
}

function indexPage(report)
{
    const { unreadable, notes } = data.results;
    const results = indexFolders(data.results.results);
    const tables = Object.keys(INDEX_TABLES).map((kind) => [kind, results.filter((result) => result.kind === kind)])
        .filter(([, own]) => own.length > 0).map(([kind, own]) => indexTable(kind, own));
    report.append(
        element('header', { class: 'page-top' }, element('h1', null, 'Results'), element('p', null,
            'A row has the results of a folder that repeat one another, with the same settings, versions and day. Its values are ' +
            'medians over the good ones, with their range below. Compare rows of one load only. Click a heading to sort.')),
        ...indexFilters(tables.flatMap(({ rows }) => rows)),
        ...tables.flatMap(({ nodes }) => nodes),
        ...(unreadable.length + notes.length === 0 ? [] : [element('h2', null, 'Without a row'),
            element('ul', null, [...unreadable, ...notes].map((text) => element('li', null, text)))]));
}
