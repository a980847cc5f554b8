// What differs between two traces: findings that came and went, times in states, the launch, and
// what the program found when it was asked for differences.

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
  if (comparison.anchors) panel.append(make('h3', '', 'Life'), lifeChanges());
}

// Each line leads to where the difference is seen, in both traces.
function lifeChanges() {
  const list = make('div', '');
  for (const difference of comparison.differences) {
    const times = difference.ranges.flatMap((range, i) => range
      .filter((time) => !Number.isNaN(time)).map((time) => time + traces[i].shift));
    const item = make('button', 'item difference', make('span', 'sign note', ''),
      make('span', 'name', difference.name),
      make('span', 'time', `${difference.change} ${moment(times[0])}`),
      make('span', 'words', [difference.place, difference.details].filter(Boolean).join(': ')));
    item.type = 'button';
    item.addEventListener('click', () => {
      const low = Math.min(...times), high = Math.max(...times);
      const margin = Math.max((high - low) * 0.25, 2e6);
      glide(low - margin, high + margin);
    });
    list.append(item);
  }
  if (comparison.omitted) list.append(make('p', 'none', `and ${comparison.omitted} more`));
  if (!list.children.length) list.append(make('p', 'none', 'No differences.'));
  return list;
}

// Findings of one fingerprint, of both traces: launches of one trace share it.
function findingsByPrint(a, b) {
  const prints = new Map();
  for (const trace of [a, b]) {
    for (const finding of trace.findings) {
      let print = prints.get(finding.fingerprint);
      if (!print) prints.set(finding.fingerprint, print = { first: [], counts: [0, 0] });
      print.first[trace.index] = print.first[trace.index] || finding;
      print.counts[trace.index] += Math.max(1, finding.count);
    }
  }
  return [...prints.values()];
}

// What became of a fingerprint, and its place in the list.
function changeOf([inA, inB]) {
  if (!inB) return { place: 0, words: inA > 1 ? `only in A, ${inA} times` : 'only in A' };
  if (!inA) return { place: 1, words: inB > 1 ? `only in B, ${inB} times` : 'only in B' };
  if (inA !== inB) return { place: 2, words: `${inA} → ${inB}` };
  return { place: 3, words: inA > 1 ? `${inA} in both` : 'in both' };
}

function findingChanges(a, b) {
  const changes = findingsByPrint(a, b)
    .map(({ first, counts }) => ({ finding: first[1] || first[0], change: changeOf(counts) }))
    .sort((one, other) => one.change.place - other.change.place);
  if (!changes.length) return make('p', 'none', 'Neither has any.');
  const list = make('div', '');
  listInParts(list, changes, ({ finding, change }) => findingItem(finding, null, change.words));
  return list;
}

// How long the first launch took until the app was active; undefined if it never was, or if the
// trace began in the middle of it.
function launchTime(launches, states) {
  const began = launches.start[0], ended = launches.end[0];
  let i = firstFrom(states, began);
  if (i >= states.count || !texts.get(states.name[i]).startsWith('launching')) return undefined;
  for (; i < states.count && states.start[i] < ended; i++) {
    if (texts.get(states.name[i]) === 'active') return states.start[i] - began;
  }
  return undefined;
}

// Times in each state, and from the launch until the app was active.
function timesOf(trace) {
  const times = new Map();
  const rowOf = (group) => {
    const track = trace.tracks.find((track) => track.group === group && track.rows.length);
    return track && track.rows[0];
  };
  const launches = rowOf(0), states = rowOf(1);
  if (!states) return times;
  const launch = launches && launchTime(launches, states);
  if (launch !== undefined) times.set('launch until active', launch);
  for (let i = 0; i < states.count; i++) {
    const name = texts.get(states.name[i]);
    times.set(name, (times.get(name) || 0) + states.end[i] - states.start[i]);
  }
  return times;
}

function timeChanges(a, b) {
  const inA = timesOf(a), inB = timesOf(b);
  const table = make('table', 'times', make('tr', '', make('th', '', ''), make('th', 'number', 'A'),
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
