/*
 * The page's data, and how texts and numbers get onto it. All text is inserted as text, never as HTML: labels may contain
 * anything. Times are in nanoseconds until they are shown. The files of this folder are one script, in the order in which
 * ReportPage names them.
 */
const data = JSON.parse(document.getElementById('data').textContent);
const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max'];
const root = document.documentElement;

function formatNs(timeNs)
{
    for (const [limit, unit, name] of [[1e3, 1, 'ns'], [1e6, 1e3, 'us'], [1e9, 1e6, 'ms'], [Infinity, 1e9, 's']])
    {
        // What would be rounded to 1000 has the next unit.
        if (timeNs < 0.9995 * limit)
        {
            const value = timeNs / unit;
            return (value === 0 ? '0' : value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)) + ' ' + name;
        }
    }
    return '';
}

/** A value of a distribution; a dash if it has none, as of a percentile with fewer than ten messages beyond it. */
function formatTime(times, name)
{
    return times.count === 0 || times[name] === undefined ? '–' : formatNs(times[name]);
}

function formatCount(value)
{
    return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

function plural(count, noun)
{
    return formatCount(count) + ' ' + noun + (count === 1 ? '' : 's');
}

function formatShare(share)
{
    return Number.isNaN(share) ? '–' : (100 * share).toFixed(share > 0 && share < 0.0001 ? 4 : 2) + '%';
}

/** How many times the median: two digits, or whole numbers from 10. */
function formatTimes(ratio)
{
    return ratio >= 10 ? formatCount(Math.round(ratio)) : ratio.toFixed(1);
}

/** The percentage at a place of the percentile axis: 90% at 1, 99% at 2, and so on. */
function formatPlace(place, extraDigits)
{
    const digits = Math.max(0, Math.ceil(place - 1e-9) - 2) + (extraDigits || 0);
    return (100 * (1 - Math.pow(10, -place))).toFixed(digits) + '%';
}

/** 2026-11-21T16:12:33.872Z as "2026-11-21 16:12:33 UTC". */
function formatDate(instant)
{
    return String(instant).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
}

function element(name, attributes, ...children)
{
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
    {
        if (value !== undefined && value !== null)
        {
            node.setAttribute(key, value);
        }
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return node;
}

/** A list of sentences, or nothing if there are none. */
function sentences(texts, name)
{
    return texts.length === 0 ? null : element('ul', { class: name }, texts.map((text) => element('li', null, text)));
}

// -------------------------------------------------------------------------------------------------------------- tables

let regionCount = 0;

/** Only a table that is wider than its place is a region of its own, which the keyboard can reach and scroll. */
const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => markScrolling(target)));

function markScrolling(node)
{
    const isScrolling = node.scrollWidth > node.clientWidth + 1;
    const attributes = { role: 'region', tabindex: '0', 'aria-label': node.dataset.name };
    Object.entries(attributes).forEach(([key, value]) =>
        isScrolling ? node.setAttribute(key, value) : node.removeAttribute(key));
    node.previousElementSibling.hidden = !isScrolling;
}

/** A table; its name is what a screen reader calls it. */
function table(name, attributes, header, rows)
{
    regionCount++;
    const scroll = element('div', { class: 'scroll', 'data-name': name + ' (table ' + regionCount + ')' },
        element('table', attributes,
            header ? element('thead', null, element('tr', null, header)) : null,
            element('tbody', null, rows)));
    widths.observe(scroll);
    return element('div', { class: 'table' },
        element('p', { class: 'hint', hidden: '' }, '⇆ This table is wider than the page: scroll it sideways.'), scroll);
}

function head(text)
{
    return element(text === '' ? 'td' : 'th', text === '' ? null : { scope: 'col' }, text);
}

function numberHead(text)
{
    return element('th', { scope: 'col', class: 'number' }, text);
}

/** A number of the manifest: what is shown is rounded, the exact value is beside it for programs. */
function numberCell(field, value, text)
{
    return element('td', { class: 'number', 'data-field': field, 'data-value': value, title: value }, text);
}

/** Bounds of a percentile that contain it with 95% confidence, as [low, high]; undefined where there are none. */
function boundsOf(times, percentile)
{
    return (times.confidence95 || {})[percentile];
}

function formatBounds(bounds)
{
    const [low, high] = bounds.map(formatNs);
    return (low.split(' ')[1] === high.split(' ')[1] ? low.split(' ')[0] : low) + ' – ' + high;
}

/** A number of a document: the JSON pointer names it. */
function pointerCell(pointer, value, text, isBad)
{
    return element('td', {
        class: 'number' + (isBad ? ' bad' : ''), 'data-pointer': pointer, 'data-value': value, title: value
    }, text);
}

function noCell()
{
    return element('td', { class: 'number muted' }, '–');
}

/** Rows can be sorted by each column; cells without a number or text stay at the end. */
function sortable(tableNode)
{
    const headings = [...tableNode.querySelectorAll('thead th')];
    const body = tableNode.querySelector('tbody');
    headings.forEach((heading) =>
    {
        const button = element('button', { type: 'button', class: 'sort' }, heading.textContent);
        heading.replaceChildren(button);
        button.addEventListener('click', () =>
        {
            const isDown = heading.getAttribute('aria-sort') === 'ascending';
            headings.forEach((one) => one.removeAttribute('aria-sort'));
            heading.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
            sortRows(body, heading.cellIndex, isDown);
        });
    });
    return tableNode;
}

function sortRows(body, column, isDown)
{
    const key = (row) =>
    {
        const cell = row.cells[column];
        const value = cell.dataset.value === undefined ? cell.dataset.sort : cell.dataset.value;
        return value === undefined ? cell.textContent.trim() : Number(value);
    };
    const isMissing = (value) => value === '' || value === '–';
    const rows = [...body.rows].map((row) => ({ row, value: key(row) }));
    rows.sort((one, other) =>
    {
        if (isMissing(one.value) || isMissing(other.value))
        {
            return Number(isMissing(one.value)) - Number(isMissing(other.value));
        }
        const order = typeof one.value === 'number' && typeof other.value === 'number' ?
            one.value - other.value : String(one.value).localeCompare(String(other.value), 'en', { numeric: true });
        return isDown ? -order : order;
    });
    body.append(...rows.map(({ row }) => row));
}
