/* A search for the highest rate: its answer, the knee curve and its runs. */
const KNEE = [['p50', 'p50'], ['p99', 'p99'], ['p99.9', 'p99-9']];

/** What several runs together came to: named and judged as runs are. */
function prepareDocuments(documents)
{
    documents.forEach((one, index) =>
    {
        one.index = index;
        one.name = one.manifest.label;
        one.word = one.manifest.verdict.label;
        one.look = { GOOD: 'good', PARTIAL: 'partial' }[one.word] || 'failed';
    });
}

function documentVerdict(one, sentence)
{
    const stored = one.manifest.verdict;
    const list = (texts, name) => texts.length === 0 ? null :
        element('ul', { class: name }, texts.map((text) => element('li', null, text)));
    return element('div', { class: 'verdict ' + one.look, 'data-verdict': one.word },
        element('div', { class: 'word' }, sign(one) + ' ' + one.word),
        element('p', { class: 'sentence' }, sentence),
        list(stored.reasons, 'reasons'),
        list(stored.warnings, 'warnings'));
}

/** A number of the document: the pointer tells which. */
function pointerCell(pointer, value, text, isBad)
{
    return element('td', {
        class: 'number' + (isBad ? ' bad' : ''), 'data-pointer': pointer, 'data-value': value, title: value
    }, text);
}

function isTimeMetric(metric)
{
    return /^((service|delay)\.)?(p[0-9.]+|max)$/.test(metric);
}

function formatMetric(metric, value)
{
    return isTimeMetric(metric) ? formatNs(value) : metric === 'rate' ? formatShare(value) : formatCount(value);
}

/** What the search says of its answer; documents of earlier versions have counts only. */
function searchVerdict(search)
{
    const { answer } = search.manifest;
    return documentVerdict(search, (answer.sentence || formatCount(answer.ratePerSecond) + ' messages/s, ' + answer.status +
        ': ' + answer.runsHeldAtRate + ' of ' + plural(answer.runsAtRate, 'run') + ' there held') + '.');
}

function searchTiles(search)
{
    const { answer, limit } = search.manifest;
    const isKnown = answer.ratePerSecond > 0;
    const tile = (name, value, more) => element('div', { class: 'tile' },
        element('div', { class: 'name' }, name), element('div', { class: 'value' }, value),
        element('div', { class: 'more' }, more || ''));
    return element('div', { class: 'tiles' },
        tile(answer.status === 'confirmed' ? 'highest rate' : 'rate, not confirmed',
            isKnown ? formatCount(answer.ratePerSecond) : '–', 'messages/s'),
        tile('broke at', answer.brokenRatePerSecond === 0 ? '–' : formatCount(answer.brokenRatePerSecond),
            answer.brokenSentence || 'messages/s'),
        tile('limited by', limit.by, limit.by === 'client' ? 'not by the cluster' : ''),
        tile('runs', formatCount(answer.runs), formatCount(answer.failedOnce) + ' broke and held when repeated'),
        answer.spread.slice(0, 2).map((spread) => tile(spread.metric + ' at the rate',
            isKnown ? formatMetric(spread.metric, spread.median) : '–',
            isKnown ? 'median of ' + plural(answer.runsAtRate, 'run') + ', ' + formatMetric(spread.metric, spread.min) + ' to ' +
                formatMetric(spread.metric, spread.max) : '')));
}

/** A logarithmic axis of rates. */
function rateAxis(rates)
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
        axisLabel: { color: color('muted'), customValues: ticks, formatter: formatRate }
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

