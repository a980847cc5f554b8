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

const traceBadge = (trace) =>
  (traces.length > 1 ? make('span', 'badge', 'AB'[trace.index]) : null);

function tellItem({ lane, row, index }) {
  const trace = lane.trace, start = row.start[index], length = row.end[index] - start;
  const isMark = row === lane.marks;
  const heading = make('h2', '', traceBadge(trace), texts.get(row.name[index]));
  const place = `${GROUPS[lane.group]}${lane.track.name ? ` · ${lane.track.name}` : ''}`;
  const isCut = row.flags[index] & MARK_FLAGS.cut;
  const table = rowsOf(make('table', ''), [
    ['starts', moment(start + trace.shift)],
    ['lasts', isMark ? '' : duration(length) + (isCut ? ', then it was cut off' : '')],
    ['ends', isMark ? '' : moment(row.end[index] + trace.shift)],
    ['arguments', texts.get(row.detail[index])],
    ['event', `number ${row.ordinal[index]}`],
  ]);
  pane.replaceChildren(heading, make('p', 'under', place), table);
}

function tellFinding(finding) {
  const parts = [
    make('h2', '', traceBadge(finding.trace),
      make('span', finding.severity, `${SIGNS[finding.severity]} ${finding.rule}`), ' ',
      finding.slug),
    make('p', 'under', [
      `${finding.severity} at ${moment(finding.time + finding.trace.shift)}`,
      finding.launch ? `launch ${finding.launch}` : 'in the header',
      finding.confidence === 'certain' ? '' : finding.confidence,
      finding.count > 1 ? `${finding.count} times` : '',
    ].filter(Boolean).join(' · ')),
    make('p', '', finding.message),
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
  for (const [name, value, kind] of [['allowed', finding.limit, 'allowed'],
    ['taken', finding.actual, '']]) {
    const fillBar = make('span', 'fill');
    fillBar.style.width = `${Math.max(1, value / most * 100)}%`;
    bars.append(make('span', kind, name), make('span', `track ${kind}`, fillBar),
      make('span', kind, duration(value)));
  }
  return bars;
}

function evidenceSteps(finding) {
  const list = make('ol', 'steps');
  const phases = ['', '>', '<'];
  for (const witness of finding.witness) {
    const button = make('button', '', make('span', '', moment(witness.time + finding.trace.shift)),
      make('span', '', `${phases[witness.phase]}${witness.event} ${witness.words} `,
        make('span', 'role', [witness.role && `(${witness.role})`,
          witness.line && `line ${witness.line}`].filter(Boolean).join(' '))));
    button.type = 'button';
    button.addEventListener('click', () => reveal(witness, finding.trace));
    list.append(make('li', '', button));
  }
  if (finding.omitted) list.append(make('li', '', `and ${finding.omitted} more`));
  return list;
}

// How much lies in a stretch of time.
function tellStretch({ from, to }) {
  const low = Math.min(from, to), high = Math.max(from, to);
  const names = new Map();
  let calls = 0, marks = 0, looked = 0;
  for (const lane of lanes) {
    if (lane.isTitle) continue;
    const shift = lane.trace.shift;
    for (const row of lane.marks ? [...lane.rows, lane.marks] : lane.rows) {
      const first = firstFrom(row, low - shift), last = firstFrom(row, high - shift);
      if (row === lane.marks) marks += last - first; else calls += last - first;
      // Names are counted as far as nobody waits for it.
      for (let i = first; i < last && looked < 300000; i++, looked++) {
        const sum = names.get(row.name[i]) || { count: 0, time: 0 };
        sum.count++;
        sum.time += row.end[i] - row.start[i];
        names.set(row.name[i], sum);
      }
    }
  }
  const findings = traces.flatMap((trace) => trace.findings
    .filter((finding) => finding.time + trace.shift >= low && finding.time + trace.shift <= high));
  const table = make('table', '');
  table.append(make('tr', '', make('th', '', 'name'), make('th', 'number', 'count'),
    make('th', 'number', 'time in total')));
  for (const [name, sum] of [...names].sort((a, b) => b[1].count - a[1].count).slice(0, 12)) {
    table.append(make('tr', '', make('td', '', texts.get(name)),
      make('td', 'number', sum.count.toLocaleString('en')),
      make('td', 'number', sum.time ? duration(sum.time) : '')));
  }
  pane.replaceChildren(
    make('h2', '', duration(high - low)),
    make('p', 'under', `${moment(low)} to ${moment(high)}`),
    make('p', '', `${calls.toLocaleString('en')} spans begin, ${marks.toLocaleString('en')} moments, `
      + `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`),
    names.size ? make('h3', '', looked < 300000 ? 'Most frequent' : 'Most frequent, of the first 300,000')
      : null, names.size ? table : null);
  return { calls, marks, findings: findings.length };
}

// The header of each trace.
function tellTraces() {
  const panel = document.getElementById('panel-trace');
  for (const trace of traces) {
    panel.append(make('h3', '', traceBadge(trace), trace.path),
      rowsOf(make('table', ''), [
        ['events', trace.events.toLocaleString('en')], ['launches', String(trace.launches)],
        ['length', duration(trace.last)], ['starts at', `${trace.first} ns`], ...trace.fields,
      ]));
  }
}
