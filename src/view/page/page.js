// SPDX-License-Identifier: MIT
/*
 * The page of --print=html. Its data, which src/view/page.c writes, are those of some events, one of which is shown. They
 * have these rows, next to what their names say:
 *
 *     functions   by name: [name, file, line, self, inclusive, invocations, calls, left callers, object]
 *     allocated   of each function, if it is not its inclusive cost, which is then what is kept
 *     lines       of each function, if they are known: file (0: its own), line, self and calls; at the end, the number and
 *                 the self cost of those that were left out. With `base`, its costs follow those of the input
 *     code        source: a list for each file of its name, and texts of lines that follow each other, after the first
 *                 number; or of its name and the place of an earlier list, from 1
 *     stacks      of a tree, parents first, one after the other: parent, function or -1, total, self; the first is all
 *
 * A file is a text or, for one that an earlier function has, its place among these texts, from 1; 0 is no file. Only
 * functions with the same name have objects, which are in the same form. The calls that a function makes are one after the
 * other: callee, line, number, cost. The number and the cost of those that were left out follow; left callers are the same
 * for calls to it. Names are only ever put into the page as text.
 *
 * With `base`, a function has in addition, before its object: how its self and inclusive cost and its invocations have changed, 1 if it is
 * new or -1 if it is gone, and its calls and left callers in the base. A node of stacks has the base's total and self.
 */
