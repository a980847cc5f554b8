// The pane that tells about a span, a finding, or a stretch of time. All texts of a trace go
// through textContent, and so stay texts.

const pane = document.getElementById('details');

// Makes an element with a class, a text or children.
function make(tag, kind, ...children) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

function rowsOf(table, pairs) {
  for (const [name, value] of pairs) {
    if (value === '' || value === null || value === undefined) continue;
    table.append(make('tr', '', make('th', '', name), make('td', '', value)));
  }
  return table;
}

// A text that a stranger chose: what it does to the direction of writing ends with it.
const named = (text) => make('bdi', '', text);

const traceBadge = (trace) =>
  (traces.length > 1 ? make('span', 'badge', 'AB'[trace.index]) : null);

function tellItem({ track, row, index }) {
  const trace = track.trace, start = row.start[index], length = row.end[index] - start;
  const isMark = row === track.marks;
  const heading = make('h2', '', traceBadge(trace), named(texts.get(row.name[index])));
  const place = make('p', 'under', GROUPS[track.group]);
  if (track.name) place.append(' · ', named(track.name));
  const isCut = row.flags[index] & MARK_FLAGS.cut, detail = texts.get(row.detail[index]);
  const table = rowsOf(make('table', ''), [
    ['starts', moment(start + trace.shift)],
    ['lasts', isMark ? '' : duration(length) + (isCut ? ', then it was cut off' : '')],
    ['ends', isMark ? '' : moment(row.end[index] + trace.shift)],
    ['arguments', detail && named(detail)],
    ['event', `number ${row.ordinal[index]}`],
  ]);
  pane.replaceChildren(heading, place, table);
}

function tellFinding(finding) {
  const parts = [
    make('h2', '', traceBadge(finding.trace),
      make('span', finding.severity, `${SIGNS[finding.severity]} ${finding.rule}`), ' ',
      finding.slug),
    make('p', 'under', [
      finding.launch ? `${finding.severity} at ${timeWords(finding)}` : finding.severity,
      finding.launch ? `launch ${finding.launch}` : 'in the header',
      finding.confidence === 'certain' ? '' : finding.confidence,
      finding.count > 1 ? `${finding.count} times` : '',
    ].filter(Boolean).join(' · ')),
    make('p', '', named(finding.message)),
  ];
  if (finding.limit > 0) parts.push(measureBars(finding));
  for (const [title, words] of [['What must hold', finding.summary],
    ['What happens', finding.consequence], ['Why', finding.rationale],
    ['What to do', finding.advice]]) {
    if (words) parts.push(make('h3', '', title), make('p', '', words));
  }
  if (finding.witness.length) parts.push(make('h3', '', 'Evidence'), evidenceSteps(finding));
  parts.push(make('h3', '', 'Fingerprint'), make('p', 'under', finding.fingerprint));
  pane.replaceChildren(...parts);
  pane.scrollTop = 0;
}

// What was allowed beside what was taken.
function measureBars(finding) {
  const bars = make('div', `bars ${finding.severity}`);
  const most = Math.max(finding.limit, finding.actual);
  const words = durationsApart(finding.limit, finding.actual);
  for (const [name, value, text, kind] of [['allowed', finding.limit, words[0], 'allowed'],
    ['taken', finding.actual, words[1], '']]) {
    const fillBar = make('span', 'fill');
    fillBar.style.width = `${Math.max(1, value / most * 100)}%`;
    bars.append(make('span', kind, name), make('span', `track ${kind}`, fillBar),
      make('span', kind, text));
  }
  return bars;
}

function evidenceSteps(finding) {
  const list = make('ol', 'steps');
  const phases = ['', '>', '<'];
  for (const witness of finding.witness) {
    const button = make('button', '', make('span', '', moment(witness.time + finding.trace.shift)),
      make('span', '', `${phases[witness.phase]}${witness.event} `, named(witness.words), ' ',
        make('span', 'role', [witness.role && `(${witness.role})`,
          witness.line && `line ${witness.line}`].filter(Boolean).join(' '))));
    button.type = 'button';
    button.addEventListener('click', () => reveal(witness, finding.trace));
    list.append(make('li', '', button));
  }
  if (finding.omitted) list.append(make('li', '', `and ${finding.omitted} more`));
  return list;
}

// Spans and moments of a stretch whose names are counted.
const NAMES_LOOKED_MAX = 300000;

// What lies in a stretch of time. Launches and states aren't counted: they follow from events that
// are.
function countStretch(low, high) {
  const names = new Map();
  let spans = 0, moments = 0, looked = 0;
  for (const track of traces.flatMap((trace) => trace.tracks)) {
    if (track.group <= 2) continue;
    const shift = track.trace.shift;
    for (const row of track.marks ? [...track.rows, track.marks] : track.rows) {
      const first = firstFrom(row, low - shift), last = firstFrom(row, high - shift);
      if (row === track.marks) moments += last - first; else spans += last - first;
      // Names are counted as far as nobody waits for it.
      for (let i = first; i < last && looked < NAMES_LOOKED_MAX; i++, looked++) {
        const sum = names.get(row.name[i]) || { count: 0, time: 0 };
        sum.count++;
        sum.time += row.end[i] - row.start[i];
        names.set(row.name[i], sum);
      }
    }
  }
  const found = findings.filter(({ launch, time, trace }) =>
    launch && time + trace.shift >= low && time + trace.shift <= high).length;
  return { names, spans, moments, found, isPart: looked === NAMES_LOOKED_MAX };
}

const counted = (count, one, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;

// Tells about a stretch of time, and returns it in short.
function tellStretch({ from, to }) {
  const low = Math.min(from, to), high = Math.max(from, to);
  const { names, spans, moments, found, isPart } = countStretch(low, high);
  const table = make('table', '');
  table.append(make('tr', '', make('th', '', 'name'), make('th', 'number', 'count'),
    make('th', 'number', 'time in total')));
  for (const [name, sum] of [...names].sort((a, b) => b[1].count - a[1].count).slice(0, 12)) {
    table.append(make('tr', '', make('td', '', named(texts.get(name))),
      make('td', 'number', grouped(sum.count)),
      make('td', 'number', sum.time ? duration(sum.time) : '')));
  }
  const part = isPart ? `, of the first ${counted(NAMES_LOOKED_MAX, 'event')}` : '';
  pane.replaceChildren(
    make('h2', '', duration(high - low)),
    make('p', 'under', `${moment(low)} to ${moment(high)}`),
    make('p', '', `${counted(spans, 'span')} ${spans === 1 ? 'begins' : 'begin'}, `
      + `${counted(moments, 'moment')}, ${counted(found, 'finding')}`),
    ...(names.size ? [make('h3', '', `Most frequent${part}`), table] : []));
  return `${duration(high - low)}, ${counted(spans, 'span')}, ${counted(moments, 'moment')}, `
    + counted(found, 'finding');
}

// The header of each trace.
function tellTraces() {
  const panel = document.getElementById('panel-trace');
  for (const trace of traces) {
    panel.append(make('h3', '', traceBadge(trace), named(trace.path)),
      rowsOf(make('table', ''), [
        ['events', grouped(trace.events)], ['launches', String(trace.launches)],
        ['length', duration(trace.last)], ['starts at', `${trace.first} ns`],
        ...trace.fields.map(([name, value]) => [name, value && named(value)]),
      ]));
  }
}
