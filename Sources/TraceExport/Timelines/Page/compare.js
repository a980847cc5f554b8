// What differs between two traces: findings that came and went, times in states, the launch.

function tellComparison() {
  const tab = document.getElementById('tab-compare');
  if (traces.length < 2) {
    tab.hidden = true;
    return;
  }
  const [a, b] = traces;
  const panel = document.getElementById('panel-compare');
  panel.append(make('h3', '', 'Findings'), findingChanges(a, b));
  panel.append(make('h3', '', 'Times'), timeChanges(a, b));
}

function findingChanges(a, b) {
  const prints = (trace) => new Set(trace.findings.map((finding) => finding.fingerprint));
  const inA = prints(a), inB = prints(b), list = make('div', '');
  const groups = [
    ['only in A', a.findings.filter((finding) => !inB.has(finding.fingerprint))],
    ['only in B', b.findings.filter((finding) => !inA.has(finding.fingerprint))],
    ['in both', b.findings.filter((finding) => inA.has(finding.fingerprint))],
  ];
  for (const [title, group] of groups) {
    if (!group.length) continue;
    for (const finding of group) {
      const item = make('button', 'item',
        make('span', `sign ${finding.severity}`, SIGNS[finding.severity]),
        make('span', 'name', `${finding.rule} ${finding.slug}`), make('span', 'time', title),
        make('span', 'words', finding.message));
      item.type = 'button';
      item.addEventListener('click', () => chooseFinding(finding));
      list.append(item);
    }
  }
  if (!list.children.length) list.append(make('p', 'none', 'Neither has any.'));
  return list;
}

// Times in each state, and from the launch until the app was active.
function timesOf(trace) {
  const times = new Map();
  const track = trace.tracks.find((track) => track && track.group === 1 && track.rows.length);
  const launch = trace.tracks.find((track) => track && track.group === 0 && track.rows.length);
  if (!track) return times;
  const row = track.rows[0];
  if (launch) {
    for (let i = 0; i < row.count; i++) {
      if (texts.get(row.name[i]) !== 'active') continue;
      times.set('launch until active', row.start[i] - launch.rows[0].start[0]);
      break;
    }
  }
  for (let i = 0; i < row.count; i++) {
    const name = texts.get(row.name[i]);
    times.set(name, (times.get(name) || 0) + row.end[i] - row.start[i]);
  }
  return times;
}

function timeChanges(a, b) {
  const inA = timesOf(a), inB = timesOf(b);
  const table = make('table', '', make('tr', '', make('th', '', ''), make('th', 'number', 'A'),
    make('th', 'number', 'B'), make('th', 'number', 'change')));
  for (const name of new Set([...inA.keys(), ...inB.keys()])) {
    const first = inA.get(name), second = inB.get(name);
    const change = first === undefined || second === undefined ? ''
      : first === second ? 'same'
      : `${second >= first ? '+' : '−'}${duration(Math.abs(second - first))}`;
    table.append(make('tr', '', make('th', '', name),
      make('td', 'number', first === undefined ? '–' : duration(first)),
      make('td', 'number', second === undefined ? '–' : duration(second)),
      make('td', 'number', change)));
  }
  return table;
}
