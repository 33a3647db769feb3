/* The page as a whole. */
const OPEN_RUN_COUNT = 3;

function runBody(run)
{
    if (run.foreign)
    {
        return foreignBody(run);
    }
    const load = [
        tiles(run),
        ...why(run),
        ...whereTimeGoes(run),
        element('div', { class: 'columns' }, times(run), accounts(run)),
        element('h2', null, 'Charts'),
        ...chartsOfRun(run)];
    return (run.failover ? [
        ...failoverBody(run),
        element('h2', null, 'The load as a whole'),
        element('details', { class: 'load' },
            element('summary', null, 'Accounts, percentiles and charts of all messages, outages included'), load),
        circumstances(run)
    ] : [verdict(run), ...load, circumstances(run)]).flat();
}

function chartsOfRun(run)
{
    if (run.intervals.beginS.length === 0)
    {
        return [curvesOfRun(run), element('p', { class: 'note' },
            'This folder has no intervals.csv: there is nothing to draw along the time.')];
    }
    return [
        curvesOfRun(run),
        responseAlong(run),
        heatMap(run),
        throughputAlong(run),
        delaysAlong(run),
        element('div', { class: 'columns charts' }, inFlightAlong(run), backPressureAlong(run)),
        ...countersAlong(run)];
}

function known(value)
{
    return value === undefined ? '–' : formatCount(value);
}

function overview()
{
    const rows = data.runs.map((run) =>
    {
        const manifest = run.manifest;
        const time = (name) => element('td', { class: 'number' }, formatNs(manifest.responseTimeNs[name]));
        return element('tr', null,
            element('th', { scope: 'row' },
                element('span', { class: 'swatch', style: 'background:' + runColor(run.index, data.runs.length) }),
                element('a', { href: '#run' + run.index }, run.name)),
            element('td', null, badge(run)),
            element('td', { class: 'number' }, known(manifest.ratePerSecondAsked)),
            element('td', { class: 'number' }, known(manifest.ratePerSecondAchieved)),
            element('td', { class: 'number' + (run.lost > 0 ? ' bad' : '') }, run.foreign ? 'not known' : formatCount(run.lost)),
            PERCENTILES.map(time));
    });
    return [
        element('h2', null, 'Runs'),
        table({ class: 'wide' }, [head('run'), head('verdict'), numberHead('asked/s'), numberHead('achieved/s'),
            numberHead('no reply'), ...PERCENTILES.map(numberHead)], rows),
        element('p', { class: 'note' }, 'Percentiles of the response time.')];
}

/** What a reader must know before holding one run against another. */
function differences()
{
    const groups = ['configuration', 'cluster', 'versions', 'machine', 'jvm'];
    const keys = groups.flatMap((group) =>
        [...new Set(data.runs.flatMap((run) => Object.keys(run.manifest[group] || {})))].map((key) => [group, key]));
    const value = (run, [group, key]) => (run.manifest[group] || {})[key];
    // Of a foreign result most is not known: that is said of it elsewhere, and is no difference.
    const known = (key) => data.runs.filter((run) => !run.foreign || value(run, key) !== undefined);
    const differing = keys.filter((key) => !['label', 'output', 'loadAverage', 'name'].includes(key[1]) &&
        new Set(known(key).map((run) => value(run, key))).size > 1);
    const durabilities = new Set(data.runs.map((run) => run.manifest.durability));
    // Results that do not say are older than emulation.
    const placements = data.runs.map((run) => run.manifest.placement || 'none emulated');
    const row = (name, values) => element('tr', null, element('th', { scope: 'row' }, name),
        values.map((one, index) => element('td', null, one !== undefined ? readable(one) :
            data.runs[index].foreign ? 'not known' : 'not set')));
    return [
        element('h2', null, 'What differs between them'),
        differing.length === 0 && durabilities.size === 1 && new Set(placements).size === 1 ?
            element('p', null, 'Nothing that was recorded: settings, versions, machine and durability are the same.') :
            table({ class: 'wide differences' }, [head(''), ...data.runs.map((run) => head(run.name))], [
                durabilities.size > 1 ? row('durability', data.runs.map((run) => run.manifest.durability.split(':')[0])) : null,
                new Set(placements).size > 1 ? row('placement', placements.map((text) => text.split(':')[0])) : null,
                ...differing.map((key) => row(key.join(' '), data.runs.map((run) => value(run, key))))].filter((one) => one))];
}

/** Results that are not one run: each with its body, in the order of the page. */
function documents()
{
    prepareDocuments(data.sweeps);
    prepareDocuments(data.searches);
    prepareDocuments(data.suites);
    prepareDocuments(data.baselines);
    return [
        ...data.suites.map((suite) => ({ one: suite, id: 'suite' + suite.index, body: () => suiteBody(suite) })),
        ...data.sweeps.map((sweep) => ({ one: sweep, id: 'sweep' + sweep.index, body: () => sweepBody(sweep) })),
        ...data.searches.map((search) => ({ one: search, id: 'search' + search.index, body: () => searchBody(search) })),
        ...data.baselines.map((one) => ({ one, id: 'baseline' + one.index, body: () => baselineBody(one) }))];
}

function runs(report)
{
    if (data.runs.length === 0)
    {
        return;
    }
    report.append(
        ...overview(),
        ...failoversSideBySide(data.runs.filter((run) => run.failover)),
        curvesOfAll('response', 'Response time by percentile'),
        data.runs.some((run) => (run.curves.service || []).length > 0) ? curvesOfAll('service', 'Service time by percentile') : '',
        ...differences(),
        element('h2', null, 'Each run'),
        ...data.runs.map((run) => element('details', {
            class: 'run', id: 'run' + run.index, open: data.runs.length <= OPEN_RUN_COUNT ? '' : null
        }, element('summary', null, badge(run), ' ' + run.name), ...runBody(run))));
    report.querySelectorAll('a[href^="#run"]').forEach((link) => link.addEventListener('click', () =>
    {
        document.querySelector(link.getAttribute('href')).open = true;
    }));
}

function page()
{
    prepare();
    const report = document.getElementById('report');
    const several = documents();
    if (data.runs.length + several.length === 1)
    {
        const [single] = several.length === 1 ? several : data.runs.map((run) => ({ one: run, body: () => runBody(run) }));
        report.append(element('h1', null, single.one.name), ...single.body());
    }
    else
    {
        report.append(
            element('h1', null, data.runs.length + several.length + (several.length === 0 ? ' runs' : ' results')),
            ...several.map(({ one, id, body }) => element('details', { class: 'run', id, open: '' },
                element('summary', null, badge(one), ' ' + one.name), ...body())),
            ...besidePublished());
        runs(report);
    }
    report.append(element('footer', null, 'Written by cluster-echo. This file holds all that it shows and fetches nothing. ' +
        'Charts: Apache ECharts ' + echarts.version + ', Apache License 2.0.'));

    charts.forEach((chart) => draw(chart, false));
    data.runs.forEach((run) => echarts.connect('run' + run.index));
}

function redrawAll()
{
    charts.forEach((chart) => draw(chart, true));
}

function followCircumstances()
{
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
    let closed = [];
    window.addEventListener('beforeprint', () =>
    {
        closed = [...document.querySelectorAll('details:not([open])')];
        closed.forEach((node) => { node.open = true; });
        root.classList.add('on-paper');
        redrawAll();
    });
    window.addEventListener('afterprint', () =>
    {
        closed.forEach((node) => { node.open = false; });
        root.classList.remove('on-paper');
        redrawAll();
    });
}

