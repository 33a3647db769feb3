/*
 * The page's data, and how texts and numbers are put on it. All text goes into the page as text, never as HTML: labels may
 * hold anything. Times are in nanoseconds until they are shown. The files of this folder are one script, in the order in
 * which ReportPage names them.
 */
const data = JSON.parse(document.getElementById('data').textContent);
const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max'];
const root = document.documentElement;

function formatNs(timeNs)
{
    for (const [limit, unit, name] of [[1e3, 1, 'ns'], [1e6, 1e3, 'µs'], [1e9, 1e6, 'ms'], [Infinity, 1e9, 's']])
    {
        if (timeNs < limit)
        {
            const value = timeNs / unit;
            return (value === 0 ? '0' : value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)) + ' ' + name;
        }
    }
    return '';
}

function formatCount(value)
{
    return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

function formatShare(share)
{
    return (100 * share).toFixed(share > 0 && share < 0.0001 ? 4 : 2) + '%';
}

/** The percentage at a place of the percentile axis: 90% at 1, 99% at 2, and so on. */
function formatPlace(place, extraDigits)
{
    const digits = Math.max(0, Math.ceil(place - 1e-9) - 2) + (extraDigits || 0);
    return (100 * (1 - Math.pow(10, -place))).toFixed(digits) + '%';
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
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

function table(attributes, header, rows)
{
    return element('div', { class: 'scroll' }, element('table', attributes,
        header ? element('thead', null, element('tr', null, header)) : null,
        element('tbody', null, rows)));
}

function head(text)
{
    return element('th', { scope: 'col' }, text);
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
