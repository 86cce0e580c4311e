// SPDX-License-Identifier: MIT
// The page of --print=html. Its data are those of some events, one of which is shown: see src/view/page_print.c.
'use strict';
(() => { // to the end of the file
const PAGE = 100, BESIDE = 3, LEAST_PLACE = 8, MOST_PATH = 40, LETTER = 0.482;
const byId = (id) => document.getElementById(id);
const letterSize = () => LETTER * parseFloat(getComputedStyle(document.documentElement).fontSize);
const once = (make) => { let made; return () => made ??= make(); };
// Members of the data are comments; each is parsed when it is asked for.
const events = [];
for (const { data: text } of byId('data').childNodes) {
    const [start, key] = /^\n"(\w+)":/.exec(text) ?? [];
    if (key === 'title')
        events.push({});
    if (key)
        Object.defineProperty(events.at(-1), key, { get: once(() => JSON.parse(text.slice(start.length, text.lastIndexOf(text.endsWith(',\n') ? ',' : '}')))) });
}
// The parts of an address: #f=NAME&sort=Self is a Map of two. The first of a name counts; one may be without =.
const readAddress = () => new Map(location.hash.slice(1).split('&').reverse().map((part) => {
    const [, name, value] = /^([^=]*)(?:=(.*))?$/s.exec(part);
    try {
        return [name, value && decodeURIComponent(value)];
    } catch { // somebody has typed a name with a %
        return [name, value];
    }
}));
const inAddress = (text) => text.replace(/[%&#"<>`\p{C}\p{Z}]/gu, encodeURIComponent);
const chosenEvent = readAddress().get('event');
const data = events.find(({ event }) => event === chosenEvent) ?? events[0], { counts } = data, main = document.querySelector('main');
const groupBy = (all, keyOf) => {
    const groups = new Map();
    for (const one of all)
        groups.get(keyOf(one))?.push(one) ?? groups.set(keyOf(one), [one]);
    return groups;
};
const sumBy = (all, numberOf) => all.reduce((sum, one) => sum + numberOf(one), 0);

const create = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, value);
    element.append(...children);
    return element;
};
const bdi = (text) => create('bdi', {}, text);

// ---- texts and numbers

// Control characters, and those that would turn the text around, are shown by their numbers.
const visible = (text) => text.replace(/[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu,
    (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);
const nameOf = (f) => visible(f.name).replace(/(?<=^|')0x0+(?=[\da-f])/g, '0x') || '(no name)';
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const baseOf = (path) => path.replace(/.*[\\/]/, '');
const isKnown = (file) => !/^(\?\?\?)?$/.test(file);
const placeOf = (f, object = f.object) => object && !isKnown(f.file) ? visible(object) : `${visible(f.file)}${f.line > 0 ? `:${f.line}` : ''}${object && alike(f).length > 1 ? ` [${visible(object)}]` : ''}`;
// What %f of an option is: no `..` of a file leads out of that.
const linkPath = (file) => file.split(/[\\/]/).reduce((parts, part) => part === '..' ? parts.slice(0, Math.max(!parts[0], parts.length - 1))
    : part === '.' ? parts : [...parts, encodeURIComponent(part)], []).join('/');
const placeLink = (text, file, line) => !data.link || /^$|^\?\?\?|^php:internal|^\[/.test(file) ? bdi(text)
    : create('a', { href: data.link.replace(/%[fl]/g, (part) => part === '%l' ? line || 1 : linkPath(file)) },
        bdi(text));
// Where a name's namespaces end, where it begins after a type that is returned, and where its arguments are, in brackets
// after a word. Only qualifiers, a level of recursion, or another part of the name are after parameters.
const partsOf = (name) => {
    const parts = { ends: [], lists: [], start: 0 }, open = [];
    for (const { 0: sign, index } of name.matchAll(/operator(?:->|<<|>>|\(\)|[<>/ ])|{closure[^{}]*}|->|::|[\\/<>(){}[\] ]/g))
        if (/^[<({[]$/.test(sign)) {
            open.push(index);
        } else if (/^[>)}\]]$/.test(sign)) {
            const start = open.pop();
            if (start !== undefined && open.every((at) => name[at] === '{') && index > start + 1 && /(?:[\w>~)]|operator\W+)$/.test(name.slice(Math.max(0, start - 12), start)) &&
                (sign === '>' || sign === ')' && /^(?:$| (?:const|volatile|noexcept|\[|&)|::|'\d|[#}])/.test(name.slice(index + 1, index + 12))))
                parts.lists.push([start + 1, index]);
        } else if (open.length === 0 && sign === ' ' && /[^\s<]/.test(name[index + 1]) && !parts.lists.some(([start]) => name[start - 1] === '(')) {
            parts.start = index + 1;
        } else if (open.length === 0 && index > 0 && /^(?:->|::|[\\/])$/.test(sign)) {
            parts.ends.push(index);
        }
    parts.start *= parts.lists.some(([start]) => name[start - 1] === '(');
    parts.lists = parts.lists.filter(([start]) => start > parts.start);
    return parts;
};
const itemsOf = (list) => {
    let depth = 0;
    return [...list].map((c) => (depth += /[<({[]/.test(c) - /[>)}\]]/.test(c)) === 0 && c === ',' ? '\n' : c).join('').split('\n').map((item) => item.trim());
};
// Of columns of texts, those in which rows differ that are the same before; an ellipsis is in place of the others.
const differing = (rows, show) => {
    const columns = rows[0].map((_, c) => rows.map((row) => row[c]));
    let keys = rows.map(() => '');
    return columns.map((column) => {
        const next = column.map((text, i) => `${keys[i]}\n${text}`), isUseful = new Set(next).size > new Set(keys).size;
        keys = isUseful ? next : keys;
        return isUseful ? show(column) : column.map(() => '\u2026');
    });
};
// Names whose arguments are folded, but for what tells names from each other that would be the same then.
const folded = (names, level = 0) => {
    if (level > 3) // names may nest deeper than calls of this
        return names;
    const parts = names.map(partsOf);
    const joined = (i, insides) => parts[i].lists.reduceRight((text, [start, end], at) => text.slice(0, start) + insides[at] + text.slice(end), names[i]).slice(parts[i].start);
    const short = names.map((_, i) => joined(i, parts[i].lists.map(() => '\u2026')));
    for (const equals of groupBy([...short.keys()], (i) => short[i]).values())
        if (new Set(equals.map((i) => names[i])).size > 1) {
            const columns = differing(equals.map((i) => parts[i].lists.map(([start, end]) => names[i].slice(start, end))), (lists) => {
                const items = lists.map(itemsOf), isAligned = items.every(({ length }) => length === items[0].length);
                const shown = isAligned ? differing(items, (column) => {
                    const bare = column.map((item) => item.replace(/\b(?:\w+::)+(?=\w)/g, '')), isSame = new Set(bare).size < new Set(column).size;
                    return folded(isSame ? column : bare, level + 1);
                }) : [folded(lists, level + 1)];
                return lists.map((_, i) => shown.map((column) => column[i]).join(', ').replace(/\u2026(?:, \u2026)+/g, '\u2026'));
            });
            equals.forEach((i, at) => { short[i] = joined(i, columns.map((column) => column[at])); });
        }
    return short;
};
// A name in so many letters loses the folder of a closure, its arguments, namespaces from the left, and then the sign.
const shortened = (full, most, isFolded = false) => {
    const bare = full.length > most ? full.replace(/{closure:[^{}]*[\\/](?=[^{}\\/]+}$)/, '{') : full;
    const name = bare.length > most && !isFolded ? folded([bare])[0] : bare, ends = name.length > most ? partsOf(name).ends : [];
    const end = ends.find((at) => name.length - at + 1 <= most);
    return end ? `\u2026${name.slice(end)}` : ends[0] ? name.slice(ends.pop()).replace(/^(->|::|[\\/])/, '') : name;
};
// The class or namespace of a method of PHP is a class, that of a function a namespace.
const namespaceOf = ({ name, class: its }) => its.includes('\\') && name[its.length] !== '\\' ? its.slice(0, its.lastIndexOf('\\')) : its;
const isKernel = (f) => /^\[(?!vdso|vsyscall|heap|stack|JIT|inlined|unknown)|vmlinux|\.ko\b/.test(f.file);
const folderOf = ({ file }) => /^(?:[\\/](?=[^\\/]*$)|.*(?=[\\/]))?/s.exec(file)[0];
const KINDS = { name: (f) => f.name, file: (f) => f.file, folder: folderOf, class: (f) => f.class, namespace: namespaceOf, object: (f) => f.object,
    kernel: (f) => isKernel(f) ? 'kernel' : 'else' };
const labelOf = (kind, key) => kind === 'class' && key === 'php' ? 'PHP itself' : kind === 'class' && /^(?:require|include)(?:_once)?$/.test(key) ? `included files (${key})`
    : visible(key) || (/^(?:class|namespace)$/.test(kind) ? 'functions' : `no ${kind}`);
const withDigits = (n, digits) => n.toFixed(digits).replace(/(?<!\.\d*)\d(?=(\d{3})+(?!\d))/g, '$&,');
const number = (n) => withDigits(n, 0), inParts = (n) => withDigits(n, 2), several = (n, what) => `${number(n)} ${what}${n > 1 ? 's' : ''}`;
const share = (cost, total = data.percent_of) => total > 0 ? cost * 100 / total : NaN;
const percent = (cost, total = data.percent_of) => total > 0 && !Number.isNaN(cost) ? inParts(share(cost, total)) : '-';
const each = (cost, count) => cost === undefined ? cost : counts === 'calls' && count > 0 ? cost / count : NaN;
// An event in words, without the unit that its costs are shown in.
const eventName = ({ event }) => visible(event).replace(/^([A-Z][a-z]+)_\(.*\)$/, (_, word) => word.toLowerCase());
const counted = counts === 'samples' ? 'Samples' : 'Calls';
const perCall = (n) => Number.isNaN(n) ? '-' : Number.isInteger(n) || n >= 1000 ? number(n) : inParts(n);

// Times and bytes have three digits that matter, as in the terminal, in the largest unit that they have one of.
const UNITS = {
    time: [['ns', 1], ['\u00b5s', 1e3], ['ms', 1e6], ['s', 1e9]],
    bytes: [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30], ['TiB', 2 ** 40]] };
const unitOf = (cost, of = data) => { // what would be rounded to one of the next unit is one
    const size = Math.abs(cost) * of.factor;
    return UNITS[of.unit].find(([, one], i, all) => i === all.length - 1 || size < all[i + 1][1] - one / 2);
};
const costText = (cost, of = data) => {
    if (!UNITS[of.unit])
        return number(cost);
    const [unit, one] = unitOf(cost, of), n = cost * of.factor / one, isWhole = one === 1 && Number.isInteger(n);
    const digits = isWhole ? 0 : [99.95, 9.995, 0.9995, 0.09995].filter((bound) => Math.abs(n) < bound).length;
    return `${withDigits(n, digits)} ${unit}`;
};
const inUnits = (cost, of = data) => UNITS[of.unit] && (of.factor > 1 || unitOf(cost, of)[1] > 1) ? `${costText(cost, of)} (${number(cost)})` : costText(cost, of);
const eachText = (n, of = data) => UNITS[of.unit] && !Number.isNaN(n) ? costText(n, of) : perCall(n);

// Changes have a sign; their shares are those of the base's total.
const isCompared = data.base !== undefined;
const signed = (n, text) => n > 0 && text !== '-' ? `+${text}` : text;
const changeText = (change, base, of = data) => `${signed(change, percent(change, of.base_percent_of))} %, ${signed(change, inUnits(change, of))}${base > 0
    ? `, ${signed(change, inParts(share(change, base)))} % of before` : ''}`;
const marginText = (change, margin, of = data) => of.selfMargin ? `${Math.abs(change) <= margin ? 'within' : 'beyond'} +/- ${inUnits(margin, of)}` : '';
const difference = (now, base, of = data) => Math.abs(now - base) > of.rounding ? now - base : 0;

const createButton = (text, onclick) => Object.assign(create('button', { type: 'button' }, text), { onclick });
// ---- functions, and call arcs between them, which are made when they are asked for

// The functions of an event, and the files, classes or objects that they have, which are known by their numbers.
const functionsOf = (of) => of.made ??= of.self.map((_, at) => new Func(of, at));
const textsOf = (of, kind) => (of.texts ??= {})[kind] ??= ['', ...of[kind].filter((text) => typeof text === 'string')];
const inBoth = (keys) => keys.flatMap((of) => [of, `${of}Base`, `${of}Change`]);
const everyCost = (cost) => Object.fromEntries(inBoth(['self', 'inclusive', 'calls', 'allocated']).map((of) => [of, cost]));
// What files, classes or objects cost, by their texts, and what those cost that were left out.
const groupsOf = (of, kind) => (of.groupRows ??= {})[kind] ??= (() => {
    const texts = of[kind] && textsOf(of, kind), rows = new Map(), numbers = of.groups[['file', 'class', 'object', 'folder'].indexOf(kind)], step = isCompared ? 7 : of.allocated ? 5 : 4;
    const costs = (i, end = '') => ({ [`self${end}`]: numbers[i], [`inclusive${end}`]: of.has_inclusive ? numbers[i + 1] : NaN,
        [`calls${end}`]: of.counts === 'nothing' ? NaN : numbers[i + 2] });
    let i = 0;
    for (; i + step < numbers.length; i += step) {
        const row = { key: texts?.[numbers[i]] ?? numbers[i], ...costs(i + 1), allocated: numbers[i + 4], ...isCompared ? costs(i + 4, 'Base') : {} };
        for (const key of isCompared ? ['self', 'inclusive', 'calls'] : [])
            row[`${key}Change`] = key === 'calls' ? row.calls - row.callsBase : difference(row[key], row[`${key}Base`], of);
        rows.set(row.key, row);
    }
    return { rows, left: { count: numbers[i], self: numbers[i + 1] } };
})();
const noCalls = () => ({ calls: 0, cost: 0, callsBase: 0, costBase: 0 });
const withChanges = (calls) => isCompared ? Object.assign(calls,
    { callsChange: calls.calls - calls.callsBase, costChange: difference(calls.cost, calls.costBase) }) : calls;
class Func {
    constructor(of, at) {
        this.of = of;
        this.at = at;
    }
    // Names have the number of letters that they share with the one before, of which each 64th has none.
    get name() {
        const { names } = this.of, made = this.of.madeNames ??= [], first = this.at & ~63;
        if (made[this.at] === undefined)
            for (let i = first, name = ''; i < first + 64; i++)
                made[i] = name = name.slice(0, names[2 * i]) + names[2 * i + 1];
        return made[this.at];
    }
    get state() { return ['gone', '', 'new'][this.of.state?.[this.at] + 1]; }
    get key() { return `${this.name}\n${this.file}\n${this.object}\n${this.line}`; }
    get inputs() {
        const [made, left, madeBase, leftBase] = data.calls[this.at];
        return [[made, left, 'calls', 'cost'], [madeBase, leftBase, 'callsBase', 'costBase']].slice(0, isCompared ? 2 : 1);
    }
    get callees() {
        return this.madeCallees ??= (() => {
            const arcs = [], known = new Map();
            for (const [numbers, , calls, cost] of this.inputs)
                for (let i = 0; i < numbers.length - 2; i += 4) {
                    // Lines move when a program changes: where two are compared, calls of one function are added up.
                    let arc = isCompared ? known.get(numbers[i]) : undefined;
                    if (!arc) {
                        arc = { caller: this, callee: functions[numbers[i]], line: numbers[i + 1], ...noCalls() };
                        known.set(numbers[i], arc);
                        arcs.push(arc);
                    }
                    arc[calls] += numbers[i + 2];
                    arc[cost] += numbers[i + 3];
                }
            return arcs.map(withChanges);
        })();
    }
    get callers() { return (callersOf()[this.at] ?? []).flatMap((caller) => functions[caller].callees.filter(({ callee }) => callee === this)); }
    // What was left out of the calls that it makes, or of those to it.
    left(isTo) {
        const left = noCalls();
        for (const [numbers, leftCallers, calls, cost] of this.inputs)
            [left[calls] = 0, left[cost] = 0] = isTo ? leftCallers : numbers.slice(numbers.length & ~3);
        return withChanges(left);
    }
}
for (const key of ['line', ...inBoth(['self', 'inclusive', 'calls', 'allocated']), 'selfMargin', 'inclusiveMargin']) {
    const member = key.replace('calls', 'invocations'), isKnown = (of) => key.startsWith('inclusive') ? of.has_inclusive : key !== 'calls' || of.counts !== 'nothing';
    Object.defineProperty(Func.prototype, key, { get() { return isKnown(this.of) ? this.of[member]?.[this.at] : NaN; } });
}
for (const kind of ['file', 'class', 'object'])
    Object.defineProperty(Func.prototype, kind, { get() {
        const text = this.of[kind][this.at];
        return typeof text === 'string' ? text : textsOf(this.of, kind)[text];
    } });
const functions = functionsOf(data), files = textsOf(data, 'file');
const callersOf = once(() => {
    const callers = [];
    data.calls.forEach(([made, , madeBase = []], caller) => {
        for (const numbers of [made, madeBase])
            for (let i = 0; i < numbers.length - 2; i += 4)
                if ((callers[numbers[i]] ??= []).at(-1) !== caller)
                    callers[numbers[i]].push(caller);
    });
    return callers;
});

// Files of lines have numbers in the order of all lines.
const [lineStep, lineRest] = isCompared ? [6, 3] : [4, 2];
const readLines = once(() => {
    for (const numbers of data.lines ?? [])
        for (let i = 0; i < numbers.length - lineRest; i += lineStep)
            if (typeof numbers[i] === 'string')
                numbers[i] = files.push(numbers[i]) - 1;
    return data.lines ?? [];
});
const code = new Map();
for (const [file, first, ...items] of data.code ?? []) {
    const texts = items.length > 0 ? new Map() : [...code.values()][first - 1];
    let line = first;
    for (const item of items)
        if (typeof item === 'number')
            line = item;
        else
            texts.set(line++, item);
    code.set(file, texts);
}

// Other events beside this one. Their functions are the same, unless they were left out.
const beside = { value: '', events: [] };
const numbersBeside = (event, row) => {
    const none = everyCost(event.left.functions > 0 ? NaN : 0);
    if (row.members && matches)
        return onlySelf(row.members.map((member) => numbersBeside(event, member)));
    event.byKey ??= new Map(functionsOf(event).map((f) => [f.key, f]));
    return (row.members ? groupsOf(event, by.value).rows.get(row.key) : event.byKey.get(row.key)) ?? none;
};

// ---- addresses: a name and, of several functions with it, what tells them apart. So they are good on a later page.

const alike = (f) => {
    let first = f.at, end = f.at + 1;
    while (functions[first - 1]?.name === f.name)
        first--;
    while (functions[end]?.name === f.name)
        end++;
    return functions.slice(first, end);
};
const named = (wanted) => functions.filter(({ name }) => name === wanted);
const PARTS = ['file', 'object', 'line'];
const addressOf = (f) => {
    let address = `f=${inAddress(f.name)}`, others = f.parts ? [f] : alike(f);
    for (const part of PARTS) {
        const same = others.filter((other) => other[part] === f[part]);
        if (same.length < others.length)
            address += `&${part}=${inAddress(String(f[part]))}`;
        others = same;
    }
    return others.length > 1 ? `${address}&nth=${others.indexOf(f) + 1}` : address;
};
const functionsAt = (given) => {
    const found = (given.has('f') ? named(given.get('f')) : []).filter((f) => PARTS.every((part) => !given.has(part) || String(f[part]) === given.get(part)));
    return given.has('nth') ? found.slice(given.get('nth') - 1, given.get('nth')) : found;
};
// A stack is known by a hash of the names on its path, which must be the same in every version of this page.
const NO_PATH = 0x811c9dc5 | 0;
const hashOf = (hash, f) => {
    const text = `${f ? f.path ??= alike(f).length > 1 ? `${f.name}\n${f.file}\n${f.object}` : f.name : ''}\n`;
    for (let i = 0; i < text.length; i++)
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return hash ^ hash >>> 15;
};

// ---- tables

const paint = (element, state, strength = 0.5) => {
    element.style.setProperty('--colour', `rgb(var(--${state}) / ${strength})`);
    return element;
};
const link = (f) => Object.assign(create('a', { href: `#${addressOf(f)}`, title: nameOf(f) }, bdi(nameOf(f))), { f });

// Rows are sorted by the values of a column: changes by size, and those `isWithin` a margin last. Rows without a value have
// an empty cell. Of columns `of` the same costs, some may be hidden. Those of words have `fields` of CSV, below `heads`.
const nameWith = (...parts) => create('div', { class: 'name' }, ...parts);
const functionCell = (f) => [nameWith(link(f), ...f.state ? [create('b', {}, f.state)] : [],
    create('small', { title: placeOf(f), class: alike(f).length > 1 ? 'needed' : '' }, placeLink(placeOf(f, baseOf(f.object)), f.file, f.line)))];
// Names in lines: what is too long loses namespaces, or its middle, but not what tells it from others.
const fitNames = (into, measured) => {
    const links = [...into.querySelectorAll('.name > a, .call > a, .name small > a')].filter(({ f }) => f), width = measured || links[0]?.closest('td').clientWidth, isWhole = byId('whole').checked;
    const most = width > 0 && !isWhole ? Math.floor(width / letterSize()) - 1 : Infinity, all = links.map(({ f }) => nameOf(f));
    const names = isWhole ? all : folded(all), shown = names.map((name) => shortened(name, most, true)), seen = shown.map((text) => text.slice(0, most));
    const alikeTo = (i) => names.filter((_, k) => seen[k] === seen[i] && all[k] !== all[i]);
    const partOf = (i) => {
        const name = names[i], letters = [...name], differs = Math.max(...alikeTo(i).map((other) => letters.findIndex((c, at) => c !== other[at])));
        const start = partsOf(name).ends.findLast((at) => at <= differs) ?? 0, end = start ? `\u2026${name.slice(start)}` : name;
        return differs - start > most - 4 ? `${end.slice(0, most / 3)}\u2026${end.slice(differs - start - 8).replace(/^\W+/, '')}` : end;
    };
    links.forEach((link, i) => {
        const text = link.closest('small') ? shortened(names[i], most / 2, true) : alikeTo(i)[0] ? partOf(i) : shown[i], small = link.parentElement.querySelector('small');
        if (link.firstChild.textContent !== text) // or all would be laid out again
            link.firstChild.textContent = text;
        if (small)
            small.hidden = !small.className && most - text.length < LEAST_PLACE;
    });
};
const functionColumn = (functionOf, heads = ['name', 'file', 'line', 'object']) => ({ label: 'Function', name: 'words', words: (row) => row.label ? [row.label] : functionCell(functionOf(row)),
    heads, fields: (row) => heads.map((part) => functionOf(row)[part]) });
// In percent, in units, and per call, which samples have not; or what they were, and the changes of both.
const costColumns = (label, key, of = data, numbers = (row) => row) => {
    const value = (row) => numbers(row)[key], change = (row) => numbers(row)[`${key}Change`], base = (row) => numbers(row)[`${key}Base`];
    const isWithin = (row) => Math.abs(change(row)) <= numbers(row)[`${key}Margin`];
    const inUnit = { text: (cost) => costText(cost, of), title: UNITS[of.unit] && number }, partOfBase = (n) => share(n, of.base_percent_of);
    return of.has_inclusive || key !== 'inclusive' ? [
        { label: `${label} %`, of: label, name: 'percent', value, text: (cost) => percent(cost, of.percent_of), part: (cost) => share(cost, of.percent_of) },
        ...isCompared ? [{ label: `${label} before`, name: 'units', value: base, ...inUnit }] : [],
        { label, of: label, name: 'units', value, ...inUnit },
        ...isCompared ? [
            { label: `${label} change %`, of: `${label} change`, name: 'percent change', value: change, isChange: true, isWithin, text: (n) => percent(n, of.base_percent_of), part: partOfBase },
            { label: `${label} change`, of: `${label} change`, name: 'units change', value: change, isChange: true, isWithin, ...inUnit, bar: partOfBase },
            ...of.selfMargin && key !== 'cost' ? [{ label: `${label} +/-`, name: 'units rest', value: (row) => numbers(row)[`${key}Margin`], ...inUnit }] : [],
            { label: `${label}, % of before`, of: `${label} change`, name: 'units rest', value: (row) => base(row) === undefined ? base(row) : share(change(row), base(row)),
                isChange: true, isWithin, text: inParts }
        ] : counts !== 'calls' ? [] : [
            { label: `${label} per call`, of: label, name: 'each', value: (row) => each(value(row), row.calls), text: (n) => eachText(n, of), title: UNITS[of.unit] && perCall }]
    ] : [];
};
const countColumns = () => counts === 'nothing' ? [] : isCompared ? [
    { label: counted, name: 'each', value: (row) => row.calls, text: number },
    { label: `${counted} change`, name: 'each', value: (row) => row.callsChange, isChange: true, text: number }
] : [{ label: counted, name: 'count', value: (row) => row.calls, text: number }];
const createCell = (row, { name, words, value, text, title, part, bar = part, isChange, isWithin }) => {
    const n = words ? NaN : value(row);
    const withSign = (made) => Number.isNaN(n) ? '-' : isChange ? signed(n, made) : made;
    if (words || n === undefined)
        return create('td', { class: name }, ...words ? words(row) : []);
    const cell = create('td', { class: bar ? `share ${name}` : name, ...title && { title: withSign(title(n)) } },
        withSign(text(n, row)));
    if (bar)
        cell.style.setProperty('--part', Math.max(0, Math.min((isChange ? Math.abs(bar(n)) : bar(n)) || 0, 100)));
    cell.classList.toggle('within', isWithin?.(row) ?? false);
    return bar && isChange ? paint(cell, n > 0 ? 'grew' : 'shrank') : cell;
};
const sumOf = (label, members) => {
    const sum = { label, members };
    for (const key of inBoth(['calls', 'self', 'cost']))
        if (members[0]?.[key] !== undefined)
            sum[key] = sumBy(members, (member) => member[key]);
    return sum;
};
const onlySelf = (members) => {
    const { self, selfBase, selfChange } = sumOf('', members);
    return { ...everyCost(NaN), self, selfBase, selfChange };
};
// CSV, by RFC 4180. What a spreadsheet would take for a formula is preceded by an apostrophe, as by --print=csv.
const csvField = (value) => typeof value === 'string' ? `"${/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(value) ? '\'' : ''}${visible(value).replaceAll('"', '""')}"`
    : value === undefined || Number.isNaN(value) ? '' : String(value);
const csvOf = (columns, rows) => [columns.flatMap(({ label, heads }) => heads ?? csvField(label)), ...rows.map((row) => columns.flatMap(
    ({ fields, value, part }) => fields ? fields(row).map(csvField) : csvField(part ? Number(part(value(row)).toFixed(2)) : value(row))))]
    .map((fields) => `${fields.join()}\r\n`).join('');
const save = (name, text) => {
    const file = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    create('a', { href: file, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(file), 10000);
};

// A table of rows in `into`: a page of those that `setFilter` lets through, their sum, and a row of the `rest`.
const createTable = (into, title, columns, rows, sorted, rest, hasCode = false) => {
    let wanted, sortedBy, isReversed, lets = null, all = [], keys = [], sortedKeys, sum = null, first = 0;
    const createRow = (row) => create('tr', row === opened ? { 'aria-current': true } : {}, ...columns.map((column) => createCell(row, column)));
    const head = columns.map(({ label, name }, c) => create('th', { scope: 'col', class: name }, createButton(label, () => {
        isReversed = c === sortedBy && !isReversed && !hasCode;
        wanted = c;
        sort();
        keepState();
    })));
    const body = create('tbody', {}), foot = create('tfoot', {}), range = create('span', { 'aria-live': 'polite' });
    const [back, on] = [['Previous', -PAGE], ['Next', PAGE]].map(([text, step]) => createButton(text, () => {
        made.turnTo(first + step);
        box.scrollTop = 0;
        box.scrollIntoView();
    }));
    // The first rows: the largest number first, of equal ones the dearest row; by words as they are.
    const ordered = (count) => {
        const bound = sortedKeys.at(isReversed ? count - 1 : -count), which = [];
        keys.forEach((key, i) => (isReversed ? key > bound : key < bound) || which.push(i));
        which.sort((a, b) => keys[b] - keys[a] || columns[sortedBy].value && all[b].self - all[a].self);
        return (isReversed ? which.reverse() : which).slice(0, count).map((i) => all[i]);
    };
    const draw = () => {
        const shown = ordered(first + PAGE).slice(first);
        const width = head[0].clientWidth; // as it was, because to measure again takes as long as to draw
        body.replaceChildren(...shown.map(createRow));
        fitNames(body, width);
        foot.replaceChildren(...sum ? [createRow(sum)] : [], ...rest ? [createRow(rest)] : []);
        range.textContent = `${number(first + 1)} to ${number(first + shown.length)} of ${number(all.length)}`;
        back.hidden = range.hidden = on.hidden = all.length <= PAGE;
        back.disabled = first === 0;
        on.disabled = first + PAGE >= all.length;
    };
    const filterRows = () => {
        const { value, isChange, isWithin } = columns[sortedBy], size = (row) => isChange ? Math.abs(value(row)) : value(row);
        all = lets ? rows.filter(lets) : rows;
        keys = all.map((row) => value && (isWithin?.(row) ? -1 / size(row) : size(row)) || 0);
        sortedKeys = new Float64Array(keys).sort();
        sum = lets && sumOf(`Sum of ${number(all.length)} of ${number(rows.length)}`, all);
        first = 0;
        draw();
    };
    // The column that is wanted or, if it is hidden, one of the same costs.
    const shownColumn = () => [wanted, ...columns.keys()].find((c) => (c === wanted || columns[c].of && columns[c].of === columns[wanted].of) &&
        getComputedStyle(head[c]).display !== 'none') ?? wanted;
    const sort = () => {
        sortedBy = shownColumn();
        head.forEach((cell) => cell.removeAttribute('aria-sort'));
        head[sortedBy].setAttribute('aria-sort', !columns[sortedBy].value === isReversed ? 'descending' : 'ascending');
        filterRows();
    };
    const box = create('div', { class: 'box' }, create('table', { 'aria-label': title }, create('thead', {}, create('tr', {}, ...head)), body, foot));
    const pages = create('div', { class: 'pages' }, back, range, on, createButton('CSV', () => save(`${title.toLowerCase()}.csv`, csvOf(columns, ordered(all.length)))));
    into.replaceChildren(...into.id ? [box, pages] : [create('div', { class: 'title' }, create('h3', {}, title), pages), box]);
    const made = {
        get sum() { return sum; },
        // What it is sorted by; with `-`, reversed.
        get value() { return (isReversed ? '-' : '') + columns[wanted].label; },
        set value(text) {
            const found = columns.findIndex(({ label }) => label === text.replace(/^-/, ''));
            wanted = found < 0 ? wanted : found;
            isReversed = text.startsWith('-') && !hasCode;
            sort();
        },
        setFilter: (filter) => {
            const hasOne = lets || filter;
            lets = filter;
            if (hasOne)
                filterRows();
        },
        turnTo: (at) => {
            first = at - at % PAGE;
            draw();
        },
        refit: () => {
            box.style.setProperty('--head', `${head[0].getBoundingClientRect().height}px`);
            fitNames(body);
        },
        follow: () => sortedBy !== shownColumn() && sort() };
    made.value = sorted;
    if (!into.id)
        tables.push(made);
    return made;
};

const leftShare = (cost, count, what) => `${percent(cost)} % of the cost, in ${number(count)} ${what}`;
// Of Xdebug's memory: what was allocated, which the stacks show, and what is kept of it.
const hasAllocated = data.allocated !== undefined, inclusiveLabel = hasAllocated ? 'Kept' : 'Inclusive';
const by = byId('by');
// A function of cachegrind has costs in several files; it is one, and has these as its parts.
const isSplit = !isCompared && counts === 'nothing' && !data.creator && data.title !== '' && events.some(({ event }) => event === 'Ir');
const united = (parts) => parts.length < 2 ? parts[0] : Object.create(parts.reduce((most, f) => f.self > most.self ? f : most),
    { parts: { value: parts }, self: { value: sumBy(parts, ({ self }) => self) } });
const isFound = ({ parts, at }) => parts ? parts.some(isFound) : matches[at];
const listed = once(() => isSplit ? [...groupBy(functions, ({ name }) => name).values()].map(united) : functions);
const list = byId('functions');
let view = '', opened, table, matches = null; // matches: of each function, whether the filter finds it
// The table of functions, or of what they have in common; a group leads to its functions.
const makeTable = () => {
    const kind = KINDS[by.value];
    const columnsBeside = (key) => beside.events.flatMap((event) =>
        costColumns(`${eventName(event)} ${key}`, key, event, (row) => row.label && !row.members ? {} : numbersBeside(event, row)).map((column) => ({ ...column, name: `${column.name} aside` })));
    const groupColumn = { label: capital(by.value), name: 'words', words: (row) => row.key === undefined ? [row.label] : [
        nameWith(Object.assign(create('a', { href: `#&by=function&filter=${by.value}:=${encodeURIComponent(row.key)}`, title: row.label }, bdi(row.label)), { f: { name: row.label } }),
            create('small', {}, bdi(several(row.members.length, 'function'))))],
    heads: [by.value, 'functions'], fields: (row) => [row.key, row.members.length] };
    const columns = [
        kind ? groupColumn : functionColumn((f) => f), ...countColumns(), ...costColumns('Self', 'self'), ...columnsBeside('self'),
        ...hasAllocated ? costColumns('Allocated', 'allocated') : [], ...costColumns(inclusiveLabel, 'inclusive'), ...columnsBeside('inclusive')
    ].filter(({ label }) => !kind || !label.endsWith('+/-'));
    const found = kind && groupBy(functions.filter(({ at }) => !matches || matches[at]), kind), groups = kind && groupsOf(data, by.value);
    // Of what is found of a group, only self costs add up.
    const rows = kind ? [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([key, members]) => ({
        ...matches ? onlySelf(members) : groups.rows.get(key), key, members, label: labelOf(by.value, key) })) : listed();
    const left = kind && !matches ? { ...groups.left, what: 'groups' } : { ...data.left, count: data.left.functions, what: 'functions', calls: data.left.invocations };
    const sortedBy = { inclusive: inclusiveLabel, invocations: counted, name: columns[0].label }[data.sort] ?? 'Self';
    const wanted = [table?.value ?? '', isCompared && data.sort !== 'name' ? `${sortedBy} change` : sortedBy, 'Self'];
    table = createTable(list, kind ? `By ${by.value}` : 'Functions', columns, rows,
        wanted.find((name) => columns.some(({ label }) => label === name.replace(/^-/, ''))), left.count > 0 && {
            label: `${leftShare(left.self, left.count, left.what)} left out`, self: left.self, calls: left.calls });
    if (matches)
        table.setFilter(kind ? () => true : isFound);
    list.classList.toggle('beside', beside.events.length > 0);
    list.classList.toggle('memory', hasAllocated);
};

const addDiv = (id) => byId(id).appendChild(create('div', {}));
let tables = []; // of what is shown below the head
const filterable = (made, functionOf) => Object.assign(made, { filterBy: (lets) => made.setFilter(lets && ((row) => lets[functionOf(row).at])) });
const filterTables = () => [...tables, ...view === 'lines' ? [showAllLines()] : []].forEach(({ filterBy }) => filterBy?.(matches));
const showArcs = (title, arcs, functionOf, left) => {
    const hasLeft = left.calls > 0 || left.cost !== 0 || left.callsBase > 0 || left.costChange;
    if (arcs.length === 0 && !hasLeft)
        return byId('calls').append(create('p', {}, `${title}: none`));
    const label = hasAllocated ? 'Kept' : 'Cost', columns = [
        functionColumn(functionOf),
        ...isCompared || !arcs.some(({ line }) => line > 0) ? [] : [{ label: 'Line', name: 'count', value: (arc) => arc.line, heads: ['line', 'file of the line'], fields: (arc) => [arc.line, fileOfCall(arc)],
            text: (line, arc) => line > 0 ? `${fileOfCall(arc) && `${visible(baseOf(fileOfCall(arc)))}:`}${line}` : '-' }],
        ...countColumns(), ...costColumns(label, 'cost')];
    const made = createTable(addDiv('calls'), title, columns, arcs, `${label}${isCompared ? ' change' : ''}`, hasLeft && { ...left, label: `${title} left out` });
    filterable(made, functionOf);
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
// The lines of a function with costs; without a file, they are in its own.
const costsOfLines = (f) => {
    const numbers = readLines()[f.at] ?? [], rows = [], callsAt = groupBy(f.callees, ({ line }) => line);
    for (let i = 0; i < numbers.length - lineRest; i += lineStep) {
        const [file, line, self, cost, baseSelf, baseCost] = numbers.slice(i, i + lineStep);
        const callees = cost !== 0 ? (callsAt.get(line) ?? []).sort((a, b) => b.cost - a.cost) : [], isAll = sumBy(callees, (arc) => arc.cost) === cost;
        rows.push({ f, file: files[file], line, self, cost, selfBase: baseSelf, costBase: baseCost, selfChange: self - baseSelf, costChange: cost - baseCost, callees,
            count: isAll ? sumBy(callees, ({ calls }) => calls) : NaN }); // there may be calls at this line in another file
    }
    return rows;
};
// The file of code that was inlined from there, if calls at a line are only made there.
const fileOfCall = ({ caller, line }) => {
    const known = caller.callFiles ??= new Map();
    if (known.size === 0)
        for (const { file, line: at, cost } of costsOfLines(caller))
            if (cost !== 0)
                known.set(at, (known.get(at) ?? file) === file ? file : '');
    return known.get(line) ?? '';
};
const leftLines = (all) => {
    const rest = sumOf('', all.map((f) => {
        const numbers = readLines()[f.at] ?? [], [calls = 0, self = 0, selfBase = 0] = numbers.slice(numbers.length - numbers.length % lineStep);
        return { calls, self, selfBase, selfChange: self - selfBase };
    }));
    return rest.calls > 0 && { ...rest, calls: undefined, label: `${leftShare(rest.self, rest.calls, 'lines')} left out` };
};
// The lines of a function with their source: those of its own file, then of others, the dearest first.
const linesOf = (f) => {
    const rows = [];
    for (const row of (f.parts ?? [f]).flatMap((part) => costsOfLines(part).map((line) => part.file === f.file ? line : { ...line, file: line.file || part.file })))
        rows.push(...codeBetween(f, rows.at(-1), row), row);
    const files = [...groupBy(rows, ({ file }) => file ?? '')].map(([file, all]) => ({ all, cost: file ? sumBy(all, ({ self = 0 }) => self) : Infinity }));
    return rows.some(({ line }) => line > 0) ? files.sort((a, b) => b.cost - a.cost).flatMap(({ all }) => all) : [];
};
const textOf = ({ file, line }, f) => code.get(file || f.file)?.get(line);
const lineLink = (row, f, isLong) => Object.assign(placeLink(`${row.file || isLong ? `${visible(baseOf(isKnown(row.file || f.file) ? row.file || f.file : f.object || '???'))}:` : ''}${row.line > 0 ? row.line : '?'}`,
    row.file || f.file, row.line), { title: visible(row.file || f.file) });
const codeOf = (text) => text === undefined ? [] : [' ', create('code', {}, visible(text.replace(/\t/g, '    ')))];
const notEach = ({ name }) => name !== 'each';
const lineColumns = (rows, words, fileOf) => [{ label: 'Line', name: 'words', words: (row) => row.label ? [row.label] : words(row),
    heads: ['file', 'line', 'code'], fields: (row) => [row.file || fileOf(row).file, row.line, textOf(row, fileOf(row))] },
...costColumns('Self', 'self').filter(notEach).filter(({ label }) => !label.endsWith('+/-')),
...data.has_inclusive && rows.some(({ cost, costBase }) => cost || costBase) ? [...isCompared || counts !== 'calls' ? [] : [{ label: 'Calls', name: 'count', value: ({ dots, label, count }) => dots || label ? undefined : count, text: number }],
    ...costColumns('Callees', 'cost').filter(notEach)] : []];
const showAllLines = once(() => {
    const rows = functions.flatMap(costsOfLines);
    const made = createTable(byId('lines'), 'Lines', lineColumns(rows, (row) => [nameWith(create('span', {}, lineLink(row, row.f, true)), ...codeOf(textOf(row, row.f)?.trim()).slice(1),
        create('small', { class: 'needed' }, link(row.f)))], ({ f }) => f), rows, isCompared ? 'Self change' : 'Self', leftLines(functions));
    return filterable(made, ({ f }) => f);
});
const showLines = (f) => {
    const rows = linesOf(f);
    if (rows.length === 0)
        return;
    const section = create('section', { class: data.code ? 'lines source' : 'lines' });
    byId('code').append(section);
    const columns = lineColumns(rows, (row) => [...row.dots ? ['\u2026'] : [lineLink(row, f), ...codeOf(textOf(row, f))],
        ...row.callees.slice(0, BESIDE).map((arc) => create('span', { class: 'call' }, ` \u2192 ${costText(arc.cost)} `, link(arc.callee))),
        ...row.callees.length > BESIDE ? [create('small', { class: 'call' }, ` and ${number(row.callees.length - BESIDE)} more calls`)] : []], () => f);
    const made = createTable(section, data.code ? 'Lines and source' : 'Lines', columns, rows, data.code ? 'Line' : isCompared ? 'Self change' : 'Self',
        leftLines(f.parts ?? [f]), rows.some((row) => textOf(row, f) !== undefined));
    const dearest = (some) => some.reduce((most, row) => row.self > (most.self ?? 0) ? row : most, {}), own = dearest(rows.filter(({ file }) => !file));
    const hottest = rows.indexOf(own.self ? own : dearest(rows)), box = section.querySelector('.box');
    box.tabIndex = 0;
    if (data.code && hottest >= 0) {
        made.turnTo(hottest);
        const shown = [...section.querySelectorAll('tbody tr')];
        box.scrollTop = shown.find(({ offsetTop }) => offsetTop >= shown[hottest % PAGE].offsetTop - box.clientHeight / 2).offsetTop - shown[0].offsetTop;
    }
};

// Parts of inputs, by their kinds: what each cost, and functions in it.
const PARTS_OF = [['Run', 'runs', 'r'], ['Thread', 'threads', 'h'], ['Process', 'processes', 'p']].map(([label, view, key], kind) => ({ label, view, key, kind, all: [] }));
const parts = (data.parts ?? []).map(([name, kind, self, calls, top, hasInclusive]) => {
    const { all, key } = PARTS_OF[kind];
    return all[all.push({ name, kind, address: `#${key}=${inAddress(name)}`, self, calls: calls || NaN, top: functions[top], hasInclusive, rows: [] }) - 1];
});
for (let i = 0; i < data.part_costs?.length; i += 4) {
    const part = parts[data.part_costs[i]], f = functions[data.part_costs[i + 1]], row = { ...part, f, self: data.part_costs[i + 2], inclusive: part.hasInclusive ? data.part_costs[i + 3] : NaN };
    part.rows.push(row);
    (f.inParts ??= [[], [], []])[part.kind].push(row);
}
const showParts = (into, { label, view, all, kind }, rows = all, title = capital(view), functionOf) => {
    const [count, cost] = data.parts_left.slice(2 * kind), isAll = rows === all;
    const words = ({ name, address, top }) => [nameWith(create('a', { href: address, title: visible(name) }, bdi(visible(name))),
        ...isAll && top ? [link(top)] : [])];
    const column = functionOf ? functionColumn(functionOf) : { label, name: 'words', words, heads: ['name', 'function'], fields: ({ name, top }) => [name, top?.name] };
    const made = createTable(into, title, [column, ...isAll && rows.some(({ calls }) => calls) ? countColumns() : [], ...[...costColumns('Self', 'self'), ...isAll || !rows[0]?.hasInclusive ? [] : costColumns(inclusiveLabel, 'inclusive')].filter(notEach)],
        rows, 'Self', isAll ? count > 0 && { label: `${leftShare(cost, count, view)} left out`, self: cost } : data.least_part_cost > 0 && { label: `Costs up to ${costText(data.least_part_cost)} are left out` });
    if (functionOf)
        filterable(made, functionOf);
};
// How the costs of a function's single calls spread, and the dearest ones.
const spreadOf = (costs) => ['minimum', 'median', '90 %', '99 %', 'maximum'].map((word, i) => `${word} ${costText(costs[i])}`).join(', ')
    + (data.single_exact > 0 ? `; rounded by up to ${inParts(200 / data.single_exact)} %` : '');
const showDearest = (f, dearest) => {
    const paths = dearest.map(([, , , , , ...numbers]) => numbers.flatMap((at, i) => i % 2 > 0 ? []
        : `${functions[at] ? nameOf(functions[at]) : '\u2026'}${numbers[i + 1] > 0 ? `:${numbers[i + 1]}` : ''}`));
    const textOfPath = (path) => path.filter(Boolean).reverse().join(' > ').replace(/\u2026(?: > \u2026)+/g, '\u2026'), most = Math.max(...paths.map(({ length }) => length));
    // Of long paths, the nearest caller and those that differ.
    const differ = differing(paths.map((path) => Array.from({ length: most }, (_, i) => path[i] ?? '')), (column) => column);
    const rows = dearest.map(([self, inclusive, calls, run, nth], at) => {
        const path = textOfPath(paths[at]), short = textOfPath(differ.map((column, i) => i > 0 ? column[at] : paths[at][0]));
        return { self, inclusive, calls, run, nth: nth || NaN, path: path.length > MOST_PATH ? short : path, title: textOfPath([nameOf(f), ...paths[at]]) };
    });
    createTable(addDiv('calls'), 'Costliest calls', [
        { label: 'From', name: 'words', words: ({ path, title }) => [create('div', { class: 'name', title }, create('small', { class: 'needed' }, bdi(path)))],
            heads: ['call'], fields: ({ title }) => [title] },
        ...data.runs > 1 ? [{ label: 'Run', name: 'count', value: ({ run }) => run, text: number }] : [],
        ...rows.some(({ nth }) => nth) ? [{ label: 'Call number', name: 'count', value: ({ nth }) => nth, text: number }] : [],
        ...[...rows.every(({ nth }) => nth) ? [] : countColumns(), ...costColumns('Self', 'self'), ...costColumns(inclusiveLabel, 'inclusive')].filter(notEach)], rows, inclusiveLabel);
};
const showFunction = (f) => {
    const [, count, ...single] = data.single?.find(([at]) => at === f.at) ?? [];
    const change = (n, base, margin, of) => [changeText(n, base, of), marginText(n, margin, of)].filter(Boolean).join(', ');
    const cost = (key, of = data, row = f) => Number.isNaN(row[key]) ? '-' : `${percent(row[key], of.percent_of)} %, ${inUnits(row[key], of)}${isCompared
        ? `; before: ${inUnits(row[`${key}Base`], of)}; change: ${change(row[`${key}Change`], row[`${key}Base`], row[`${key}Margin`], of)}`
        : counts === 'calls' && of === data ? `, ${eachText(each(row[key], f.calls))} per call` : ''}`;
    byId('name').replaceChildren(bdi(nameOf(f)));
    byId('place').replaceChildren(create('b', {}, f.state ?? ''), ' ', placeLink(placeOf(f), f.file, f.line));
    // The copy is what is shown, so that a name brings no control characters into a shell.
    byId('copy').replaceChildren(createButton('Copy name', () => {
        document.addEventListener('copy', (event) => {
            event.clipboardData.setData('text/plain', nameOf(f));
            event.preventDefault();
        }, { once: true });
        document.execCommand('copy');
    }));
    byId('sums').replaceChildren(...[counts !== 'nothing' && [counted, number(f.calls) + (isCompared ? `; before: ${number(f.callsBase)}; change: ${signed(f.callsChange, number(f.callsChange))}` : '')],
        ['Self', cost('self')], ...hasAllocated ? [['Allocated', cost('allocated')]] : [], data.has_inclusive && [inclusiveLabel, cost('inclusive')],
        data.no_calls && ['Callers and callees', data.no_calls], count > 0 && ['Single calls', spreadOf(single)],
        ...beside.events.flatMap((event) => ['self', 'inclusive'].map((key) =>
            [`${eventName(event)} ${key}`, cost(key, event, numbersBeside(event, f))]))].filter(Boolean).map(([term, value]) =>
        create('div', {}, create('dt', {}, term), create('dd', {}, bdi(value)))));
    byId('calls').replaceChildren();
    byId('code').replaceChildren();
    tables = [];
    if (f.parts)
        createTable(addDiv('calls'), 'Files', [{ label: 'File', name: 'words', words: (part) => [nameWith(create('small', { class: 'needed' }, placeLink(placeOf(part), part.file, part.line)))],
            heads: ['file'], fields: ({ file }) => [file] }, ...costColumns('Self', 'self')], f.parts, 'Self');
    else if (data.has_inclusive)
        showArcs('Callers', f.callers, (arc) => arc.caller, f.left(true));
    if (data.has_inclusive)
        showArcs('Callees', f.callees, (arc) => arc.callee, f.left(false));
    if (count > 0)
        showDearest(f, single.slice(5));
    showLines(f);
    f.inParts?.forEach((rows, kind) => rows[0] && showParts(addDiv('calls'), PARTS_OF[kind], rows));
    filterTables();
    tables.forEach(({ refit }) => refit()); // numbers may have narrowed the names
};

// ---- stacks: columns of numbers, a row for each node, parents first. A node is as wide as its children and the larger
// cost of what is left of it in the two inputs.

const readStacks = once(() => {
    const numbers = data.stacks, count = numbers.length / stackStep;
    const column = (at) => new Float64Array(count).map((_, i) => numbers[i * stackStep + at]);
    const stacks = { count, parent: Int32Array.from(column(0)), f: Int32Array.from(column(1)), total: column(2), self: column(3), base: isCompared ? column(4) : new Float64Array(count),
        width: column(2), child: new Int32Array(count), sibling: new Int32Array(count) };
    const { parent, total, base, width, child, sibling } = stacks, rest = total.slice();
    if (isCompared) {
        const left = base.slice();
        for (let i = count - 1; i > 0; i--) {
            rest[parent[i]] -= total[i];
            left[parent[i]] -= base[i];
        }
        width.forEach((_, i) => { width[i] = Math.max(0, rest[i], left[i]); });
    }
    for (let i = count - 1; i > 0; i--) {
        if (isCompared)
            width[parent[i]] += width[i];
        sibling[i] = child[parent[i]];
        child[parent[i]] = i;
    }
    return stacks;
});
const stackStep = isCompared ? 6 : 4, hasStacks = data.has_stacks > 0;
const TABS = [['lines', 'l', 'lines' in data], ['stacks', 's', hasStacks], ['time', 't', 'time' in data], ...PARTS_OF.map(({ view, key, all }) => [view, key, all[0]])];
for (const [name, key, has] of TABS) {
    byId('to-functions').parentElement.append(create('a', { href: `#${key}`, id: `to-${name}`, ...!has && { hidden: '' } }, capital(name)));
    if (!byId(name))
        main.append(create('section', { id: name, class: name, 'aria-label': capital(name) }, create('div', {}), create('div', {})));
}
const outermost = (marks) => {
    const { count, parent, f } = readStacks(), inside = new Uint8Array(count), found = [];
    for (let i = 1; i < count; i++) {
        inside[i] = inside[parent[i]] | marks[f[i]];
        if (inside[i] && !inside[parent[i]])
            found.push(i);
    }
    return found;
};

// Calls in their order: nodes as those of a flame, each a call, or several that are too short. Of samples, threads begin
// the tree, below each other, and costs are nanoseconds.
const isSampled = data.threads !== undefined;
const readCalls = once(() => {
    const unit = isSampled ? { unit: 'time', factor: 1 } : { unit: data.unit, factor: data.factor }, tree = [{ at: 0, hash: NO_PATH, start: 0, depth: 0, total: 0, width: 0, children: [], unit }], { time } = data;
    const threads = data.threads?.slice() ?? [];
    for (let i = 0; i < time.length; i += 4) {
        const [number, total] = [time[i + 1], time[i + 3]], parent = tree[time[i] + 1], label = parent.parent ? undefined : visible(threads.shift() ?? '');
        const f = functions[number], node = { at: tree.length, hash: hashOf(parent.hash, f) + parent.children.length | 0, parent, f, label, calls: Math.max(0, -number), start: parent.start + time[i + 2], unit,
            depth: parent.depth + 1, total, self: number < 0 ? undefined : total, width: total, children: [] };
        node.thread = isSampled && (parent.thread || node);
        tree.push(node);
        parent.children.push(node);
        if (parent.parent)
            parent.self -= total;
        tree[0].total = tree[0].width = Math.max(tree[0].width, parent.parent ? 0 : node.start + total);
    }
    unit.percent_of = tree[0].total; // of calls, with the costs that Xdebug wrote, not their self costs
    tree.forEach(({ children }) => children.sort((a, b) => a.start - b.start));
    return tree;
});
// The rows of frames: their depths, and those of the threads before.
const placeRows = (nodes) => {
    let end = 0;
    for (const all of groupBy(nodes, ({ thread }) => thread).values()) {
        const before = end;
        for (const node of all) {
            node.row = before + node.depth;
            end = Math.max(end, node.row);
        }
    }
    return end + 1;
};

const MOST_FRAMES = 2500, LEAST_PIXELS = 2, LEAST_LETTERS = 3, ROW = 1.45, WHEEL = 100;
const tip = byId('tip'), colours = byId('colours');
const frameName = ({ f, parent, calls, label }) => label ? label : calls ? several(calls, 'short call') : f ? nameOf({ name: f.name.split('\'', data.stack_names?.[f.at]).join('\'') }) : parent ? '(left out)' : 'all';
// Functions may have freed what their stacks have taken, so that the stacks may be more than the functions.
const frameShare = (cost, unit) => unit ? percent(cost, unit.percent_of) : percent(cost * Math.min(1, data.percent_of / readStacks().total[0]));
const frameChange = (node) => difference(node.total, node.base);
const frameState = (node) => node.base === 0 ? 'new' : node.total === 0 ? 'gone' : frameChange(node) > 0 ? 'grew' : frameChange(node) < 0 ? 'shrank' : 'same';
// The more of it has changed, the more colour.
const changeStrength = (node) => 0.15 + 0.6 * Math.abs(frameChange(node)) / Math.max(node.total, node.base);
const frameCost = (node) => `${data.estimated ? 'estimated ' : ''}${frameShare(node.total, node.unit)} %, ${inUnits(node.total, node.unit)}${isCompared
    ? `, ${frameState(node)}: ${changeText(frameChange(node), node.base)}` : ''}`;
const frameFacts = (node) => [` ${frameCost(node)}${node.self !== undefined ? `, self ${frameShare(node.self, node.unit)} %` : ''} `,
    create('small', {}, node.f ? placeLink(placeOf(node.f), node.f.file, node.f.line) : '')];
// Functions have the colours of their names; of groups, the eight dearest have some that all people tell apart.
const colourOf = (node, { f } = node) => f && (colours.value === 'function' ? frameName(node) : KINDS[colours.value]?.(f));
const ranks = {}, COLOURS = ['#77aadd', '#ee8866', '#eedd88', '#44bb99', '#ffaabb', '#aaaa00', '#99ddff', '#bbcc33'], OTHERS = '#c4c7cc';
const ranked = (kind) => ranks[kind] ??= new Map([...groupBy(functions, KINDS[kind])].map(([group, all]) => [group, sumBy(all, ({ self }) => self)])
    .sort(([, a], [, b]) => b - a).map(([group, cost], rank) => [group, { rank, cost }]));
const colourBy = (key) => colours.value !== 'function' ? COLOURS[ranked(colours.value).get(key)?.rank] ?? OTHERS
    : `light-dark(hsl(${hueOf(key)} 52% 84%), hsl(${hueOf(key)} 30% 27%))`;
const tint = (element, colour) => {
    element.style.setProperty('--colour', colour);
    element.classList.toggle('bright', colours.value !== 'function');
    return element;
};
const hueOf = (name) => [...name].reduce((hash, c) => (hash * 31 + c.codePointAt(0)) % 65521, 0) * 137.5 % 360;

// An icicle of all stacks, or of what a function calls, or of what leads to it, then upside down. A node is a function with
// all rows of stacks, `ats`, that have one path to it, and those whose costs it has, `entries`; the same, unless it is
// upside down. `span` of the width is drawn, from `from` on. isTime: a node is a call, or several short `calls`.
const createFlame = (id, into, label, isUp, address, isTime = false) => {
    const line = create('p', { class: 'frame', id: `${id}-frame` }), map = create('canvas', { class: 'map', height: 0, 'aria-hidden': true });
    const scale = create('div', { class: 'scale', 'aria-hidden': true }), icicle = create('div', { id, class: 'icicle', role: 'tree', 'aria-label': label, 'aria-describedby': 'keys' });
    byId(into).append(map, line, ...isTime ? [scale] : [], icicle);
    let tree = [], root, current, asked, frames = new Map(), from = 0, span = 1, width = 0, dragged = null;
    const addNode = (parent, f, entries, ats) => {
        const { total, base, self, width: widths } = readStacks(), sum = (of, rows) => sumBy(rows, (row) => of[row]);
        const node = { at: tree.length, parent, f, entries, ats, start: parent ? parent.start : 0, depth: parent ? parent.depth + 1 : 0,
            hash: parent ? hashOf(parent.hash, f) : NO_PATH, total: sum(total, entries), base: sum(base, entries), width: sum(widths, entries),
            self: isUp ? undefined : sum(self, ats) };
        tree.push(node);
        return node;
    };
    const childrenOf = (node) => node.children ??= (() => {
        const { parent, f, child, sibling } = readStacks(), pairs = [];
        node.ats.forEach((at, i) => {
            for (let next = isUp ? parent[at] : child[at]; next > 0; next = isUp ? 0 : sibling[next])
                pairs.push([isUp ? node.entries[i] : next, next]);
        });
        let { start } = node;
        const children = [...groupBy(pairs, ([, at]) => f[at])].map(([number, all]) => addNode(node, functions[number], all.map(([entry]) => entry), all.map(([, at]) => at)))
            .sort((a, b) => b.width - a.width);
        for (const made of children) {
            made.start = start;
            start += made.width;
        }
        return children;
    })();
    // A call that is too short to be seen is drawn with those before it: together they are a node.
    const addShort = (together, call, least, found) => {
        const { parent, start, depth, thread, unit } = call, isNext = together && start - together.start - together.width < least;
        const node = isNext ? together : { parent, start, depth, thread, unit, calls: 0, total: 0, width: 0, children: [] };
        node.calls += call.calls || 1;
        node.total += call.total;
        const isSeen = node.width >= least;
        node.width = start + call.width - node.start;
        if (!isSeen && node.width >= least) {
            node.at = tree.length;
            tree.push(node);
            found.push(node);
        }
        return node;
    };
    const describe = () => line.replaceChildren(current.f ? link(current.f) : bdi(frameName(current)), ...frameFacts(current));
    const createFrame = (node, height, letter) => {
        const [left, right] = [node.start, node.start + node.width].map((x) => Math.max(0, Math.min((x - from) / (span || 1), 1)));
        const pixels = (span ? right - left : 1) * width, name = frameName(node), isShort = pixels < 6 * letter, hasText = pixels >= LEAST_LETTERS * letter + 2;
        const frame = create('div', { role: 'treeitem', tabindex: node === current ? 0 : -1, 'aria-level': node.depth + 1, 'aria-selected': node === current,
            'aria-label': `${name}, ${frameCost(node)}`, 'data-node': node.at,
            class: (node.depth < root.depth ? 'above' : !hasText ? 'thin' : isShort ? 'short' : '') + (!matches || !node.f ? '' : matches[node.f.at] ? ' match' : ' other') });
        if (hasText)
            frame.append(byId('whole').checked ? name : shortened(name, (pixels - (isShort ? 2 : 9)) / letter));
        Object.assign(frame.style, { left: `${left * 100}%`, width: `${pixels * 100 / width}%`, top: `${(isUp ? height - 1 - node.row : node.row) * ROW}rem` });
        const key = colourOf(node);
        if (!node.f && colours.value !== 'change')
            frame.style.setProperty('--colour', 'var(--line)');
        else if (key !== undefined)
            tint(frame, colourBy(key));
        else
            paint(frame, frameState(node), changeStrength(node));
        frames.set(node, frame);
        return frame;
    };
    // Draws the frames that are wide enough to be seen; if they are too many, the widest.
    const draw = () => {
        width = icicle.clientWidth;
        if (isTime)
            tree = readCalls().slice();
        const letter = letterSize(), found = [tree[0]], least = (span || 1) * LEAST_PIXELS / width;
        const hasFocus = icicle.contains(document.activeElement);
        for (const node of found) {
            let together;
            for (const child of childrenOf(node)) {
                if (child.width < least && !isTime)
                    break;
                if (child.start >= from + span || child.start + child.width <= from)
                    continue;
                if (child.width >= least)
                    found.push(child);
                together = child.width >= least ? undefined : addShort(together, child, least, found);
            }
        }
        const shown = found.sort((a, b) => b.width - a.width || a.at - b.at).slice(0, MOST_FRAMES);
        drawMap(); // before, as rows of its frames are others
        const height = placeRows(shown.sort((a, b) => a.at - b.at));
        if (!shown.includes(current))
            current = root;
        if (isTime)
            drawScale(tree[0].unit);
        frames = new Map();
        icicle.replaceChildren(...shown.map((node) => createFrame(node, height, letter)));
        icicle.style.height = `${height * ROW}rem`;
        if (hasFocus)
            frames.get(current).focus({ preventScroll: true });
        describe();
        drawLegend();
    };
    // Round times, 80 pixels apart or more, in the unit of the last one.
    const drawScale = (of) => {
        const [unit, one] = UNITS[of.unit] ? unitOf(from + span, of) : ['', 1], least = span * of.factor * 80 / width / one, power = 10 ** Math.floor(Math.log10(least));
        const step = power * [1, 2, 5, 10].find((round) => round * power >= least), digits = Math.max(0, -Math.floor(Math.log10(step * 1.001)));
        scale.replaceChildren(...Array.from({ length: width / 80 }, (_, i) => {
            const time = (Math.ceil(from * of.factor / one / step) + i) * step, left = (time * one / of.factor - from) / span, tick = create('span', {}, `${withDigits(time, digits)} ${unit}`);
            tick.style.left = `${left * 100}%`;
            tick.hidden = (1 - left) * width < 60;
            return tick;
        }));
    };
    // All frames, small; what is not drawn below is grey.
    const drawMap = () => {
        map.hidden = id !== 'icicle' && !isTime;
        if (map.hidden)
            return;
        const pen = map.getContext('2d'), all = [tree[0]], scale = (map.width = width) / tree[0].width;
        for (const node of all)
            all.push(...childrenOf(node).filter((child) => child.width * scale >= 0.5));
        const depth = placeRows(all), row = Math.max(1, Math.min(5, Math.floor(60 / depth)));
        map.height = Math.min(60, depth * row);
        const inks = getComputedStyle(map);
        for (const node of all) {
            const key = colourOf(node), isOther = matches && !matches[node.f?.at];
            pen.globalAlpha = isOther ? 0.35 : 1;
            pen.fillStyle = !node.f ? OTHERS : key === undefined ? `rgb(${inks.getPropertyValue(`--${frameState(node)}`)} / ${changeStrength(node)})` : colours.value !== 'function' ? colourBy(key) : `hsl(${hueOf(key)} 45% 65%)`;
            pen.fillRect(node.start * scale, node.row * row, Math.max(1, node.width * scale), row);
        }
        pen.globalAlpha = 0.55;
        pen.fillStyle = '#667';
        pen.fillRect(0, 0, from * scale, map.height);
        pen.fillRect((from + span) * scale, 0, map.width, map.height);
    };
    const onMap = ({ clientX }) => (clientX - map.getBoundingClientRect().left) * tree[0].width / width;
    let mapFrom = 0;
    map.onpointerdown = (event) => {
        map.setPointerCapture(event.pointerId);
        mapFrom = onMap(event);
        moveTo(mapFrom - span / 2, span);
    };
    map.onpointermove = (event) => {
        if (event.buttons > 0 && Math.abs(onMap(event) - mapFrom) * width > 4 * tree[0].width)
            moveTo(Math.min(onMap(event), mapFrom), Math.abs(onMap(event) - mapFrom));
    };
    // All nodes, also those that have not been drawn.
    const allNodes = function* () {
        const found = [tree[0]];
        for (const node of found) {
            yield node;
            childrenOf(node).forEach((child) => found.push(child));
        }
    };
    // The next frame that the filter finds; if none is drawn, the dearest one is zoomed to.
    const nextMatch = () => {
        const isMatch = ({ f }) => matches?.[f?.at], found = [...frames.keys()].filter(isMatch).sort((a, b) => a.start - b.start || a.depth - b.depth);
        if (found.length > 0)
            goTo(found[(found.indexOf(current) + 1) % found.length]);
        else
            zoom([...allNodes()].filter(isMatch).reduce((most, node) => most.parent && most.total >= node.total ? most : node, tree[0]));
    };
    const moveTo = (wantedFrom, wantedSpan) => {
        span = Math.min(tree[0].width, Math.max(1, wantedSpan));
        from = Math.max(0, Math.min(tree[0].width - span, wantedFrom));
        while (root.parent && (from < root.start || from + span > root.start + root.width))
            root = root.parent;
        draw();
    };
    const choose = (node) => {
        for (const [frame, isChosen] of [[frames.get(current), false], [frames.get(node), true]]) {
            frame?.setAttribute('tabindex', isChosen ? 0 : -1);
            frame?.setAttribute('aria-selected', isChosen);
        }
        current = node;
        describe();
    };
    const goTo = (node) => frames.get(node)?.focus();
    const zoom = (node) => {
        if (!node.hash) // it is only drawn
            return moveTo(node.start, node.width);
        asked = node;
        location.assign(address(node));
        if (root === node) // it is there, but perhaps moved
            moveTo(node.start, node.width);
    };
    const sibling = (node, step) => node.parent?.children[node.parent.children.indexOf(node) + step];
    const inner = (node) => goTo(childrenOf(node)[0]), outer = (node) => goTo(node.parent);
    const keys = {
        ArrowUp: isUp ? inner : outer,
        ArrowDown: isUp ? outer : inner,
        ArrowLeft: (node) => goTo(sibling(node, -1)),
        ArrowRight: (node) => goTo(sibling(node, 1)),
        Home: () => goTo(tree[0]),
        Enter: zoom,
        ' ': zoom,
        Escape: () => zoom(root.parent ?? root) };
    const onFrame = (kind, action) => icicle.addEventListener(kind, (event) => {
        const frame = event.target.closest('[data-node]');
        if (frame)
            action(tree[frame.dataset.node], event);
    });
    onFrame('click', goTo);
    onFrame('dblclick', zoom);
    onFrame('focusin', choose);
    onFrame('keydown', (node, event) => {
        if (Object.hasOwn(keys, event.key)) {
            keys[event.key](node);
            event.preventDefault();
        }
    });
    onFrame('pointermove', (node, { clientX, clientY, pointerType, buttons }) => {
        tip.hidden = pointerType === 'touch' || buttons > 0;
        tip.replaceChildren(bdi(frameName(node)), ...frameFacts(node));
        Object.assign(tip.style, { left: `${Math.max(0, Math.min(clientX + 12, innerWidth - tip.offsetWidth - 8))}px`,
            top: `${clientY + 18 + tip.offsetHeight < innerHeight ? clientY + 18 : clientY - 12 - tip.offsetHeight}px` });
    });
    icicle.onpointerleave = () => { tip.hidden = true; };
    icicle.addEventListener('wheel', (event) => {
        if (!event.ctrlKey && !event.metaKey)
            return;
        const box = icicle.getBoundingClientRect(), at = (event.clientX - box.left) / width;
        const by = event.deltaY * (event.deltaMode > 0 ? WHEEL / 3 : 1), wanted = span * 2 ** (Math.max(-WHEEL, Math.min(WHEEL, by)) / WHEEL);
        moveTo(from + at * (span - wanted), wanted);
        event.preventDefault();
    }, { passive: false });
    icicle.onpointerdown = ({ button, clientX, clientY }) => { dragged = button === 0 ? { x: clientX, y: clientY, hasMoved: false } : null; };
    icicle.onpointermove = ({ buttons, clientX, clientY, pointerId, pointerType }) => {
        if (!dragged || buttons === 0 || !dragged.hasMoved && Math.hypot(clientX - dragged.x, clientY - dragged.y) < 4)
            return;
        if (!dragged.hasMoved)
            icicle.setPointerCapture(pointerId); // so that there is no click at the end
        if (pointerType !== 'touch' && icicle.scrollHeight > icicle.clientHeight)
            icicle.scrollTop -= clientY - dragged.y;
        else if (pointerType !== 'touch')
            scrollBy(0, dragged.y - clientY);
        moveTo(from - (clientX - dragged.x) * span / width, span);
        dragged = { x: clientX, y: clientY, hasMoved: true };
    };
    icicle.onmousedown = (event) => event.preventDefault(); // which would select text
    // The node at a hash of its path, which has a name if that is given.
    const find = (path, name) => {
        if (asked?.hash === path && tree[asked.at] === asked)
            return asked;
        for (const node of allNodes())
            if (node.hash === path && (name === undefined || (node.f?.name ?? '') === name))
                return node;
    };
    return {
        draw, line, icicle, nextMatch,
        // Shows stacks of a function, or all, and zooms to a path. Returns whether that exists.
        open: (f, path, name) => {
            if (isTime) {
                tree = readCalls();
            } else if (tree.length === 0 || tree[0].f !== f) {
                tree = [];
                const marks = new Uint8Array(functions.length);
                if (f)
                    marks[f.at] = 1;
                const entries = f ? outermost(marks) : [0];
                addNode(undefined, f, entries, entries);
            }
            const wanted = path === undefined && !name ? tree[0] : find(parseInt(path, 16) | 0, name);
            const isBelow = (node) => node && (node === root || isBelow(node.parent));
            root = wanted ?? tree[0];
            if (!icicle.contains(document.activeElement) || !isBelow(current)) // who zooms out stays at the frame
                current = root;
            from = root.start;
            span = root.width;
            const isEmpty = tree[0].width === 0 || f && childrenOf(tree[0]).length === 0;
            line.hidden = icicle.hidden = Boolean(f) && isEmpty;
            if (!icicle.hidden)
                draw();
            if (isUp)
                icicle.scrollTop = icicle.scrollHeight;
            return Boolean(wanted);
        },
        get path() { return pathOf(root); },
        get frames() { return icicle.hidden ? [] : [...frames]; },
        get isStale() { return !icicle.hidden && icicle.clientWidth !== width; } };
};
const pathOf = (node) => node?.parent ? (node.hash >>> 0).toString(16) : '';
const all = createFlame('icicle', 'stacks', 'Stacks', false, (node) => node.parent ? `#s=${inAddress(node.f?.name ?? '')}&path=${pathOf(node)}` : '#s');
const addressOfHalves = (path, below) => `#${addressOf(opened)}${path && `&path=${path}`}${below && `&below=${below}`}`;
const up = createFlame('up', 'leading', 'Stacks that lead to it', true, (node) => addressOfHalves(pathOf(node), down.path));
const down = createFlame('down', 'below', 'What it calls', false, (node) => addressOfHalves(up.path, pathOf(node)));
const time = createFlame('timeline', 'time', 'Calls in their order', false, (node) => node.parent ? `#t&path=${pathOf(node)}` : '#t', true);
byId('next').onclick = () => (view === 'time' ? time : all).nextMatch();
const shownFlames = () => view === 'time' ? [time] : !hasStacks || !/^(?:function|stacks)$/.test(view) ? [] : view === 'stacks' ? [all] : [up, down];
// What colours mean: the groups of frames, the dearest first, with the self costs of their functions.
const drawLegend = () => {
    const kind = colours.value, shown = new Set(shownFlames().flatMap(({ frames }) => frames.map(([node]) => colourOf(node))));
    const groups = KINDS[kind] && kind !== 'function' ? [...ranked(kind)].filter(([key]) => shown.has(key)) : [], rest = groups.filter(([, { rank }]) => rank >= COLOURS.length);
    const entry = (colour, text, cost) => [tint(create('span', { class: 'hue', title: text }, bdi(/^(?:file|object)$/.test(kind) ? baseOf(text) : text), ` ${percent(cost)} %`), colour), ' '];
    byId('legend').replaceChildren(...kind === 'change' ? ['grew', 'shrank', 'new', 'gone', 'same'].flatMap((state) => [paint(create('span', {}, state), state), ' '])
        : groups.filter((group) => !rest.includes(group)).flatMap(([key, { cost }]) => entry(colourBy(key), labelOf(kind, key), cost)),
    ...rest.length > 0 ? entry(OTHERS, `${number(rest.length)} more`, sumBy(rest, ([, { cost }]) => cost)) : []);
};

// ---- the filter: patterns, all of which must match, as --only takes them. One without file: or the like is looked for in
// files, too. After =, which begins a pattern or follows file: or the like, all that follows is the name.

const filter = byId('filter');
// As text_matches: what is between stars is where it is first.
const wildcard = (pattern) => {
    const parts = pattern.replace(/[\\^$.+|()[\]{}]/g, '\\$&').replaceAll('?', '.').split('*'), last = parts.length > 1 ? `.*${parts.pop()}` : '';
    return new RegExp(`^${parts.map((part, i) => i > 0 ? `(?=(.*?${part}))\\${i}` : part).join('')}${last}$`, 's');
};
const lower = {}, lowered = (part, f) => (lower[part] ??= functions.map((one) => KINDS[part](one).toLowerCase()))[f.at];
const patternOf = (word) => {
    const [, part, isExact, text] = /^(?:(name|file|folder|object|class|namespace):)?(=)?(.*)$/s.exec(word), parts = part ? [part] : ['name', 'file'];
    const wanted = text.replace(/^"(.+)"$/s, '$1').toLowerCase();
    const pattern = /[*?]/.test(wanted) ? wildcard(wanted) : undefined, matchesOne = (one) => pattern ? pattern.test(one) : one.includes(wanted);
    return (f) => isExact ? KINDS[parts[0]](f) === text : parts.some((one) => matchesOne(lowered(one, f)));
};
const applyFilter = () => {
    filtered = filter.value;
    const patterns = (filtered.match(/(?:(?:name|file|folder|object|class|namespace):)?=.*$|(?:\w+:)?"[^"]+"|[^ \t]+/gs) ?? []).map(patternOf);
    matches = patterns.length > 0 ? Uint8Array.from(functions, (f) => patterns.every((matchesIt) => matchesIt(f))) : null;
    if (KINDS[by.value])
        makeTable();
    else
        table.setFilter(matches && isFound);
    byId('found').textContent = !matches ? '' : `${number(matches.reduce((sum, isFound) => sum + isFound, 0))} of ${number(functions.length)}, self ${percent(table.sum.self ?? 0)} %` +
        (hasStacks ? `, ${frameShare(sumBy(outermost(matches), (at) => readStacks().total[at]))} % of stacks` : '') +
        (data.left.functions > 0 ? `; ${number(data.left.functions)} functions that the page left out were not searched` : '');
    byId('tools').classList.toggle('filtered', Boolean(matches));
    byId('next').hidden = !hasStacks || !matches?.includes(1);
    filterTables();
};
filter.oninput = () => {
    applyFilter();
    shownFlames().forEach(({ draw }) => draw());
    keepState();
};
document.addEventListener('keydown', (event) => {
    if (event.key === '/' && event.target !== filter && !event.ctrlKey && !event.metaKey && !event.altKey) {
        filter.focus();
        filter.select();
        event.preventDefault();
    }
});

// ---- views: # is the table, #f=NAME a function, with &path=HASH and &below=HASH nodes of its stacks, #s all stacks,
// #s=NAME&path=HASH those below a node of that name. Choices follow, such as &filter=db&sort=-Calls, or stay as they are.

const addOptions = (id, ...options) => {
    byId(id).append(...options.filter(Boolean).map(([value, text = value]) => create('option', { value }, text)));
    return byId(id);
};
const eventNames = addOptions('event', ...events.map((of) => [of.event, eventName(of)])), ofClass = ['class', 'class or namespace'], ofObject = textsOf(data, 'object').length > 1 && ['object'];
addOptions('by', ['function', 'nothing'], ['file'], ['folder'], ofClass, ofObject);
addOptions('costs', ['percent', 'percentages'], ['units', 'costs'], isCompared ? counts !== 'nothing' && ['each', counted.toLowerCase()] : counts === 'calls' && ['each', 'per call'])
    .value = isCompared ? 'units' : 'percent';
addOptions('colours', isCompared && ['change'], ['function'], ['file'], ofClass, ['namespace'], ofObject, files.some((file) => isKernel({ file })) && ['kernel']);
byId('events').hidden = events.length === 1;
const boxes = events.filter((event) => event !== data).map((event) => create('input', { type: 'checkbox', value: event.event }));
byId('others').append(...boxes.map((box) => create('label', {}, box, ' ', eventName({ event: box.value }))));
const choices = { event: eventNames,
    by: { get value() { return by.value; }, set value(value) { by.value = value; by.value ||= 'function'; makeTable(); } },
    beside: { get value() { return beside.value; }, set value(value) {
        beside.events = events.filter(({ event }) => event !== data.event && value.split(',').includes(event));
        beside.value = beside.events.map(({ event }) => event).join();
        boxes.forEach((box) => { box.checked = beside.events.some(({ event }) => event === box.value); });
        makeTable();
    } },
    sort: { get value() { return table.value; }, set value(value) { table.value = value; } },
    filter, costs: byId('costs'), names: { get value() { return byId('whole').checked ? 'whole' : 'short'; }, set value(value) { byId('whole').checked = value === 'whole'; } }, colours };
let usual = {};
const applyChoices = () => {
    if (eventNames.value !== data.event)
        location.reload();
    if (filter.value !== filtered)
        applyFilter();
    main.className = `${choices.costs.value} ${byId('whole').checked ? 'whole' : ''}`;
};
const keepState = () => history.replaceState('whole', '', Object.entries(choices).filter(([name, { value }]) => value !== usual[name])
    .reduce((address, [name, { value }]) => `${address}&${name}=${encodeURIComponent(value)}`, `#${where}`));
for (const select of document.querySelectorAll('select, #others input, #whole'))
    select.onchange = () => {
        if (select === by)
            makeTable();
        if (boxes.includes(select)) {
            choices.beside.value = boxes.filter(({ checked }) => checked).map(({ value }) => value).join();
            if (view === 'function')
                showFunction(opened);
        }
        keepState();
        applyChoices();
        fit();
        shownFlames().forEach(({ draw }) => draw());
    };

// From that width on, the list of functions stays beside one of them.
const wide = matchMedia('(min-width: 75rem)'), hasPanes = () => view === 'function' && wide.matches;
let where = '', filtered = '', scrolled = 0;
const markOpened = () => {
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const row = view === 'function' && [...list.querySelectorAll('.name > a')].find(({ f }) => f && f.name === opened.name && (f === opened || f.parts))?.closest('tr');
    if (row) {
        row.setAttribute('aria-current', 'true');
        row.scrollIntoView({ block: 'nearest' });
        const { height } = row.getBoundingClientRect(); // no row is cut
        list.scrollTop = Math.ceil(list.scrollTop / height) * height;
    }
};
// Says what is wrong with an address, and which functions it may mean.
const wrongWith = (given, found, hasNode) => {
    const wanted = given.get('f') ?? given.get('s') ?? '', same = hasNode && (found.length > 0 || !given.has('f')) ? [] : named(wanted);
    const name = [visible(wanted) || '(no name)', ...PARTS.map((part) => given.get(part)).filter(Boolean).map(visible)].join(', ');
    const left = data.left.functions > 0 ? `; ${number(data.left.functions)} functions were left out` : '';
    return given.has('f') && found.length > 1 && !isSplit ? [`The address ${name} may mean ${number(found.length)} functions of this page:`, found]
        : given.has('f') && found.length === 0 ? [`The address names ${name}, which is no function of this page${left}. ${same.length > 0 ? 'Functions of that name:' : ''}`, same]
        : !hasNode && (given.has('f') || given.has('s')) ? [`The address names a stack that ${!given.has('f') ? 'ends in' : given.has('path') ? 'leads to' : 'begins with'} ${name}, which is not on this page${left}.`, same]
        : [!hasNode || where && !given.has('f') && !given.has('s') && view === 'functions' ? `The address ${visible(where)} names nothing on this page.` : '', []];
};
const show = () => {
    const given = readAddress(), found = functionsAt(given), chosen = found.length === 1 || isSplit ? united(found) : undefined;
    if (view === 'functions')
        scrolled = scrollY;
    const last = view;
    view = chosen ? 'function' : TABS.find(([, key, has]) => has && given.has(key))?.[0] ?? 'functions';
    where = location.hash.slice(1).split('&').filter((part) => part && !Object.hasOwn(choices, part.split('=')[0])).join('&');
    for (const [name, choice] of Object.entries(choices)) {
        const wanted = given.get(name) ?? (history.state === 'whole' ? usual[name] : choice.value);
        if (wanted !== choice.value)
            choice.value = wanted;
        if (!choice.value && usual[name])
            choice.value = usual[name];
    }
    applyChoices();
    keepState();
    for (const [name] of [['functions'], ['function'], ...TABS])
        byId(name).hidden = name !== view && !(name === 'functions' && hasPanes());
    main.classList.toggle('panes', hasPanes());
    fit();
    byId('rows').hidden = view !== 'functions';
    byId('measures').hidden = view === 'stacks' || view === 'time';
    byId('beside').hidden = events.length === 1 || byId('measures').hidden;
    for (const [name] of [['functions'], ...TABS])
        byId(`to-${name}`).toggleAttribute('aria-current', view === name);
    const ofParts = PARTS_OF.find((kind) => kind.view === view), wanted = given.get(ofParts?.key), part = ofParts?.all.find(({ name }) => name === wanted);
    if (ofParts) {
        const [above, below] = byId(view).children;
        tables = [];
        showParts(above, ofParts);
        below.replaceChildren();
        if (part)
            showParts(below, ofParts, part.rows, `Functions in ${visible(part.name)}`, ({ f }) => f);
    }
    if (view === 'lines' || ofParts)
        filterTables();
    document.title = view === 'function' ? `${nameOf(chosen)} - ${heading}` : heading;
    byId({ stacks: 'to-all', time: 'time-notes' }[view] ?? 'halves-title').after(byId('keys'));
    byId(view === 'stacks' ? 'stacks' : 'halves').append(byId('notes'));
    if (view === 'function' && (last !== view || addressOf(opened) !== addressOf(chosen))) {
        showFunction(opened = chosen);
        markOpened();
        scrollTo(0, 0);
        byId('name').focus({ preventScroll: true });
    }
    byId('halves').hidden = !hasStacks;
    let hasNode = ofParts ? part || wanted === undefined : /^(?:function|stacks|time)$/.test(view) || !given.has('s');
    if (view === 'time')
        hasNode = time.open(undefined, given.get('path'));
    if (view === 'stacks')
        hasNode = all.open(undefined, given.get('path'), given.get('s'));
    if (view === 'function' && hasStacks)
        hasNode = [up.open(chosen, given.get('path')), down.open(chosen, given.get('below'))].every(Boolean);
    byId('halves').hidden ||= up.icicle.hidden && down.icicle.hidden;
    const [wrong, meant] = wrongWith(given, found, hasNode);
    byId('wrong').hidden = !wrong;
    byId('wrong').replaceChildren(wrong, ...meant.slice(0, PAGE).flatMap((f) => [' ', link(f), ` ${placeOf(f)}`]));
    if (view === 'functions' && last === 'function') {
        scrollTo(0, scrolled);
        [...list.querySelectorAll('a')].find((a) => a.getAttribute('href') === `#${addressOf(opened)}`)?.focus({ preventScroll: true });
    }
};

const heading = visible(data.title) || 'Profile';
byId('title').replaceChildren(bdi(heading));
const peak = events.flatMap((of) => of.notes.map((note) => [of, ...note])).find(([, before]) => /peak/.test(before));
const totalText = (cost, notes) => costText(cost) + notes.filter(([before]) => !/peak/.test(before)).map(([before, part, after]) => before + costText(part) + after).join('')
    .replace(/^, and (.*) outside of functions/, ' in functions, $1 outside');
// Names with the same beginning are side by side: if most are addresses, the one in the middle is.
const isNameless = (f) => /^0x[\da-f]+('|$)/.test(f?.name), nameless = isNameless(functions[functions.length >> 1]) ? functions.filter(isNameless) : [];
const dearest = nameless.reduce((most, f) => f.self > most.self ? f : most, { self: 0, object: '' });
byId('facts').replaceChildren(...[
    ['', `${totalText(data.total, data.notes)}${data.per_run ? ' per run' : data.runs > 1 ? ` in ${number(data.runs)} runs` : ''}`, number(data.total)],
    ...isCompared ? [['before: ', `${totalText(data.base_total, data.base_notes)}, ${visible(data.base)}`, number(data.base_total)], ['change: ', `${changeText(data.change)}${
        data.selfMargin ? `, ${marginText(data.change, data.margin)}` : ''}${data.rounding > 0 ? `; up to ${inUnits(data.rounding)} may come from rounding` : ''}`, 'changes are in percent of the base']] : [],
    ['peak memory: ', peak && costText(peak[2], peak[0])], ['', events.length > 1 ? '' : eventName(data)], ['', `${number(functions.length + data.left.functions)} functions`],
    ['left out: ', data.left.functions > 0 ? leftShare(data.left.self, data.left.functions, 'functions') : ''], ['', visible(data.creator)],
    ['note: ', data.repeats ? 'inclusive costs count recursion more than once; a page of the profile itself counts it once' : ''],
    ['note: ', nameless.length > functions.length / 2 ? `most functions have addresses, not names: install debug symbols${dearest.object && `, such as those of ${visible(baseOf(dearest.object))}`}` : '']
].filter(([, value]) => value).map(([term, value, title]) => create('span', title ? { title } : {}, term, bdi(value))));
byId('time-notes').textContent = `${isSampled
    ? `Samples${data.step > 1 ? `, one in ${number(data.step)},` : ''} in the order in which they were taken. A frame lasts from the sample before; where a thread has none, it did not run. What ran between two samples is not known.`
    : 'Calls in the order in which they were made. Where between its calls a function spent its own time is not known: here, it follows them.'} What is too short to be seen is drawn as one. 100 % is all of this time.`;
if (data.estimated)
    ['to-stacks', 'halves-title'].forEach((title) => byId(title).append(' (estimated)'));
byId('too-thin').append(data.estimated ? ' The profile says who called whom for what, not along which paths: the cost of a function is divided among its callers in proportion to their calls.'
    : '', hasAllocated ? ' Stacks show what was allocated.' : '', data.deeper
    ? ` Frames (left out) are what is deeper than 1,024 functions${data.estimated ? ', or beyond the 100,000 largest stacks' : ''}.` : '',
    data.frames_left > 0 ? ` ${leftShare(data.frames_left_cost, data.frames_left, 'frames')}, is left out.` : '', data.negative_stacks > 0
    ? ` ${several(data.negative_stacks, 'stack')} with a negative cost left out.` : '');
document.body.classList.toggle('compared', isCompared);
// One measure of costs at a time, where there is no room for all. Paper gets what is on the screen.
const narrow = matchMedia('(max-width: 58rem)');
const fit = () => {
    if (matchMedia('screen').matches)
        document.body.classList.toggle('narrow', isCompared || narrow.matches || beside.events.length > 0);
    list.classList.toggle('narrow', hasPanes());
    for (const made of [table, ...tables])
        made.follow() || made.refit();
};
narrow.onchange = wide.onchange = show;
makeTable();
usual = Object.fromEntries(Object.entries(choices).map(([name, { value }]) => [name, value]));
byId('tools').hidden = false;
window.onresize = () => {
    fit();
    shownFlames().forEach((flame) => flame.isStale && flame.draw());
};
window.onhashchange = show;
if (!location.hash && (data.opens || data.opens_at >= 0))
    history.replaceState(null, '', `#${data.opens_at < 0 ? data.opens : addressOf(functions[data.opens_at])}`);
show();
// What takes long at first is made before it is asked for.
for (const make of [() => lowered('name', functions[0]), () => lowered('file', functions[0]), callersOf, () => hasStacks && readStacks(), readLines])
    (window.requestIdleCallback ?? setTimeout)(make);
})();
