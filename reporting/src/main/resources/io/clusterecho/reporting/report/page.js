/* The page as a whole. */
const OPEN_RUN_COUNT = 3;

function runBody(run)
{
    if (run.foreign)
    {
        return foreignBody(run);
    }
    const load = [
        ...why(run),
        ...whereTimeGoes(run),
        ...slowestMessages(run),
        element('div', { class: 'columns numbers' }, times(run), accounts(run)),
        ...kindsOfMessages(run),
        ...receiversOfRun(run),
        element('h2', null, 'Charts'),
        ...chartsOfRun(run)];
    return (run.failover ? [
        ...failoverBody(run),
        element('h2', null, 'All messages'),
        element('details', { class: 'load' },
            element('summary', null, 'Accounts, percentiles and charts of all messages, including outages'),
            demote(element('div', null, tiles(run), ...load))),
        circumstances(run)
    ] : [verdict(run), ...load, circumstances(run)]).flat();
}

function chartsOfRun(run)
{
    if (run.intervals.beginS.length === 0)
    {
        return [curvesOfRun(run), element('p', { class: 'note' },
            'This folder has no intervals.csv, so there are no charts over time.')];
    }
    return [
        curvesOfRun(run),
        responseAlong(run),
        ...churnAlong(run),
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
        const number = (value, text, isBad) => element('td', {
            class: 'number' + (isBad ? ' bad' : ''), 'data-sort': value === undefined ? '' : value }, text);
        const warnings = run.failover && run.failover.result.verdict.warnings || manifest.verdict.warnings;
        return element('tr', null,
            element('th', { scope: 'row' }, runSwatch(run), element('a', { href: '#run' + run.index }, run.shortName),
                run.shortName === run.name ? null : element('div', { class: 'note' }, run.name)),
            element('td', null, badge(run)),
            number(warnings.length, formatCount(warnings.length)),
            number(manifest.ratePerSecondAsked, known(manifest.ratePerSecondAsked)),
            number(manifest.ratePerSecondAchieved, known(manifest.ratePerSecondAchieved)),
            number(run.lost, run.foreign ? 'not known' : formatCount(run.lost), run.lost > 0),
            PERCENTILES.map((name) => number(manifest.responseTimeNs[name], formatTime(manifest.responseTimeNs, name))));
    });
    return [
        element('h2', null, 'Runs'),
        sortable(table('Runs', { class: 'wide' }, [head('run'), head('verdict'), numberHead('warnings'), numberHead('target/s'),
            numberHead('achieved/s'), numberHead('no reply'), ...PERCENTILES.map(numberHead)], rows)),
        element('p', { class: 'note' }, 'Percentiles of the response time. Runs are named by what differs between them, with the ' +
            'label below. Click a heading to sort.')];
}

function runSwatch(run)
{
    return element('span', { class: 'swatch block', style: 'color:' + runColor(run.index, data.runs.length) });
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
        ...data.runs.map((run) => element('details', {
            class: 'run', id: 'run' + run.index, open: data.runs.length <= OPEN_RUN_COUNT ? '' : null
        }, element('summary', null, summaryHeading(run, run.shortName === run.name ? run.name :
            run.shortName + ' (' + run.name + ')')),
        demote(element('div', null, topFacts(run.manifest), ...runBody(run))))));
}

function summaryHeading(one, name)
{
    return element('h2', { 'data-short': (one.shortName || one.name) + (one.look === 'good' ? '' : ' (' + one.word + ')') },
        badge(one), ' ' + name);
}

function page()
{
    prepare();
    const report = document.getElementById('report');
    report.replaceChildren();
    const several = documents();
    if (data.trend)
    {
        trendPage(report);
    }
    else if (data.results)
    {
        indexPage(report);
    }
    else if (data.runs.length + several.length === 1)
    {
        const [single] = several.length === 1 ? several : data.runs.map((run) => ({ one: run, body: () => runBody(run) }));
        report.append(element('header', { class: 'page-top' }, element('h1', null, single.one.name),
            topFacts(single.one.manifest)), ...single.body());
    }
    else
    {
        report.append(
            element('header', { class: 'page-top' },
                element('h1', null, data.runs.length + several.length + (several.length === 0 ? ' runs' : ' results'))),
            ...several.map(({ one, id, body }) => element('details', { class: 'run', id, open: '' },
                element('summary', null, summaryHeading(one, one.name)),
                demote(element('div', null, topFacts(one.manifest), ...body())))));
        runs(report);
    }
    contents(report);
    report.append(element('footer', null, 'Written by cluster-echo. This file contains everything it shows and fetches nothing. ' +
        'Charts: Apache ECharts ' + echarts.version + ', Apache License 2.0.'));

    charts.forEach((chart) => draw(chart, false));
    data.runs.forEach((run) => echarts.connect('run' + run.index));
    openLinked();
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

followCircumstances();
page();
root.setAttribute('data-state', 'drawn');
