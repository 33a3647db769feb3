/* A search for the highest rate: its answer, the knee curve and its runs. */
const KNEE = [['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p99-9'], ['p99.99', 'p99-99']];
/** A p99 of more than this many times the lowest one is beyond the knee. */
const KNEE_FACTOR = 2;

/** Results of several runs: named and judged as runs are. */
function prepareDocuments(documents)
{
    documents.forEach((one, index) =>
    {
        one.index = index;
        one.name = one.manifest.label;
        one.word = one.manifest.verdict.label;
        one.look = { GOOD: 'good', 'CLIENT-LIMITED': 'partial', PARTIAL: 'partial' }[one.word] || 'failed';
        one.reasons = one.manifest.verdict.reasons;
        one.warnings = one.manifest.verdict.warnings;
    });
}

function documentVerdict(one, sentence, tilesNode)
{
    return verdictBlock(one, {
        sentence, chips: [warningChip(one.warnings)], tiles: tilesNode, reasons: one.reasons, warnings: one.warnings
    });
}

function isTimeMetric(metric)
{
    return /^((service|delay|lateness|stall)\.)?(p[0-9.]+|min|mean|max)$/.test(metric);
}

function formatMetric(metric, value)
{
    return isTimeMetric(metric) ? formatNs(value) : metric === 'rate' ? formatShare(value) : formatCount(value);
}

/** The answer in a sentence; documents of earlier versions have counts only. */
function searchVerdict(search)
{
    const { answer } = search.manifest;
    return documentVerdict(search, (answer.sentence || formatCount(answer.ratePerSecond) + ' messages/s, ' + answer.status +
        ': ' + answer.runsHeldAtRate + ' of ' + plural(answer.runsAtRate, 'run') + ' at that rate met the condition') + '.',
    searchTiles(search));
}

function searchTiles(search)
{
    const { answer, limit } = search.manifest;
    const isKnown = answer.ratePerSecond > 0;
    return element('div', { class: 'tiles' },
        tile(answer.confirmed || answer.status === 'confirmed' ? 'highest rate' : 'rate, not confirmed',
            isKnown ? formatCount(answer.ratePerSecond) : '–', 'messages/s'),
        tile('failed at', answer.brokenRatePerSecond === 0 ? '–' : formatCount(answer.brokenRatePerSecond),
            answer.brokenSentence || 'messages/s'),
        tile('limited by', limit.by, limit.by === 'client' ? 'not by the cluster' : ''),
        tile('runs', formatCount(answer.runs), ''),
        answer.spread.slice(0, 2).map((spread) => tile(spread.metric + ' at the rate',
            isKnown ? formatMetric(spread.metric, spread.median) : '–',
            isKnown ? 'median of ' + plural(answer.runsAtRate, 'run') + ', ' + formatMetric(spread.metric, spread.min) + ' to ' +
                formatMetric(spread.metric, spread.max) : '')));
}

/** A logarithmic axis of rates, with its name. */
function rateAxis(rates, named = nameBelow('target rate, messages/s (log scale)'))
{
    const min = Math.min(...rates) / 1.15;
    const max = Math.max(...rates) * 1.15;
    const ticks = [];
    for (let decade = Math.pow(10, Math.floor(Math.log10(min))); decade <= max; decade *= 10)
    {
        ticks.push(...(max / min > 200 ? [1] : max / min > 10 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7])
            .map((step) => step * decade).filter((tick) => tick >= min && tick <= max));
    }
    return axis({
        type: 'log', min, max,
        axisTick: { customValues: ticks, lineStyle: { color: color('muted') } },
        axisLabel: { color: color('muted'), customValues: ticks, formatter: formatRate },
        ...named
    });
}

function formatRate(rate)
{
    return rate >= 1e6 ? Number((rate / 1e6).toPrecision(3)) + 'M' : rate >= 1e3 ? Number((rate / 1e3).toPrecision(3)) + 'k' :
        String(Math.round(rate));
}

/** The median by the nearest rank. */
function median(values)
{
    const sorted = values.slice().sort((one, other) => one - other);
    return sorted[Math.ceil(sorted.length / 2) - 1];
}

