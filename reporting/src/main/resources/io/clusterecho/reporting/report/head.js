/* The top of a result: what was measured where, the verdict with the numbers that qualify it, and the contents. */
const LONG_TAIL = 5;

/** Date, host, rate, size, members, file sync level and commit, as far as they are known. */
function topFacts(manifest)
{
    const configuration = manifest.configuration || {};
    const cluster = manifest.cluster || {};
    const versions = manifest.versions || {};
    const known = (values, key) => values[key] === undefined || values[key] === '' ? null : factText(key, values[key]);
    const members = memberCount(manifest);
    const planned = (dimension) => (((manifest.plan || {}).dimensions || {})[dimension] || []).map((value) =>
        formatValue(dimension, value))[0];
    const isVaried = (dimension) => ((manifest.plan || {}).varied || []).includes(dimension);
    const entries = [
        ['Date', manifest.start ? formatDate(manifest.start) : null],
        ['Host', hostText(manifest.machine || {})],
        ['Condition', manifest.slo ? known(configuration, 'slo') : null],
        ['Target rate', manifest.slo ? 'searched' : isVaried('rate') ? 'varied' : planned('rate') ||
            known(configuration, 'rate')],
        ['Size', isVaried('size') ? 'varied' : planned('size') || known(configuration, 'size')],
        ['Members', isVaried('members') ? 'varied' : members === undefined ? null : String(members)],
        ['File sync', isVaried('fsync') ? 'varied' : known(cluster, 'echo.fsync')],
        ['Commit', versions.commit ? versions.commit : null]].filter(([, text]) => text !== null);
    return entries.length === 0 ? null : element('dl', { class: 'top' }, entries.map(([name, text]) =>
        element('div', null, element('dt', null, name), element('dd', null, text))));
}

function hostText(machine)
{
    const parts = [machine.hostName, machine.product, machine.cpuModel, machine.cpuCount && plural(Number(machine.cpuCount), 'CPU'),
        machine.distribution || machine.os].filter((part) => part && part !== 'could not be read');
    return parts.length === 0 ? null : parts.join(', ');
}

function tile(name, value, more, attributes)
{
    return element('div', Object.assign({ class: 'tile' }, attributes),
        element('div', { class: 'name' }, name), element('div', { class: 'value' }, value),
        element('div', { class: 'more' }, more || ''));
}

function chip(text, look)
{
    return element('span', { class: 'badge ' + look }, text);
}

function warningChip(warnings)
{
    return warnings.length === 0 ? chip('no warnings', 'neutral') : chip('⚠ ' + plural(warnings.length, 'warning'), 'partial');
}

/** The verdict: one block with what qualifies it, so that neither is read without the other. */
function verdictBlock(one, { word, sentence, chips, tiles: tilesNode, reasons, warnings, extra })
{
    return element('section', { class: 'verdict ' + one.look, 'data-verdict': one.word, 'aria-label': 'Verdict: ' + one.name },
        element('div', { class: 'line' }, element('strong', { class: 'word' }, word || sign(one) + ' ' + one.word), chips),
        element('p', { class: 'sentence' }, sentence),
        sentences(reasons || [], 'reasons'),
        tilesNode || null,
        sentences(warnings || [], 'warnings'),
        extra || null);
}

// ------------------------------------------------------------------------------------------------------------ contents

const anchors = new Map();

function anchor(text)
{
    const base = 's-' + text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
    const count = (anchors.get(base) || 0) + 1;
    anchors.set(base, count);
    return count === 1 ? base : base + '-' + count;
}

/** Within a result among others, headings are one level deeper. */
function demote(body)
{
    const level = (from, to) => body.querySelectorAll(from).forEach((heading) =>
    {
        const node = element(to, { class: 'as-' + from }, ...heading.childNodes);
        [...heading.attributes].filter((one) => one.name !== 'class').forEach((one) => node.setAttribute(one.name, one.value));
        heading.replaceWith(node);
    });
    level('h3', 'h4');
    level('h2', 'h3');
    return body;
}

/** Links to all sections and results of the page. */
function contents(report)
{
    const headings = [...report.querySelectorAll('h2')];
    if (headings.length < 2)
    {
        return;
    }
    const links = headings.map((heading) =>
    {
        const target = heading.closest('summary') ? heading.closest('details') : heading;
        if (target.id === '')
        {
            target.id = anchor(heading.textContent);
        }
        return element('li', null, element('a', { href: '#' + target.id }, heading.dataset.short || heading.textContent));
    });
    report.querySelector('.page-top').append(
        element('nav', { class: 'contents', 'aria-label': 'Contents' }, element('ol', null, links)));
}

/** A link into a part that is folded opens it. */
function openLinked()
{
    const open = () =>
    {
        const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
        for (let node = target; node; node = node.parentElement)
        {
            node.open = node.tagName === 'DETAILS' ? true : node.open;
        }
        if (target)
        {
            target.scrollIntoView();
        }
    };
    window.addEventListener('hashchange', open);
    document.addEventListener('click', (event) =>
    {
        const link = event.target.closest('a[href^="#"]');
        if (link && link.hash === location.hash)
        {
            open();
        }
    });
    open();
}