/** The median over the runs of each rate. */
function overRates(steps, value)
{
    const byRate = new Map();
    steps.forEach((step) =>
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
            silent: true, symbol: 'none', lineStyle: { color: color('max'), type: 'dashed' },
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

function knee(search)
{
    const steps = search.manifest.steps;
    const rates = steps.map((step) => step.ratePerSecondAsked);
    const point = (isHeld, key, name) => ({
        name: key, type: 'scatter', symbol: isHeld ? 'circle' : 'emptyCircle', symbolSize: 6, color: color(name), silent: true,
        data: steps.filter((step) => step.held === isHeld)
            .map((step) => [step.ratePerSecondAsked, Math.max(1, step.responseTimeNs[key])])
    });
    return figure({
        name: 'knee', title: 'Knee curve', mark: mark(search),
        note: 'Response time against the rate asked; both axes are logarithmic. A line goes through the median of the runs at ' +
            'each rate. Each run is a dot: filled where it held, hollow where it broke.',
        option: () => ({
            grid: { left: 56, right: 20, top: 36, bottom: 26 },
            legend: legend(KNEE.map(([key]) => key)),
            tooltip: tooltip(formatNs, (rate) => formatCount(rate) + '/s asked'),
            xAxis: rateAxis(rates),
            yAxis: timeAxis([...KNEE.flatMap(([key]) => steps.map((step) => step.responseTimeNs[key])),
                ...rateMarks(search).markLine.data.map((line) => line.yAxis)]),
            series: [
                ...KNEE.map(([key, name], index) => Object.assign({
                    name: key, type: 'line', color: color(name), showSymbol: false, lineStyle: { width: 2 },
                    data: overRates(steps, (step) => Math.max(1, step.responseTimeNs[key]))
                }, index === 0 ? answerMark(search) : index === 1 ? rateMarks(search) : {})),
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
        name: 'rate-shares', title: 'Achieved, and where the time went', isLow: true, mark: mark(search),
        note: 'Rate achieved as a share of the rate asked; and the share of the mean response time that messages spent before ' +
            'they were sent. Where the latter is large and sends met little back pressure, the client was the limit.',
        option: () => ({
            grid: { left: 56, right: 20, top: 36, bottom: 26 },
            legend: legend(['achieved', 'send delay']),
            tooltip: tooltip(formatShare, (rate) => formatCount(rate) + '/s asked'),
            xAxis: rateAxis(steps.map((step) => step.ratePerSecondAsked)),
            yAxis: axis({
                type: 'value', min: 0, max: 1, interval: 0.25,
                axisLabel: { color: color('muted'), formatter: (value) => 100 * value + '%' }
            }),
            series: [
                Object.assign(series('achieved', 'other',
                    (step) => step.ratePerSecondAchieved / step.ratePerSecondAsked), answerMark(search)),
                series('send delay', 'max', (step) => step.sendDelayShare)]
        })
    });
}

function stepTable(search)
{
    const steps = search.manifest.steps.map((step, index) => ({ step, pointer: '/steps/' + index }));
    steps.sort((one, other) => one.step.ratePerSecondAsked - other.step.ratePerSecondAsked || one.step.step - other.step.step);
    const rows = steps.map(({ step, pointer }) => element('tr', null,
        pointerCell(pointer + '/ratePerSecondAsked', step.ratePerSecondAsked, formatCount(step.ratePerSecondAsked)),
        element('td', null, element('span', { class: 'badge ' + (step.held ? 'good' : 'failed') },
            step.held ? '✓ held' : '✗ broke')),
        pointerCell(pointer + '/ratePerSecondAchieved', step.ratePerSecondAchieved, formatCount(step.ratePerSecondAchieved)),
        ['p50', 'p99', 'p99.9', 'max'].map((key) =>
            pointerCell(pointer + '/responseTimeNs/' + key, step.responseTimeNs[key], formatNs(step.responseTimeNs[key]))),
        pointerCell(pointer + '/sendDelayShare', step.sendDelayShare, formatShare(step.sendDelayShare)),
        pointerCell(pointer + '/neverSent', step.neverSent, formatCount(step.neverSent), step.neverSent > 0),
        element('td', { class: 'remark' },
            element('a', { href: search.folderLink.replace(/\/$/, '') + '/' + encodeURI(step.folder) },
                '#' + step.step + ' ' + step.purpose),
            step.verdict.reasons.map((reason) => element('div', null, reason)))));
    return [
        table({ class: 'wide' }, [numberHead('asked/s'), head(''), numberHead('achieved/s'),
            ...['p50', 'p99', 'p99.9', 'max'].map(numberHead), numberHead('send delay'), numberHead('never sent'),
            head('run')], rows),
        element('p', { class: 'note' }, 'Percentiles of the response time. Each run has a folder of its own; ' +
            '"java -jar load-client.jar report FOLDER" draws its charts.')];
}

function searchBody(search)
{
    return [
        searchVerdict(search),
        searchTiles(search),
        element('p', null, element('strong', null, 'The limit: '), search.manifest.limit.reason + '.'),
        ...(search.manifest.steps.length === 0 ? [] : [
            element('h2', null, 'Rate and response time'),
            knee(search),
            shares(search),
            ...stepTable(search)]),
        ...circumstances(search)];
}
