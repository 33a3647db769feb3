/* The same charts of a run that is going on: asked for again and again, and drawn anew when there is more. */
const ASK_EVERY_MS = 1000;

function liveVerdict(run, remark)
{
    const { phase, endS, leader } = run.intervals;
    const last = phase.length - 1;
    const manifest = run.manifest;
    return element('div', { class: 'verdict running', 'data-verdict': run.word, 'data-phase': phase[last] },
        element('div', { class: 'word' }, sign(run) + ' ' + run.word),
        element('p', { class: 'sentence' }, endS[last].toFixed(1) + ' s, ' + phase[last].replace('_', '-') + ': ' +
            formatCount(manifest.ratePerSecondAchieved) + ' of ' + formatCount(manifest.ratePerSecondAsked) +
            ' messages/s in the last interval, ' + formatCount(run.intervals.inFlight[last]) + ' in flight' +
            (leader[last] === '' ? '' : ', led by member ' + leader[last]) + '. Numbers so far are not a result: there is no ' +
            'verdict before all replies are in.'),
        remark ? element('p', { class: 'sentence' }, element('strong', null, remark)) : null);
}

function liveBody(run, remark)
{
    const manifest = run.manifest;
    return [
        element('h1', null, run.name),
        liveVerdict(run, remark),
        manifest.responseTimeNs.count === 0 ? element('p', { class: 'muted' }, 'No measured message has been answered yet.') :
            element('div', null, tiles(run), times(run)),
        element('h2', null, 'Charts'),
        ...(manifest.responseTimeNs.count === 0 ? [] : [curvesOfRun(run), responseAlong(run), heatMap(run)]),
        throughputAlong(run),
        delaysAlong(run),
        element('div', { class: 'columns charts' }, inFlightAlong(run), backPressureAlong(run)),
        element('p', null, element('strong', null, 'Durability: '), manifest.durability),
        element('pre', null, manifest.commandLine)];
}

function showLive(remark)
{
    const report = document.getElementById('report');
    const [top, left] = [window.scrollY, window.scrollX];
    charts.forEach((chart) =>
    {
        chart.observer.disconnect();
        if (chart.instance !== null)
        {
            chart.instance.dispose();
        }
    });
    charts.length = 0;
    if (data.runs.length === 0)
    {
        report.replaceChildren(element('h1', null, 'live'),
            element('p', { class: 'muted' }, remark || 'Waiting for the first interval.'));
        return;
    }
    prepare();
    report.replaceChildren(...liveBody(data.runs[0], remark));
    charts.forEach((chart) => draw(chart, false));
    echarts.connect('run0');
    document.title = data.runs[0].word + ' ' + data.runs[0].name;
    window.scrollTo(left, top);
    root.setAttribute('data-state', 'drawn');
}

async function askAgain(shown)
{
    let answer = shown;
    try
    {
        const response = await fetch('run.json', { cache: 'no-store' });
        answer = await response.text();
    }
    catch (error)
    {
        showLive('The run has ended, or its process has. Its result is in ' +
            (data.runs.length === 0 ? 'its folder' : data.runs[0].manifest.resultFolder) + '.');
        return;
    }
    if (answer !== shown)
    {
        Object.assign(data, JSON.parse(answer));
        showLive('');
    }
    setTimeout(() => askAgain(answer), ASK_EVERY_MS);
}

followCircumstances();
if (data.live)
{
    showLive('');
    askAgain('');
}
else
{
    page();
    root.setAttribute('data-state', 'drawn');
}