'use strict';
(() => {
    const PAGE = 100, BESIDE = 3;
    const byId = (id) => document.getElementById(id);
    const events = JSON.parse(byId('data').textContent);
    // The parts of an address, of which the first of a name counts: #f=NAME&sort=Self is a Map of two. One may be without =.
    const readAddress = () => new Map(location.hash.slice(1).split('&').reverse().map((part) => {
        const [name, ...values] = part.split('=');
        const value = values.length > 0 ? values.join('=') : undefined;
        try {
            return [name, value && decodeURIComponent(value)];
        } catch { // somebody has typed a name with a %
            return [name, value];
        }
    }));
    const inAddress = (text) => text.replace(/[%&#"<>`\p{C}\p{Z}]/gu, encodeURIComponent);
    const chosenEvent = readAddress().get('event');
    const data = events.find(({ event }) => event === chosenEvent) ?? events[0];

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
    const nameOf = (f) => visible(f.name) || '(no name)';
    const placeOf = (f) => `${visible(f.file)}${f.line > 0 ? `:${f.line}` : ''}${f.object && ` [${visible(f.object)}]`}`;
    // Where the namespaces of a name end, none of them within brackets.
    const namespaceEnds = (name) => {
        const ends = [];
        let depth = 0;
        for (const { 0: sign, index } of name.matchAll(/operator(?:->|<<|>>|\(\)|[<>/])|->|::|[\\/<>(){}[\]]/g))
            if (/^[<({[]$/.test(sign))
                depth++;
            else if (/^[>)}\]]$/.test(sign))
                depth = Math.max(0, depth - 1);
            else if (depth === 0 && index > 0 && !sign.startsWith('operator'))
                ends.push(index);
        return ends;
    };
    // A name in the place of so many letters: it loses its namespaces from the left, as many as need be, then the sign.
    const shortened = (name, most) => {
        const ends = name.length > most ? namespaceEnds(name) : [];
        const end = ends.find((at) => name.length - at + 1 <= most);
        return end ? `…${name.slice(end)}` : name.slice(ends.pop() ?? 0).replace(/^(->|::|[\\/])/, '');
    };
    const namespaceOf = (name) => {
        const ends = namespaceEnds(name);
        return name.slice(0, ends.filter((end) => name[end] === '\\').pop() ?? ends.pop() ?? 0);
    };
    const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format;
    const inParts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format;
    const share = (cost, total = data.percent_of) => total > 0 ? cost * 100 / total : NaN;
    const percent = (cost, total = data.percent_of) => total > 0 && !Number.isNaN(cost) ? inParts(share(cost, total)) : '-';
    const each = (cost, count) => data.counts === 'calls' && count > 0 ? cost / count : NaN;
    const counted = data.counts === 'samples' ? 'Samples' : 'Calls';
    const countOf = (n) => data.counts === 'nothing' ? '-' : number(n);
    const perCall = (n) => Number.isNaN(n) ? '-' : Number.isInteger(n) || n >= 1000 ? number(n) : inParts(n);

    // Times and bytes have three digits that matter, as in the terminal, in the largest unit that they have one of.
    const units = {
        time: [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]],
        bytes: [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30], ['TiB', 2 ** 40]] }[data.unit];
    const unitOf = (cost) => { // what would be rounded to one of the next unit is one
        const size = Math.abs(cost) * data.factor;
        return units.find(([, one], i) => i === units.length - 1 || size < units[i + 1][1] - one / 2);
    };
    const costText = (cost) => {
        if (!units)
            return number(cost);
        const [unit, one] = unitOf(cost), n = cost * data.factor / one, isWhole = one === 1 && Number.isInteger(n);
        const digits = isWhole ? 0 : [99.95, 9.995, 0.9995, 0.09995].filter((bound) => Math.abs(n) < bound).length;
        return `${n.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
    };
    const inUnits = (cost) => units && (data.factor > 1 || unitOf(cost)[1] > 1) ? `${costText(cost)} (${number(cost)})` : costText(cost);
    const eachText = (n) => units && !Number.isNaN(n) ? costText(n) : perCall(n);

    // Changes have a sign; their shares are those of the base's total.
    const isCompared = data.base !== undefined;
    const signed = (n, text) => n > 0 && text !== '-' ? `+${text}` : text;
    const changeText = (change) => `${signed(change, percent(change, data.base_total))} %, ${signed(change, inUnits(change))}`;
    const difference = (now, base) => Math.abs(now - base) > data.rounding ? now - base : 0;

    const fill = (list, facts) => list.replaceChildren(...facts.map(([term, value]) =>
        create('div', {}, create('dt', {}, term), create('dd', {}, create('bdi', {}, value)))));

    // ---- functions, and call arcs between them

    const files = [''], objects = [''];
    const textIn = (texts, given) => texts[typeof given === 'string' ? texts.push(given) - 1 : given];
    const noCalls = () => ({ calls: 0, cost: 0, baseCalls: 0, baseCost: 0 });
    const ifKnown = (inclusive) => data.has_inclusive ? inclusive : NaN;
    const functions = data.functions.map(([name, file, line, self, inclusive, calls, , , selfChange, inclusiveChange, callsChange, isNew], at) => ({
        at, name, file: textIn(files, file), object: textIn(objects, data.functions[at][isCompared ? 14 : 8] ?? 0), line, self, inclusive: ifKnown(inclusive), calls, allocated: data.allocated?.[at],
        selfChange, inclusiveChange: ifKnown(inclusiveChange), callsChange, state: isNew > 0 ? 'new' : isNew < 0 ? 'gone' : '',
        callees: [], callers: [], leftCallees: noCalls(), leftCallers: noCalls() }));
    functions.forEach((caller, at) => {
        const row = data.functions[at], arcs = new Map();
        const inputs = [[row[6], row[7], 'calls', 'cost'], [row[12], row[13], 'baseCalls', 'baseCost']];
        for (const [numbers, left, calls, cost] of inputs.slice(0, isCompared ? 2 : 1)) {
            // Lines move when a program changes: where two are compared, calls of one function are added up.
            for (let i = 0; i < numbers.length - 2; i += 4) {
                const callee = functions[numbers[i]];
                let arc = isCompared ? arcs.get(callee) : undefined;
                if (!arc) {
                    arc = { caller, callee, line: numbers[i + 1], ...noCalls() };
                    arcs.set(callee, arc);
                    caller.callees.push(arc);
                    callee.callers.push(arc);
                }
                arc[calls] += numbers[i + 2];
                arc[cost] += numbers[i + 3];
            }
            [caller.leftCallees[calls], caller.leftCallees[cost]] = numbers.slice(-2);
            [caller.leftCallers[calls], caller.leftCallers[cost]] = left;
        }
        for (const arc of isCompared ? [...caller.callees, caller.leftCallees, caller.leftCallers] : [])
            Object.assign(arc, { callsChange: arc.calls - arc.baseCalls, costChange: difference(arc.cost, arc.baseCost) });
    });

    // Rows of lines are made when a function is opened; but their files have places in the order of all lines.
    const [lineStep, lineRest] = isCompared ? [6, 3] : [4, 2];
    for (const numbers of data.lines ?? [])
        for (let i = 0; i < numbers.length - lineRest; i += lineStep)
            if (typeof numbers[i] === 'string')
                numbers[i] = files.push(numbers[i]) - 1;
    // Source: by the name of its file, by line.
    const code = new Map();
    for (const [file, place, ...items] of data.code ?? []) {
        const texts = items.length > 0 ? new Map() : [...code.values()][place - 1];
        let line = place;
        for (const item of items)
            if (typeof item === 'number')
                line = item;
            else
                texts.set(line++, item);
        code.set(file, texts);
    }

    /*
     * ---- addresses: a function is known by its name and, of several with that name, by what tells it from the others. So an
     * address is good on a later page. What it means there may be several functions, or none.
     */

    const named = new Map();
    for (const f of functions)
        named.get(f.name)?.push(f) ?? named.set(f.name, [f]);
    const PARTS = ['file', 'object', 'line'];
    const addressOf = (f) => {
        let address = `f=${inAddress(f.name)}`, others = named.get(f.name);
        for (const part of PARTS) {
            const alike = others.filter((other) => other[part] === f[part]);
            if (alike.length < others.length)
                address += `&${part}=${inAddress(String(f[part]))}`;
            others = alike;
        }
        return others.length > 1 ? `${address}&nth=${others.indexOf(f) + 1}` : address;
    };
    const functionsAt = (given) => {
        const found = (named.get(given.get('f')) ?? []).filter((f) => PARTS.every((part) => !given.has(part) || String(f[part]) === given.get(part)));
        return given.has('nth') ? found.slice(given.get('nth') - 1, given.get('nth')) : found;
    };
    // A stack is known by a hash of the names on its path, which must be the same in every version of this page.
    const hashOf = (hash, text) => {
        for (let i = 0; i < text.length; i++)
            hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
        return hash ^ hash >>> 15;
    };
    const keyOf = (f) => f.key ??= named.get(f.name).length > 1 ? `${f.name}\n${f.file}\n${f.object}` : f.name;
    const hashOfPath = (node) => node.hash ??= !node.parent ? 0x811c9dc5
        : hashOf(hashOfPath(node.parent), node.f ? `${keyOf(node.f)}\n` : `${node.total}\n`); // what was left out has no name
    const pathOf = (node) => (hashOfPath(node) >>> 0).toString(16);

    // ---- tables

    const paint = (element, state, strength = 0.5) => {
        element.style.setProperty('--colour', `rgb(var(--${state}) / ${strength})`);
        return element;
    };
    const link = (f) => create('a', { href: `#${addressOf(f)}`, title: nameOf(f) }, create('bdi', {}, nameOf(f)));

    /*
     * Columns show `text` of the values that rows have, by which they are sorted: changes by their sizes. A cell is empty if
     * its row, as that for what was left out, has no value. The length of its bar is a share.
     */
    const functionColumn = (functionOf) => ({ label: 'Function', name: 'words', words: (row) => row.label ? [row.label] : [
        link(functionOf(row)), create('small', {}, functionOf(row).state && create('b', {}, functionOf(row).state), ' ',
            create('bdi', {}, placeOf(functionOf(row))))] });
    // In percent, in units, and per call, which samples have not, or the changes of both.
    const costColumns = (label, value, change) => [
        { label: `${label} %`, name: 'percent', value, text: (cost) => percent(cost), bar: share },
        { label, name: 'units', value, text: costText, title: number },
        ...isCompared ? [
            { label: `${label} change %`, name: 'percent', value: change, isChange: true, text: (n) => percent(n, data.base_total),
                bar: (n) => share(Math.abs(n), data.base_total) },
            { label: `${label} change`, name: 'units', value: change, isChange: true, text: costText, title: number }
        ] : data.counts === 'samples' ? [] : [
            { label: `${label} per call`, name: 'each', value: (row) => each(value(row), row.calls), text: eachText, title: perCall }]];
    // Where there are changes, a narrow page shows numbers of calls in place of costs, not beside them.
    const countColumns = (text) => isCompared ? [
        { label: counted, name: 'each', value: (row) => row.calls, text },
        { label: `${counted} change`, name: 'each', value: (row) => row.callsChange, isChange: true, text }
    ] : [{ label: counted, name: 'count', value: (row) => row.calls, text }];
    const createCell = (row, { name, words, value, text, title, bar, isChange }) => {
        const n = words ? NaN : value(row);
        const withSign = (made) => Number.isNaN(n) ? '-' : isChange ? signed(n, made) : made;
        if (words || n === undefined)
            return create('td', { class: name }, ...words ? words(row) : []);
        const cell = create('td', { class: bar ? `share ${name}` : name, ...units && title && { title: withSign(title(n)) } },
            withSign(text(n)));
        if (bar)
            cell.style.backgroundSize = `${Math.max(0, Math.min(bar(n) || 0, 100))}% 1.4em`;
        return bar && isChange ? paint(cell, n > 0 ? 'grew' : 'shrank') : cell;
    };

    /*
     * A table of rows in `place`. It shows a page of those that `setFilter` lets through. `rest` is a last row, for what
     * was left out.
     */
    const createTable = (place, title, columns, rows, sortedBy, rest) => {
        let isReversed = false, lets = null, all = [], first = 0;
        const createRow = (row) => create('tr', {}, ...columns.map((column) => createCell(row, column)));
        const createButton = (text, onclick) => Object.assign(create('button', { type: 'button' }, text), { onclick });
        const head = columns.map(({ label, name }, c) => create('th', { scope: 'col', class: name }, createButton(label, () => {
            isReversed = c === sortedBy && !isReversed;
            sortedBy = c;
            arrange();
            keepState();
        })));
        const body = create('tbody', {});
        const range = create('span', { 'aria-live': 'polite' });
        const [back, on] = [['Previous', -PAGE], ['Next', PAGE]].map(([text, step]) => createButton(text, () => {
            first += step;
            draw();
            place.scrollIntoView();
        }));
        const pages = create('div', { class: 'pages' }, back, range, on);
        const draw = () => {
            const shown = all.slice(first, first + PAGE);
            body.replaceChildren(...shown.map(createRow));
            pages.hidden = all.length <= PAGE;
            range.textContent = `${number(first + 1)} to ${number(first + shown.length)} of ${number(all.length)}`;
            back.disabled = first === 0;
            on.disabled = first + PAGE >= all.length;
        };
        // The largest number first; rows with equal ones, and all by words, as they are.
        const arrange = () => {
            const { value, isChange } = columns[sortedBy];
            const key = (row) => (isChange ? Math.abs(value(row)) : value(row)) || 0;
            all = lets ? rows.filter(lets) : rows.slice();
            if (value)
                all.sort((a, b) => key(b) - key(a));
            if (isReversed)
                all.reverse();
            first = 0;
            head.forEach((cell) => cell.removeAttribute('aria-sort'));
            head[sortedBy].setAttribute('aria-sort', !value === isReversed ? 'descending' : 'ascending');
            draw();
        };
        place.append(create('table', {}, create('caption', {}, title), create('thead', {}, create('tr', {}, ...head)), body,
            ...rest ? [create('tfoot', {}, createRow(rest))] : []), pages);
        arrange();
        return {
            // What it is sorted by; with `-`, reversed.
            get value() {
                return (isReversed ? '-' : '') + columns[sortedBy].label;
            },
            set value(text) {
                const wanted = columns.findIndex(({ label }) => label === text.replace(/^-/, ''));
                sortedBy = wanted < 0 ? sortedBy : wanted;
                isReversed = text.startsWith('-');
                arrange();
            },
            setFilter: (filter) => {
                lets = filter;
                arrange();
                return all.length;
            } };
    };

    const leftOut = (what) => `${what} ${data.chosen ? 'left out' : `below ${data.limit} %`}`;
    // Of Xdebug's memory: what was allocated, which the stacks show, and what is kept of it.
    const hasAllocated = data.allocated !== undefined, inclusiveLabel = hasAllocated ? 'Kept' : 'Inclusive';
    const functionColumns = [
        functionColumn((f) => f), ...countColumns(countOf),
        ...costColumns('Self', (f) => f.self, (f) => f.selfChange),
        ...hasAllocated ? costColumns('Allocated', (f) => f.allocated) : [],
        ...costColumns(inclusiveLabel, (f) => f.inclusive, (f) => f.inclusiveChange)];
    const sortedBy = { inclusive: inclusiveLabel, invocations: counted, name: 'Function' }[data.sort] ?? 'Self';
    const table = createTable(byId('functions'), 'Functions', functionColumns, functions,
        functionColumns.findIndex(({ label }) => label === (isCompared && data.sort !== 'name' ? `${sortedBy} change` : sortedBy)),
        data.left.functions > 0 && { label: leftOut(`${number(data.left.functions)} functions`), self: data.left.self, calls: data.left.invocations });

    const showArcs = (title, arcs, functionOf, left) => {
        const hasLeft = left.calls > 0 || left.cost !== 0 || left.baseCalls > 0 || left.costChange;
        const isNone = arcs.length === 0 && !hasLeft;
        const place = isNone ? create('p', {}, `${title}: none`) : create('div', {});
        byId('calls').append(place);
        if (!isNone)
            createTable(place, title, [
                functionColumn(functionOf),
                ...isCompared ? [] : [{ label: 'Line', name: 'count', value: (arc) => arc.line, text: (line) => line > 0 ? String(line) : '-' }],
                ...countColumns(number), ...costColumns(hasAllocated ? 'Kept' : 'Cost', (arc) => arc.cost, (arc) => arc.costChange)],
            arcs, isCompared ? 6 : 4, hasLeft && { ...left, label: leftOut('Calls') });
    };

    // Rows for the source between two lines of a file: three next to each, and one in place of more.
    const codeBetween = (f, { file, line: last } = {}, row) => {
        const rows = [], texts = code.get(row.file || f.file);
        for (let line = last + 1; texts && last > 0 && file === row.file && line < row.line; line++)
            if (line > last + BESIDE && line < row.line - BESIDE) {
                rows.push({ file, dots: true, callees: [] });
                line = row.line - BESIDE - 1;
            } else if (texts.has(line)) {
                rows.push({ file, line, callees: [] });
            }
        return rows;
    };
    // The lines of a function, its own before those of code that was inlined from other files, each with its calls.
    const linesOf = (f) => {
        const numbers = data.lines?.[f.at] ?? [], rows = [], callsAt = new Map();
        for (const arc of f.callees)
            callsAt.get(arc.line)?.push(arc) ?? callsAt.set(arc.line, [arc]);
        for (let i = 0; i < numbers.length - lineRest; i += lineStep) {
            const [file, line, self, cost, baseSelf, baseCost] = numbers.slice(i, i + lineStep);
            const row = { file: files[file], line, self, cost, selfChange: self - baseSelf, costChange: cost - baseCost, callees: cost !== 0 ? callsAt.get(line) ?? [] : [] };
            rows.push(...codeBetween(f, rows.at(-1), row), row);
        }
        return rows.some(({ line }) => line > 0) ? [...rows.filter(({ file }) => !file), ...rows.filter(({ file }) => file)] : [];
    };
    const showLines = (f) => {
        const rows = linesOf(f), [left, self, baseSelf] = data.lines?.[f.at].slice(-lineRest) ?? [0];
        if (rows.length === 0)
            return;
        const textOf = ({ file, line }) => code.get(file || f.file)?.get(line);
        const place = create('section', { class: 'lines', tabindex: 0, 'aria-label': 'Lines' });
        byId('calls').append(place);
        const columns = [
            { label: 'Line', name: 'words', words: (row) => row.label ? [row.label] : [
                ...row.dots ? ['\u2026'] : [create('bdi', { title: visible(row.file || f.file) }, row.file ? `${visible(row.file).replace(/.*\//, '')}:` : '', row.line > 0 ? String(row.line) : '?')],
                ...textOf(row) === undefined ? [] : [' ', create('code', {}, visible(textOf(row).replace(/\t/g, '    ')))],
                ...row.callees.flatMap((arc) => [' → ', link(arc.callee), ` ${costText(arc.cost)}`])] },
            ...costColumns('Self', (row) => row.self, (row) => row.selfChange).filter(({ name }) => name !== 'each'),
            ...costColumns('Calls', (row) => row.cost, (row) => row.costChange).filter(({ name }) => name !== 'each')];
        createTable(place, data.code ? 'Lines and source' : 'Lines', columns, rows, data.code && rows.length <= PAGE ? 0 : isCompared ? 4 : 2,
            left > 0 && { label: leftOut(`${number(left)} lines`), self, selfChange: self - baseSelf });
        // The hottest line is in sight.
        const hottest = rows.reduce((most, row, at) => row.self > (rows[most].self ?? 0) ? at : most, 0), shown = place.querySelectorAll('tbody tr');
        if (data.code && rows.length <= PAGE)
            place.scrollTop = Math.max(0, shown[hottest].offsetTop - place.clientHeight / 2);
    };

    const showFunction = (f) => {
        const cost = (n, change) => Number.isNaN(n) ? '-' : `${percent(n)} %, ${inUnits(n)}${isCompared ? `; change: ${changeText(change)}`
            : data.counts === 'calls' ? `, ${eachText(each(n, f.calls))} per call` : ''}`;
        byId('name').replaceChildren(create('bdi', {}, nameOf(f)));
        byId('place').replaceChildren(create('b', {}, f.state), ' ', create('bdi', {}, placeOf(f)));
        fill(byId('sums'), [[counted, countOf(f.calls) + (isCompared ? `; change: ${signed(f.callsChange, countOf(f.callsChange))}` : '')],
            ['Self', cost(f.self, f.selfChange)], ...hasAllocated ? [['Allocated', cost(f.allocated)]] : [],
            [inclusiveLabel, cost(f.inclusive, f.inclusiveChange)]]);
        byId('calls').replaceChildren();
        showLines(f);
        showArcs('Callers', f.callers, (arc) => arc.caller, f.leftCallers);
        showArcs('Callees', f.callees, (arc) => arc.callee, f.leftCallees);
    };

    /*
     * ---- stacks: nodes with their children, the widest first; `start` is the width of what is to the left of a node. A node
     * is as wide as its children, and the larger cost of what is left of it in the two inputs.
     */

    const addNode = (tree, parent, f, total, self, base) => {
        const node = { at: tree.length, parent, f, total, self, base, children: [], start: 0, depth: parent ? parent.depth + 1 : 0, width: 0 };
        parent?.children.push(node);
        tree.push(node);
        return node;
    };
    const sum = (children, key) => children.reduce((all, child) => all + child[key], 0);
    const arrange = (tree) => {
        for (const node of tree.slice().reverse())
            node.width = !isCompared ? node.total : sum(node.children, 'width') +
                Math.max(0, node.total - sum(node.children, 'total'), node.base - sum(node.children, 'base'));
        for (const node of tree) {
            let { start } = node;
            for (const child of node.children.sort((a, b) => b.width - a.width)) {
                child.start = start;
                start += child.width;
            }
        }
        return tree;
    };
    const nodes = [];
    for (let i = 0; i < data.stacks.length; i += isCompared ? 6 : 4) {
        const [parent, f, total, self, base] = data.stacks.slice(i, i + 5);
        addNode(nodes, nodes[parent], functions[f], total, self, base);
    }
    arrange(nodes);
    // All stacks that lead to a function, upside down. Of calls within calls of it, the outermost one has the cost.
    const leadingTo = (f) => {
        const tree = [];
        addNode(tree, undefined, f, 0, undefined, 0);
        for (const node of nodes.filter((each) => each.f === f)) {
            const path = [];
            let above = node.parent;
            for (; above.parent && above.f !== f; above = above.parent)
                path.push(above.f);
            for (let i = -1, to = tree[0]; i < path.length && !above.parent; i++) {
                if (i >= 0)
                    to = to.children.find((child) => child.f === path[i]) ?? addNode(tree, to, path[i], 0, undefined, 0);
                to.total += node.total;
                to.base += node.base;
            }
        }
        return arrange(tree);
    };

    const MOST_FRAMES = 2500, LEAST_PIXELS = 2, LEAST_TEXT = 30, ROW = 1.45, LETTER = 0.482;
    const icicle = byId('icicle');
    let tree = nodes, root = nodes[0], current = root, frames = new Map(), matches = null, width = 0;
    const frameName = (node) => node.f ? nameOf(node.f) : node.parent ? '(left out)' : 'all';
    // Functions may have freed what their stacks have taken, so that the stacks may be more than the functions.
    const frameShare = (cost) => percent(cost * Math.min(1, data.percent_of / nodes[0].total));
    const frameChange = (node) => difference(node.total, node.base);
    const frameState = (node) => node.base === 0 ? 'new' : node.total === 0 ? 'gone' : frameChange(node) > 0 ? 'grew' : frameChange(node) < 0 ? 'shrank' : 'same';
    const frameCost = (node) => `${data.estimated ? 'estimated ' : ''}${frameShare(node.total)} %, ${inUnits(node.total)}${isCompared ? `, ${frameState(node)}: ${changeText(frameChange(node))}` : ''}`;
    const describe = (node) => byId('frame').replaceChildren(
        node.f ? link(node.f) : create('bdi', {}, frameName(node)), ` ${frameCost(node)}${node.self !== undefined ? `, self ${frameShare(node.self)} %` : ''} `,
        create('small', {}, create('bdi', {}, node.f ? placeOf(node.f) : '')));
    const isKernel = (f) => /^\[(?!vdso|vsyscall|heap|stack|JIT|inlined|unknown)|vmlinux|\.ko\b/.test(f.file);
    const colours = byId('colours');
    const colourKeys = {
        function: frameName,
        file: (node) => node.f?.file ?? '',
        namespace: (node) => node.f ? namespaceOf(node.f.name) : '',
        kernel: (node) => node.f && isKernel(node.f) ? 'kernel' : 'else' };
    const createFrame = (node, letter) => {
        const isAbove = node.depth < root.depth;
        const span = isAbove || root.width === 0 ? 1 : node.width / root.width;
        const name = frameName(node);
        const frame = create('div', { role: 'treeitem', tabindex: node === current ? 0 : -1, 'aria-level': node.depth + 1,
            'aria-label': `${name}, ${frameCost(node)}`, 'data-node': node.at,
            class: (isAbove ? 'above' : span * width < LEAST_TEXT ? 'thin' : '') + (matches?.has(node.f) ? ' match' : '') });
        if (span * width >= LEAST_TEXT)
            frame.append(shortened(name, (span * width - 9) / letter));
        frame.style.left = `${isAbove ? 0 : (node.start - root.start) * 100 / (root.width || 1)}%`;
        frame.style.width = `${span * 100}%`;
        frame.style.top = `${node.depth * ROW}rem`;
        const key = colourKeys[colours.value]?.(node);
        if (key !== undefined)
            frame.style.setProperty('--hue', [...key].reduce((hash, c) => (hash * 31 + c.codePointAt(0)) % 65521, 0) * 137.5 % 360);
        else // the more of it has changed, the more colour
            paint(frame, frameState(node), 0.15 + 0.6 * Math.abs(frameChange(node)) / Math.max(node.total, node.base));
        frames.set(node, frame);
        return frame;
    };
    // Draws the frames that are wide enough to be seen, below `root`; if they are too many, the widest.
    const drawStacks = () => {
        width = icicle.clientWidth;
        const letter = LETTER * parseFloat(window.getComputedStyle(document.documentElement).fontSize);
        const found = [root];
        for (const node of found)
            found.push(...node.children.filter((child) => child.width * width >= root.width * LEAST_PIXELS));
        const shown = found.sort((a, b) => b.width - a.width || a.at - b.at).slice(0, MOST_FRAMES);
        if (!shown.includes(current))
            current = root;
        for (let node = root.parent; node; node = node.parent)
            shown.push(node);
        frames = new Map();
        icicle.replaceChildren(...shown.sort((a, b) => a.at - b.at).map((node) => createFrame(node, letter)));
        icicle.style.height = `${(shown.reduce((most, { depth }) => Math.max(most, depth), 0) + 1) * ROW}rem`;
        describe(current);
    };
    const zoom = (node) => location.assign(view === 'function' ? `#${addressOf(opened)}${node.parent ? `&path=${pathOf(node)}` : ''}`
        : node.parent ? `#s=${inAddress(node.f?.name ?? '')}&path=${pathOf(node)}` : '#s');
    const goTo = (node) => {
        if (!frames.has(node))
            return;
        frames.get(current)?.setAttribute('tabindex', -1);
        current = node;
        frames.get(node).setAttribute('tabindex', 0);
        frames.get(node).focus();
    };
    const sibling = (node, step) => node.parent?.children[node.parent.children.indexOf(node) + step];
    const keys = {
        ArrowUp: (node) => goTo(node.parent),
        ArrowDown: (node) => goTo(node.children[0]),
        ArrowLeft: (node) => goTo(sibling(node, -1)),
        ArrowRight: (node) => goTo(sibling(node, 1)),
        Home: () => goTo(tree[0]),
        Enter: zoom,
        ' ': zoom,
        Escape: () => zoom(root.parent ?? root) };
    // Calls action(node, event) for events of a frame.
    const onFrame = (kind, action) => icicle.addEventListener(kind, (event) => {
        const frame = event.target.closest('[data-node]');
        if (frame)
            action(tree[frame.dataset.node], event);
    });
    onFrame('click', zoom);
    onFrame('pointerover', describe);
    onFrame('focusin', describe);
    icicle.addEventListener('pointerleave', () => describe(current));
    onFrame('keydown', (node, event) => {
        if (Object.hasOwn(keys, event.key)) {
            keys[event.key](node);
            event.preventDefault();
        }
    });

    // ---- the filter: functions whose name or file has the text in it, in small or capital letters

    const filter = byId('filter');
    const matchedCost = (node) => matches.has(node.f) ? node.total : node.children.reduce((cost, child) => cost + matchedCost(child), 0);
    const applyFilter = () => {
        filtered = filter.value;
        const wanted = filtered.toLowerCase();
        matches = wanted ? new Set(functions.filter((f) => (f.lowered ??= `${f.name}\n${f.file}`.toLowerCase()).includes(wanted))) : null;
        const count = table.setFilter(matches && ((f) => matches.has(f)));
        byId('found').textContent = !matches ? '' : `${number(count)} of ${number(functions.length)}` +
            (nodes.length > 0 ? `, ${frameShare(matchedCost(nodes[0]))} % of stacks` : '') +
            (data.left.functions > 0 ? `; ${number(data.left.functions)} functions that the page left out were not searched` : '');
        byId('tools').classList.toggle('filtered', Boolean(matches));
    };
    filter.addEventListener('input', () => {
        applyFilter();
        if (view === 'stacks')
            drawStacks();
        if (view === 'function')
            location.hash = '';
        else
            keepState();
    });
    document.addEventListener('keydown', (event) => {
        if (event.key === '/' && event.target !== filter && !event.ctrlKey && !event.metaKey && !event.altKey) {
            filter.focus();
            filter.select();
            event.preventDefault();
        }
    });

    /*
     * ---- views: # is the table, #f=NAME a function, #f=NAME&path=HASH a node of what leads to it, #s all stacks,
     * #s=NAME&path=HASH those below a node, which has that name. What is chosen follows, such as &filter=db&sort=-Calls. A new
     * address, as of a link, need not have all of it. Of one that means nothing here, or several functions, the page says so.
     */

    const eventNames = byId('event');
    eventNames.append(...events.map(({ event }) => create('option', { value: event }, visible(event))));
    byId('events').hidden = events.length === 1;
    const choices = { event: eventNames, sort: table, filter, costs: byId('costs'), colours };
    let usual = {};
    const applyChoices = () => {
        if (eventNames.value !== data.event)
            location.reload();
        if (filter.value !== filtered)
            applyFilter();
        document.querySelector('main').className = choices.costs.value;
        byId('legend').hidden = colours.value !== 'change';
    };
    const keepState = () => history.replaceState('whole', '', Object.entries(choices).filter(([name, { value }]) => value !== usual[name])
        .reduce((address, [name, { value }]) => `${address}&${name}=${encodeURIComponent(value)}`, `#${place}`));
    for (const select of document.querySelectorAll('select'))
        select.addEventListener('change', () => {
            keepState();
            applyChoices();
            if (view !== 'functions' && root)
                drawStacks();
        });

    let view = '', place = '', filtered = '', scrolled = 0, opened;
    // Says what is wrong with an address, and which functions it may mean.
    const wrongWith = (given, found, hasNode) => {
        const alike = named.get(given.get('f') ?? given.get('s')) ?? [];
        const wanted = given.get('f') ?? given.get('s') ?? '';
        const name = [visible(wanted) || '(no name)', ...PARTS.map((part) => given.get(part)).filter(Boolean).map(visible)].join(', ');
        const left = data.left.functions > 0 ? `; ${number(data.left.functions)} functions were left out` : '';
        if (given.has('f') && found.length > 1)
            return [`The address ${name} may mean ${number(found.length)} functions of this page:`, found];
        if (given.has('f') && found.length === 0)
            return [`The address names ${name}, which is no function of this page${left}. ${alike.length > 0 ? 'Functions of that name:' : ''}`, alike];
        if (!hasNode)
            return [`The address names a stack that ${given.has('f') ? 'leads to' : 'ends in'} ${name}, which is not on this page${left}.`, alike];
        return [place && !given.has('f') && !given.has('s') ? `The address ${visible(place)} names nothing on this page.` : '', []];
    };
    const show = () => {
        const given = readAddress(), found = functionsAt(given), chosen = found.length === 1 ? found[0] : undefined;
        if (view === 'functions')
            scrolled = window.scrollY;
        const last = view;
        view = chosen ? 'function' : given.has('s') && nodes.length > 0 ? 'stacks' : 'functions';
        place = location.hash.slice(1).split('&').filter((part) => part && !Object.hasOwn(choices, part.split('=')[0])).join('&');
        for (const [name, choice] of Object.entries(choices)) {
            const wanted = given.get(name) ?? (history.state === 'whole' ? usual[name] : choice.value);
            if (wanted !== choice.value)
                choice.value = wanted;
            choice.value ||= usual[name];
        }
        applyChoices();
        keepState();
        for (const name of ['functions', 'function', 'stacks'])
            byId(name).hidden = name !== view;
        byId('to-functions').toggleAttribute('aria-current', view === 'functions');
        byId('to-stacks').toggleAttribute('aria-current', view === 'stacks');
        document.title = view === 'function' ? `${nameOf(chosen)} - ${heading}` : heading;
        const hadFocus = icicle.contains(document.activeElement);
        if (view === 'function' && (last !== view || opened !== chosen)) {
            showFunction(opened = chosen);
            tree = leadingTo(chosen);
            byId('leading').hidden = tree[0].width === 0 || nodes.length === 0;
            byId('leading').append(byId('graph'));
            window.scrollTo(0, 0);
            byId('name').focus();
        }
        if (view === 'stacks') {
            tree = nodes;
            byId('stacks').append(byId('graph'));
        }
        const path = given.get('path'), wanted = path === undefined && !given.get('s') ? tree[0]
            : tree.find((node) => node.parent && (chosen || (node.f?.name ?? '') === given.get('s')) && pathOf(node) === path);
        const [wrong, meant] = wrongWith(given, found, view === 'functions' ? !given.has('s') : wanted);
        byId('wrong').hidden = !wrong;
        byId('wrong').replaceChildren(wrong, ...meant.slice(0, PAGE).flatMap((f) => [' ', link(f), ` ${placeOf(f)}`]));
        if (view !== 'functions' && nodes.length > 0) {
            root = current = wanted ?? tree[0];
            drawStacks();
            if (hadFocus)
                frames.get(current).focus();
        } else if (last === 'function') {
            window.scrollTo(0, scrolled);
            [...byId('functions').querySelectorAll('a')].find((a) => a.getAttribute('href') === `#${addressOf(opened)}`)?.focus({ preventScroll: true });
        }
    };

    const heading = visible(data.title) || 'Profile';
    byId('title').replaceChildren(create('bdi', {}, heading));
    fill(byId('facts'), [
        ['Total', `${inUnits(data.total)}${data.per_run ? ' per run' : data.runs > 1 ? ` in ${number(data.runs)} runs` : ''}${data.excess
            && data.excess + inUnits(data.excess_cost)}`],
        ...isCompared ? [['Base', `${visible(data.base)}, ${inUnits(data.base_total)}${data.base_excess
            && data.base_excess + inUnits(data.base_excess_cost)}`], ['Change', `${changeText(data.change)}; ` +
            `changes are in percent of the base${data.rounding > 0 ? `; up to ${inUnits(data.rounding)} may come from rounding` : ''}`]] : [],
        ['Note', data.repeats ? 'inclusive costs count recursion more than once; a page of the profile itself counts it once' : ''],
        ['Event', visible(data.event)], ['Functions', number(functions.length + data.left.functions)],
        ['Creator', visible(data.creator)]].filter(([, value]) => value));
    byId('to-stacks').hidden = nodes.length === 0;
    if (data.estimated) {
        byId('to-stacks').append(' (estimated)');
        byId('leading').firstChild.append(' (estimated)');
        byId('too-thin').append(' The profile says who called whom for what, not along which paths: the cost of a function is divided among its callers in proportion to their calls.');
    }
    byId('too-thin').append(hasAllocated ? ' Stacks show what was allocated.' : '',
        data.frame_limit > 0 ? ` Frames below ${data.frame_limit} % are left out.` : '', data.negative_stacks > 0
        ? ` ${number(data.negative_stacks)} ${data.negative_stacks > 1 ? 'stacks' : 'stack'} with a negative cost left out.` : '');
    byId('both').hidden = !isCompared;
    if (isCompared) {
        byId('calls').style.display = 'block'; // no room for two tables side by side
        byId('costs').querySelector('[value=each]').textContent = counted.toLowerCase();
        byId('legend').append(...['grew', 'shrank', 'new', 'gone', 'same'].flatMap((state) => [paint(create('span', {}, state), state), ' ']));
    }
    for (const [value, isUseful] of [['change', isCompared], ['each', isCompared || data.counts !== 'samples'], ['kernel', functions.some(isKernel)]])
        if (!isUseful)
            document.querySelector(`:is(#costs, #colours) [value=${value}]`).remove();
    usual = Object.fromEntries(Object.entries(choices).map(([name, { value }]) => [name, value]));
    // One measure of costs at a time, where there is no room for all. Paper gets what is on the screen.
    const narrow = window.matchMedia(`(max-width: ${isCompared ? 84 : 58}rem)`);
    const fit = () => window.matchMedia('screen').matches && document.body.classList.toggle('narrow', narrow.matches);
    narrow.addEventListener('change', fit);
    fit();
    byId('tools').hidden = false;
    window.addEventListener('resize', () => view !== 'functions' && root && icicle.clientWidth !== width && drawStacks());
    window.addEventListener('hashchange', show);
    show();
})();
