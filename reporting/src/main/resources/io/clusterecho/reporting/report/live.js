/* The same charts of a run in progress: polled each second, and drawn again when there is more. */
const POLL_INTERVAL_MS = 1000;
const MAX_FAILED_POLLS = 5;
const DISPOSE_AFTER_MS = 5000;

function liveVerdict(run, remark)
{
    const { phase, endS, leader } = run.last;
    const manifest = run.manifest;
    const response = manifest.responseTimeNs;
    const node = verdictBlock(run, {
        sentence: endS.toFixed(1) + ' s, ' + phase.replace('_', '-') + ': ' +
            formatCount(manifest.ratePerSecondAchieved) + ' of ' + formatCount(manifest.ratePerSecondAsked) +
            ' messages/s in the last interval, ' + formatCount(run.last.inFlight) + ' in flight' +
            (leader === '' ? '' : ', leader is member ' + leader) + '.' + (run.look === 'ended' ? '' :
            ' Numbers so far are not a result: there is no verdict before all replies are in.'),
        tiles: response.count === 0 ? null : tiles(run),
        extra: remark ? element('p', { class: 'sentence remark', role: 'status' }, element('strong', null, remark)) : null
    });
    node.dataset.phase = phase;
    return node;
}

function liveBody(run, remark)
{
    const manifest = run.manifest;
    return [
        element('header', { class: 'page-top' }, element('h1', null, run.name)),
        liveVerdict(run, remark),
        manifest.responseTimeNs.count === 0 ? element('p', { class: 'muted' }, 'No measured message has been answered yet.') :
            times(run),
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
            // Not at once: the library may still have a frame to paint.
            setTimeout(() => chart.instance.dispose(), DISPOSE_AFTER_MS);
        }
    });
    charts.length = 0;
    if (data.runs.length === 0)
    {
        report.replaceChildren(element('header', { class: 'page-top' }, element('h1', null, 'Live charts')),
            element('p', { class: 'muted', role: 'status' }, remark || 'Waiting for the first interval.'));
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

function ended(remark)
{
    data.runs.forEach((run) => { run.manifest.verdict.label = 'ENDED'; });
    showLive(remark);
    root.setAttribute('data-live', 'ended');
}

/** The server says when the run ends; then polling stops. It also stops when the server no longer answers. */
async function poll(shown, failedCount)
{
    let answer;
    try
    {
        const response = await fetch('run.json', { cache: 'no-store' });
        answer = await response.text();
    }
    catch (error)
    {
        if (failedCount + 1 < MAX_FAILED_POLLS)
        {
            setTimeout(() => poll(shown, failedCount + 1), POLL_INTERVAL_MS);
            return;
        }
        restart(shown);
        ended('The load client no longer answers: the run has ended, or its process has. This page has stopped polling.');
        return;
    }
    if (answer !== shown)
    {
        restart(answer);
        if (data.ended)
        {
            ended('The run has ended. Its verdict and report are in ' + data.ended + '. This page has stopped polling.');
            return;
        }
        showLive('');
    }
    setTimeout(() => poll(answer, 0), POLL_INTERVAL_MS);
}

/** Drawing changes the data: each time it begins with what the server sent. */
function restart(answer)
{
    if (answer !== '')
    {
        Object.assign(data, JSON.parse(answer));
    }
}

followCircumstances();
if (data.live)
{
    showLive('');
    poll('', 0);
}
else
{
    page();
    root.setAttribute('data-state', 'drawn');
}