/** The median over the runs of each rate that have the value. */
function overRates(steps, value)
{
    const byRate = new Map();
    steps.filter((step) => !Number.isNaN(value(step) ?? NaN)).forEach((step) =>
        byRate.set(step.ratePerSecondAsked, [...(byRate.get(step.ratePerSecondAsked) || []), value(step)]));
    return [...byRate].sort((one, other) => one[0] - other[0]).map(([rate, values]) => [rate, median(values)]);
}

function rateMarks(search)
{
    const answer = search.manifest.answer;
    const lines = answer.spread.filter((spread) => isTimeMetric(spread.metric) && !spread.metric.includes('.p'))
        .map((spread) => ({ yAxis: spread.limit, name: spread.condition }));
    return {
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('limit'), type: 'dashed' },
            label: { color: color('muted'), formatter: (item) => item.name, position: 'insideStartTop', fontSize: 11 },
            data: lines
        }
    };
}

function answerMark(search)
{
    const rate = search.manifest.answer.ratePerSecond;
    return rate === 0 ? {} : {
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('good'), width: 2 },
            label: { color: color('muted'), formatter: formatRate(rate) + '/s', fontSize: 11 }, data: [{ xAxis: rate }]
        }
    };
}

/**
 * The highest rate up to which the median p99 of each rate is at most twice the lowest of them; null if that is all of them, or
 * if there are fewer than three rates.
 */
function kneeRate(steps)
{
    const p99 = overRates(steps, (step) => step.responseTimeNs.p99);
    const limit = KNEE_FACTOR * Math.min(...p99.map(([, value]) => value));
    const first = p99.findIndex(([, value]) => value > limit);
    return p99.length < 3 || first < 1 ? null : p99[first - 1][0];
}

function kneeMark(rate)
{
    return rate === null ? {} : {
        markLine: {
            silent: true, symbol: 'none', lineStyle: { color: color('muted'), type: 'dotted', width: 2 },
            label: { color: color('muted'), formatter: 'knee', fontSize: 11, position: 'insideEndTop' }, data: [{ xAxis: rate }]
        }
    };
}

/** The 95% bounds of each run's percentile; results of earlier versions have none. */
function boundsSeries(steps, [key, name], index)
{
    return {
        name: key, type: 'custom', color: color(name), renderItem: whisker, silent: true, tooltip: { show: false },
        data: steps.filter((step) => boundsOf(step.responseTimeNs, key)).map((step) => [
            step.ratePerSecondAsked, ...boundsOf(step.responseTimeNs, key).map((value) => Math.max(1, value)),
            5 * (index - (KNEE.length - 1) / 2)])
    };
}

function knee(search)
{
    const steps = search.manifest.steps;
    const rates = steps.map((step) => step.ratePerSecondAsked);
    const bounds = KNEE.flatMap(([key]) => steps.flatMap((step) => boundsOf(step.responseTimeNs, key) || []));
    const atKnee = kneeRate(steps);
    const point = (isHeld, key, name) => ({
        name: key, type: 'scatter', symbol: isHeld ? 'circle' : 'emptyCircle', symbolSize: 6, color: color(name), silent: true,
        data: steps.filter((step) => step.held === isHeld && step.responseTimeNs[key] !== undefined)
            .map((step) => [step.ratePerSecondAsked, Math.max(1, step.responseTimeNs[key])])
    });
    return figure({
        name: 'knee', title: 'Knee curve', mark: mark(search),
        note: 'Response time by target rate. A line joins the medians of the runs at each rate. Each run is a dot: filled if ' +
            'it met the condition, hollow if it failed.' + (bounds.length > 0 ? ' Whiskers: the 95% bounds of a run.' : '') +
            (atKnee === null ? '' : ' Knee, at ' + formatCount(atKnee) + '/s: up to there the median p99 is at most ' +
            KNEE_FACTOR + ' times the lowest.'),
        option: () => ({
            grid: { left: 56, right: 20, top: 26, bottom: 44 },
            tooltip: tooltip(formatNs, (rate) => 'target ' + formatCount(rate) + '/s'),
            xAxis: rateAxis(rates),
            yAxis: timeAxis([...bounds, ...KNEE.flatMap(([key]) => steps.map((step) => step.responseTimeNs[key] ?? null)),
                ...rateMarks(search).markLine.data.map((line) => line.yAxis)]),
            series: [
                ...KNEE.map(([key, name], index) => Object.assign({
                    name: key, type: 'line', color: color(name), showSymbol: false, lineStyle: { width: 2 },
                    data: overRates(steps, (step) => Math.max(1, step.responseTimeNs[key]))
                }, index === 0 ? answerMark(search) : index === 1 ? rateMarks(search) : index === 2 ? kneeMark(atKnee) : {})),
                ...KNEE.map((one, index) => boundsSeries(steps, one, index)),
                ...KNEE.flatMap(([key, name]) => [point(true, key, name), point(false, key, name)])]
        })
    });
}

