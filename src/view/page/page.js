/*
 * The page of --print=html. Its data, which src/view/page.c writes, are columns: place f of `name`,
 * `file`, `line`, `self`, `inclusive` and `invocations` is about function f, in the order of names.
 * `callees` has the number of arcs from each function; the arcs' columns (`callee`, `at`, `count`,
 * `cost`) have them one caller after the other. Those that begin with `frame_` have the nodes of the tree
 * of stacks, parents first; their entries are functions, from 1, or 0 for those that were left out. Names are only ever put into the page as text.
 */
'use strict';
(() => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const functionCount = data.name.length;
    const PAGE = 100;
    const byId = (id) => document.getElementById(id);

    const create = (tag, attributes, ...children) => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes))
            element.setAttribute(name, value);
        element.append(...children);
        return element;
    };

    // ---- texts and numbers

    // Control characters, and those that would turn the text around, are shown by their numbers.
    const visible = (text) => text.replace(/[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu,
        (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);

    const nameOf = (f) => visible(data.name[f]) || '(no name)';
    const placeOf = (f) => {
        const file = visible(data.files[data.file[f]]);
        return data.line[f] > 0 ? `${file}:${data.line[f]}` : file;
    };
    const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
    const parts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const number = (n) => whole.format(n);
    const share = (cost) => data.percent_of > 0 ? cost * 100 / data.percent_of : NaN;
    const percent = (cost) => data.percent_of > 0 ? parts.format(share(cost)) : '-';
    const each = (cost, count) => data.counts === 'calls' && count > 0 ? cost / count : NaN;
    const counted = data.counts === 'samples' ? 'Samples' : 'Calls';
    const countOf = (n) => data.counts === 'nothing' ? '-' : number(n);
    const perCall = (n) => Number.isNaN(n) ? '-' : Number.isInteger(n) || n >= 1000 ? number(n) : parts.format(n);

    // Times and bytes are shown in the largest unit that `most`, the largest cost of a column, has one of.
    const units = {
        time: [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]],
        bytes: [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30], ['TiB', 2 ** 40]] }[data.unit];
    const unitFor = (most) => units?.filter(([, size], i) => i === 0 || Math.abs(most) * data.factor >= size).pop();
    const digits = (n) => Math.abs(n) >= 1000 ? number(n) : Number(n.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
    const costText = (cost, unit = unitFor(cost)) => unit ? `${digits(cost * data.factor / unit[1])} ${unit[0]}` : number(cost);
    const inUnits = (cost) => units && (data.factor > 1 || unitFor(cost)[1] > 1) ? `${costText(cost)} (${number(cost)})` : costText(cost);

    const fill = (list, facts) => list.replaceChildren(...facts.map(([term, value]) =>
        create('div', {}, create('dt', {}, term), create('dd', {}, create('bdi', {}, value)))));

    // ---- tables

    const link = (f) => create('a', { href: `#f${f}`, title: nameOf(f) }, create('bdi', {}, nameOf(f)));
    const shareCell = (cost) => {
        const cell = create('td', { class: 'share percent' }, percent(cost));
        cell.style.backgroundSize = `${Math.max(0, Math.min(share(cost) || 0, 100))}% 1.4em`;
        return cell;
    };
    const numberCell = (text, name = '', title = '') => create('td', { ...name && { class: name }, ...title && { title } }, text);
    const costCell = (cost, unit) => numberCell(costText(cost, unit), 'units', units ? number(cost) : '');
    // Samples have no cost per call.
    const eachText = (n, unit) => units && !Number.isNaN(n) ? costText(n, unit) : perCall(n);
    const eachCell = (n, unit) => data.counts === 'samples' ? []
        : [n === '' ? numberCell('', 'each') : numberCell(eachText(n, unit), 'each', units ? perCall(n) : '')];

    // The three columns of a cost: in percent, in units, per call.
    const costColumns = (label, cost, count) => [
        { label: `${label} %`, name: 'percent', key: cost, cell: (i) => shareCell(cost(i)) },
        { label, name: 'units', key: cost, cell: (i, unit) => costCell(cost(i), unit) },
        ...data.counts === 'samples' ? [] : [{ label: `${label} per call`, name: 'each', key: (i) => each(cost(i), count(i)) || 0,
          cell: (i, unit) => eachCell(each(cost(i), count(i)), unit)[0] }]];

    /*
     * The rows of a table in the order of a column: the largest first; equal ones, and those of a
     * column of words, as they are. Numbers sort fastest if each is one with its place, which fits
     * if it is whole and has 32 bits.
     */
    const PLACES = 2 ** 21;
    const ordered = (column, rows) => {
        if (column.isWords)
            return rows;
        const keys = Float64Array.from(rows, column.key);
        if (rows.length < PLACES && keys.every((key) => Number.isInteger(key) && key < 2 ** 32))
            return keys.map((key, i) => i - key * PLACES).sort().map((key) => rows[((key % PLACES) + PLACES) % PLACES]);
        return Uint32Array.from(keys, (_, i) => i).sort((a, b) => keys[b] - keys[a] || a - b).map((i) => rows[i]);
    };

    /*
     * A table of `rows`, numbers that the columns understand, in `place`. It shows a page of those
     * that `setFilter` lets through. `rest` are cells of a last row, for what was left out.
     */
    const createTable = (place, title, columns, rows, sortedBy, rest) => {
        const orders = [];
        const columnUnits = columns.map(({ name, key }) => name === 'units' || name === 'each'
            ? unitFor(rows.reduce((most, i) => Math.max(most, Math.abs(key(i))), 0)) : undefined);
        let isReversed = false, lets = null, all = [], first = 0;
        const head = columns.map((column, c) => {
            const button = create('button', { type: 'button' }, column.label);
            button.addEventListener('click', () => {
                isReversed = c === sortedBy && !isReversed;
                sortedBy = c;
                first = 0;
                arrange();
            });
            return create('th', { scope: 'col', class: column.isWords ? 'words' : column.name || 'count' }, button);
        });
        const body = create('tbody', {});
        const pages = create('div', { class: 'pages' });
        const range = create('span', { 'aria-live': 'polite' });
        const turn = (text, to) => {
            const button = create('button', { type: 'button' }, text);
            button.addEventListener('click', () => {
                first = to();
                draw();
                place.scrollIntoView();
            });
            return button;
        };
        const back = turn('Previous', () => Math.max(first - PAGE, 0));
        const on = turn('Next', () => first + PAGE);
        pages.append(back, range, on);

        const draw = () => {
            const shown = all.slice(first, first + PAGE);
            body.replaceChildren(...Array.from(shown, (i) => create('tr', {}, ...columns.map((column, c) => column.cell(i, columnUnits[c])))));
            pages.hidden = all.length <= PAGE;
            range.textContent = `${number(first + 1)} to ${number(first + shown.length)} of ${number(all.length)}`;
            back.disabled = first === 0;
            on.disabled = first + PAGE >= all.length;
        };
        const orderOf = (column) => orders[column] ??= ordered(columns[column], rows);
        const arrange = () => {
            orderOf(sortedBy);
            all = lets ? orders[sortedBy].filter(lets) : orders[sortedBy];
            if (isReversed)
                all = all.slice().reverse();
            head.forEach((cell) => cell.removeAttribute('aria-sort'));
            head[sortedBy].setAttribute('aria-sort', Boolean(columns[sortedBy].isWords) === isReversed ? 'descending' : 'ascending');
            draw();
        };
        place.append(create('table', {}, create('caption', {}, title), create('thead', {}, create('tr', {}, ...head)), body,
            ...rest ? [create('tfoot', {}, create('tr', {}, ...rest))] : []), pages);
        arrange();
        return {
            orderOf,
            setFilter: (filter) => {
                lets = filter;
                first = 0;
                arrange();
                return all.length;
            } };
    };

    const words = (label, cell) => ({ label, isWords: true, cell });
    const functionCell = (f) => create('td', { class: 'words' },
        link(f), create('small', {}, create('bdi', {}, placeOf(f))));
    const below = () => data.chosen ? 'left out' : `below ${data.limit} %`;

    // ---- call arcs: those from function f are calleesAt[f] to calleesAt[f + 1], by number

    const arcCount = data.callee.length;
    const callerOf = new Uint32Array(arcCount), calleesAt = new Uint32Array(functionCount + 1);
    const callersAt = new Uint32Array(functionCount + 1), byCallee = new Uint32Array(arcCount);
    for (let f = 0; f < functionCount; f++) {
        calleesAt[f + 1] = calleesAt[f] + data.callees[f];
        callerOf.fill(f, calleesAt[f], calleesAt[f + 1]);
    }
    for (const callee of data.callee)
        callersAt[callee + 1]++;
    for (let f = 0; f < functionCount; f++)
        callersAt[f + 1] += callersAt[f];
    const next = callersAt.slice();
    data.callee.forEach((callee, arc) => {
        byCallee[next[callee]++] = arc;
    });
    // What was left out of the arcs of a function: its number, calls, cost, one after the other.
    const restOf = (list, f) => {
        for (let i = 0; i < list.length; i += 3)
            if (list[i] === f)
                return [numberCell(''), numberCell(number(list[i + 1])), shareCell(list[i + 2]),
                    costCell(list[i + 2]), ...eachCell(each(list[i + 2], list[i + 1]))];
        return null;
    };
    const arcTable = (title, arcs, other, list, f) => {
        const rest = restOf(list, f);
        if (arcs.length === 0 && !rest) {
            byId('calls').append(create('p', {}, `${title}: none`));
            return;
        }
        const place = create('div', {});
        byId('calls').append(place);
        createTable(place, title, [
            words('Function', (arc) => functionCell(other(arc))),
            { label: 'Line', key: (arc) => data.at[arc], cell: (arc) => numberCell(data.at[arc] > 0 ? String(data.at[arc]) : '-') },
            { label: counted, key: (arc) => data.count[arc], cell: (arc) => numberCell(number(data.count[arc])) },
            ...costColumns('Cost', (arc) => data.cost[arc], (arc) => data.count[arc])],
        arcs, 4, rest && [create('td', { class: 'words' }, `Calls ${below()}`), ...rest]);
    };

    // ---- functions

    const functionColumns = [
        words('Function', (f) => functionCell(f)),
        { label: counted, key: (f) => data.invocations[f], cell: (f) => numberCell(countOf(data.invocations[f])) },
        ...costColumns('Self', (f) => data.self[f], (f) => data.invocations[f]),
        ...costColumns('Inclusive', (f) => data.inclusive[f], (f) => data.invocations[f])];
    const left = data.left;
    const table = createTable(byId('functions'), 'Functions', functionColumns,
        Uint32Array.from(data.name, (_, f) => f),
        functionColumns.findIndex(({ label }) => label === ({ inclusive: 'Inclusive', invocations: counted, name: 'Function' }[data.sort] ?? 'Self')),
        left.functions > 0 && [
            create('td', { class: 'words' }, `${number(left.functions)} functions ${below()}`), numberCell(countOf(left.invocations)),
            shareCell(left.self), costCell(left.self), ...eachCell(''),
            numberCell('', 'percent'), numberCell('', 'units'), ...eachCell('')]);

    const showFunction = (f) => {
        const calls = data.invocations[f];
        const cost = (n) => `${percent(n)} %, ${inUnits(n)}${data.counts === 'calls' ? `, ${eachText(each(n, calls))} per call` : ''}`;
        byId('name').replaceChildren(create('bdi', {}, nameOf(f)));
        byId('place').replaceChildren(create('bdi', {}, placeOf(f)));
        fill(byId('costs'), [[counted, countOf(calls)], ['Self', cost(data.self[f])], ['Inclusive', cost(data.inclusive[f])]]);
        byId('calls').replaceChildren();
        arcTable('Callers', byCallee.subarray(callersAt[f], callersAt[f + 1]), (arc) => callerOf[arc], data.left_callers, f);
        arcTable('Callees', Uint32Array.from({ length: data.callees[f] }, (_, i) => calleesAt[f] + i),
            (arc) => data.callee[arc], data.left_callees, f);
    };

    // ---- stacks: nodes, parents first; node 0 stands for all

    const stackCount = data.frame_parent.length;
    const parents = data.frame_parent, totals = data.frame_total;
    const functionAt = data.frame_entry.map((entry) => entry - 1);
    const start = new Float64Array(stackCount), depth = new Uint32Array(stackCount);
    const childrenAt = new Uint32Array(stackCount + 2), children = new Uint32Array(stackCount);
    const layOut = () => {
        for (let i = 1; i < stackCount; i++)
            childrenAt[parents[i] + 2]++;
        for (let i = 0; i < stackCount; i++)
            childrenAt[i + 2] += childrenAt[i + 1];
        const nodes = Uint32Array.from(parents, (_, i) => i);
        for (const i of ordered({ key: (node) => totals[node] }, nodes))
            if (i > 0)
                children[childrenAt[parents[i] + 1]++] = i;
        for (let i = 0; i < stackCount; i++)
            for (let c = childrenAt[i], x = start[i]; c < childrenAt[i + 1]; c++) {
                start[children[c]] = x;
                depth[children[c]] = depth[i] + 1;
                x += totals[children[c]];
            }
    };

    const MOST_FRAMES = 2500, LEAST_PIXELS = 2, LEAST_TEXT = 30, ROW = 1.45;
    const icicle = byId('icicle');
    let root = 0, frames = new Map(), current = 0, matches = null;
    const frameName = (i) => i === 0 ? 'all' : functionAt[i] < 0 ? '(left out)' : nameOf(functionAt[i]);
    // Functions may have freed what their stacks have taken, so that the stacks may be more than the functions.
    const frameShare = (cost) => percent(cost * Math.min(1, data.percent_of / totals[0]));
    const frameCost = (i) => `${frameShare(totals[i])} %, ${inUnits(totals[i])}`;
    const describe = (i) => {
        const f = i > 0 ? functionAt[i] : -1;
        byId('frame').replaceChildren(
            f < 0 ? create('bdi', {}, frameName(i)) : link(f), ` ${frameCost(i)}, self ${frameShare(data.frame_self[i])} %`);
    };
    // The frames that are wide enough to be seen, below `root`; if they are too many, the widest.
    const visibleFrames = (width) => {
        const found = [];
        const least = totals[root] * LEAST_PIXELS / width;
        for (const open = [root]; open.length > 0;) {
            const i = open.pop();
            found.push(i);
            for (let c = childrenAt[i]; c < childrenAt[i + 1] && totals[children[c]] >= least; c++)
                open.push(children[c]);
        }
        return found.sort((a, b) => totals[b] - totals[a] || a - b).slice(0, MOST_FRAMES);
    };
    const createFrame = (i, width) => {
        const isAbove = depth[i] < depth[root];
        const span = isAbove ? 1 : totals[root] > 0 ? totals[i] / totals[root] : 1;
        const name = frameName(i);
        const frame = create('div', { role: 'treeitem', tabindex: i === current ? 0 : -1, 'aria-level': depth[i] + 1,
            'aria-label': `${name}, ${frameCost(i)}`, 'data-node': i,
            class: (isAbove ? 'above' : span * width < LEAST_TEXT ? 'thin' : '') + (matches?.[functionAt[i]] ? ' match' : '') });
        if (span * width >= LEAST_TEXT)
            frame.append(name);
        frame.style.left = `${isAbove ? 0 : (start[i] - start[root]) * 100 / (totals[root] || 1)}%`;
        frame.style.width = `${span * 100}%`;
        frame.style.top = `${depth[i] * ROW}rem`;
        let hue = 0;
        for (let c = 0; c < name.length; c++)
            hue = (hue * 31 + name.charCodeAt(c)) % 360;
        frame.style.setProperty('--hue', hue);
        frames.set(i, frame);
        return frame;
    };
    const drawStacks = () => {
        const width = icicle.clientWidth || 1;
        const shown = visibleFrames(width);
        if (!shown.includes(current))
            current = root;
        for (let i = root; i > 0; i = parents[i])
            shown.push(parents[i]);
        frames = new Map();
        icicle.replaceChildren(...shown.sort((a, b) => a - b).map((i) => createFrame(i, width)));
        icicle.style.height = `${(shown.reduce((most, i) => Math.max(most, depth[i]), 0) + 1) * ROW}rem`;
        describe(current);
    };
    const nodeAt = (event) => {
        const frame = event.target.closest('[data-node]');
        return frame ? Number(frame.dataset.node) : -1;
    };
    const zoom = (i) => {
        location.hash = i > 0 ? `#s${i}` : '#s';
    };
    const goTo = (i) => {
        if (!frames.has(i))
            return;
        frames.get(current)?.setAttribute('tabindex', -1);
        current = i;
        frames.get(i).setAttribute('tabindex', 0);
        frames.get(i).focus();
    };
    const sibling = (i, step) => {
        if (i === 0)
            return -1;
        const p = parents[i];
        const place = children.subarray(childrenAt[p], childrenAt[p + 1]).indexOf(i) + step;
        return place >= 0 && childrenAt[p] + place < childrenAt[p + 1] ? children[childrenAt[p] + place] : -1;
    };
    const keys = {
        ArrowUp: (i) => goTo(i > 0 ? parents[i] : -1),
        ArrowDown: (i) => goTo(childrenAt[i] < childrenAt[i + 1] ? children[childrenAt[i]] : -1),
        ArrowLeft: (i) => goTo(sibling(i, -1)),
        ArrowRight: (i) => goTo(sibling(i, 1)),
        Home: () => goTo(0),
        Enter: zoom,
        ' ': zoom,
        Escape: () => zoom(root > 0 ? parents[root] : 0) };
    icicle.addEventListener('click', (event) => nodeAt(event) >= 0 && zoom(nodeAt(event)));
    icicle.addEventListener('pointerover', (event) => nodeAt(event) >= 0 && describe(nodeAt(event)));
    icicle.addEventListener('pointerleave', () => describe(current));
    icicle.addEventListener('focusin', (event) => nodeAt(event) >= 0 && describe(nodeAt(event)));
    icicle.addEventListener('keydown', (event) => {
        if (Object.hasOwn(keys, event.key) && nodeAt(event) >= 0) {
            keys[event.key](nodeAt(event));
            event.preventDefault();
        }
    });

    // ---- the filter: functions whose name or file has the text in it, in small or capital letters

    const filter = byId('filter');
    let lowered = null;
    const lowerNames = () => lowered ??= data.name.map((name, f) => `${name}\n${data.files[data.file[f]]}`.toLowerCase());
    const matchedCost = () => {
        const isCounted = new Uint8Array(stackCount);
        let cost = 0;
        for (let i = 1; i < stackCount; i++) {
            isCounted[i] = isCounted[parents[i]];
            if (!isCounted[i] && matches[functionAt[i]]) {
                isCounted[i] = 1;
                cost += totals[i];
            }
        }
        return cost;
    };
    const applyFilter = () => {
        const wanted = filter.value.toLowerCase();
        matches = wanted ? Uint8Array.from(lowerNames(), (text) => text.includes(wanted)) : null;
        const count = table.setFilter(matches && ((f) => matches[f]));
        let found = matches ? `${number(count)} of ${number(functionCount)}` : '';
        if (matches && stackCount > 0)
            found += `, ${frameShare(matchedCost())} % of stacks`;
        byId('found').textContent = found;
        if (view === 'stacks')
            drawStacks();
        else if (view === 'function')
            location.hash = '';
    };
    filter.addEventListener('input', applyFilter);
    document.addEventListener('keydown', (event) => {
        if (event.key === '/' && event.target !== filter && !event.ctrlKey && !event.metaKey && !event.altKey) {
            filter.focus();
            filter.select();
            event.preventDefault();
        }
    });

    // ---- views: # is the table, #f7 function 7, #s all stacks, #s7 those below node 7

    let view = '', scrolled = 0, opened = -1;
    const show = () => {
        const [, kind, digits] = /^#([fs])(\d{0,9})$/.exec(location.hash) || [];
        const chosen = Number(digits || 0);
        if (view === 'functions')
            scrolled = window.scrollY;
        const last = view;
        view = kind === 'f' && digits && chosen < functionCount ? 'function' : kind === 's' && chosen < stackCount ? 'stacks' : 'functions';
        for (const name of ['functions', 'function', 'stacks'])
            byId(name).hidden = name !== view;
        byId('to-functions').toggleAttribute('aria-current', view === 'functions');
        byId('to-stacks').toggleAttribute('aria-current', view === 'stacks');
        document.title = view === 'function' ? `${nameOf(chosen)} - ${heading}` : heading;
        if (view === 'function') {
            showFunction(opened = chosen);
            window.scrollTo(0, 0);
            byId('name').focus();
        } else if (view === 'stacks') {
            const hadFocus = icicle.contains(document.activeElement);
            root = current = chosen;
            drawStacks();
            if (hadFocus)
                frames.get(current).focus();
        } else if (last === 'function') {
            window.scrollTo(0, scrolled);
            byId('functions').querySelector(`a[href="#f${opened}"]`)?.focus({ preventScroll: true });
        }
    };

    const heading = visible(data.title) || 'Profile';
    byId('title').replaceChildren(create('bdi', {}, heading));
    fill(byId('facts'), [
        ['Total', `${inUnits(data.total)}${data.runs > 1 ? ` in ${number(data.runs)} runs` : ''}${data.total < data.percent_of
            ? `, less than the self costs; percentages are relative to their sum, ${inUnits(data.percent_of)}` : ''}`],
        ['Event', visible(data.event)], ['Functions', number(functionCount + left.functions)],
        ['Creator', visible(data.creator)]].filter(([, value]) => value));
    for (const button of document.getElementsByName('measure'))
        button.addEventListener('change', () => {
            document.querySelector('main').className = button.value;
        });
    layOut();
    byId('to-stacks').hidden = stackCount === 0;
    if (data.frame_limit > 0)
        byId('too-thin').textContent = ` Frames below ${data.frame_limit} % are left out.`;
    if (data.negative_stacks > 0)
        byId('too-thin').append(` ${number(data.negative_stacks)} ${data.negative_stacks > 1 ? 'stacks' : 'stack'} with a negative cost left out.`);
    document.querySelector('[value=each]').parentElement.hidden = data.counts === 'samples';
    byId('tools').hidden = false;
    let width = window.innerWidth;
    window.addEventListener('resize', () => {
        if (view === 'stacks' && window.innerWidth !== width)
            drawStacks();
        width = window.innerWidth;
    });
    window.addEventListener('hashchange', show);
    show();

    // What the first sort and the first filter need is made while nobody waits, a piece at a time.
    const tasks = [...functionColumns.map((_, column) => () => table.orderOf(column)), () => lowerNames()];
    const prepare = () => {
        tasks.pop()();
        if (tasks.length > 0)
            setTimeout(prepare, 0);
    };
    setTimeout(prepare, 0);
})();