function shares(search)
{
    const steps = search.manifest.steps;
    const series = (name, lineColor, value) => ({
        name, type: 'line', color: color(lineColor), showSymbol: true, symbolSize: 5, lineStyle: { width: 1.6 },
        data: overRates(steps, value)
    });
    return figure({
        name: 'rate-shares', title: 'Achieved rate and send delay', isLow: true, mark: mark(search),
        note: 'Achieved rate as a share of the target; and send delay as a share of the mean response time. Where the send ' +
            'delay is large and offers met little back pressure, the client was the limit.',
        option: () => ({
            grid: { left: 56, right: 20, top: 26, bottom: 44 },
            tooltip: tooltip(formatShare, (rate) => 'target ' + formatCount(rate) + '/s'),
            xAxis: rateAxis(steps.map((step) => step.ratePerSecondAsked)),
            yAxis: axis({
                type: 'value', min: 0, max: 1, interval: 0.25, ...nameAbove('share'),
                axisLabel: { color: color('muted'), formatter: (value) => 100 * value + '%' }
            }),
            series: [
                Object.assign(series('achieved', 'answered',
                    (step) => step.ratePerSecondAchieved / step.ratePerSecondAsked), answerMark(search)),
                series('send delay', 'delay', (step) => step.sendDelayShare)]
        })
    });
}

function stepTable(search)
{
    const steps = search.manifest.steps.map((step, index) => ({ step, pointer: '/steps/' + index }));
    steps.sort((one, other) => one.step.ratePerSecondAsked - other.step.ratePerSecondAsked || one.step.step - other.step.step);
    const rows = steps.map(({ step, pointer }) => element('tr', null,
        pointerCell(pointer + '/ratePerSecondAsked', step.ratePerSecondAsked, formatCount(step.ratePerSecondAsked)),
        element('td', null, element('span', { class: 'badge ' + (step.held ? 'good' : 'neutral') },
            step.held ? '✓ met' : '✗ not met')),
        pointerCell(pointer + '/ratePerSecondAchieved', step.ratePerSecondAchieved, formatCount(step.ratePerSecondAchieved)),
        [...KNEE.map(([key]) => key), 'max'].map((key) =>
            pointerCell(pointer + '/responseTimeNs/' + key, step.responseTimeNs[key], formatTime(step.responseTimeNs, key))),
        pointerCell(pointer + '/sendDelayShare', step.sendDelayShare, formatShare(step.sendDelayShare)),
        pointerCell(pointer + '/neverSent', step.neverSent, formatCount(step.neverSent), step.neverSent > 0),
        element('td', { class: 'remark' },
            element('a', { href: search.folderLink.replace(/\/$/, '') + '/' + encodeURI(step.folder) },
                '#' + step.step + ' ' + step.purpose),
            step.verdict.reasons.map((reason) => element('div', null, reason)))));
    return [
        sortable(table('Runs by rate', { class: 'wide' }, [numberHead('target/s'), head('condition'), numberHead('achieved/s'),
            ...[...KNEE.map(([key]) => key), 'max'].map(numberHead), numberHead('send delay'), numberHead('never sent'),
            head('run')], rows)),
        element('p', { class: 'note' }, 'Percentiles of the response time. Each run has its own folder; ' +
            '"java -jar load-client.jar report FOLDER" draws its charts.')];
}

function searchBody(search)
{
    return [
        searchVerdict(search),
        element('p', null, element('strong', null, 'Limit: '), search.manifest.limit.reason + '.'),
        ...(search.manifest.steps.length === 0 ? [] : [
            element('h2', null, 'Rate and response time'),
            knee(search),
            shares(search),
            ...stepTable(search)]),
        ...circumstances(search)];
}
