// Starts the page: reads the data, lays out the lanes, and ties selection, address and theme
// together.

function tellRange() {
  document.getElementById('range').textContent =
    `${moment(view.from)} – ${moment(view.to)}  (${duration(span())})`;
}

function tellPointer(time) {
  document.getElementById('pointer').textContent = time === null ? '' : `at ${moment(time)}`;
}

function tellChoice(words) {
  document.getElementById('choice').textContent = words;
}

// Tells those who don't see the page what changed.
function say(words) {
  document.getElementById('told').textContent = words;
}

function itemWords({ track, row, index }) {
  const name = texts.get(row.name[index]);
  return row === track.marks ? name : `${name} ${duration(row.end[index] - row.start[index])}`;
}

function chooseItem(item) {
  release();
  choice.item = item;
  tellItem(item);
  tellChoice(itemWords(item));
  say(`${itemWords(item)}, starts ${moment(timeOf(item))}`);
  viewChanged();
}

// Selects the span before or after the one that is selected, or else one that is in view.
function stepItem(by) {
  if (!choice.item) {
    const item = itemInView(by);
    if (item) chooseItem(item);
    return;
  }
  const { track, row } = choice.item, index = choice.item.index + by;
  if (index < 0 || index >= row.count) return;
  chooseItem({ track, row, index });
  const time = row.start[index] + track.trace.shift;
  if (time < view.from || time > view.to) glide(time - span() / 2, time + span() / 2);
}

// The first or the last span of the lanes and the stretch that are in view; null if there is none.
function itemInView(by) {
  let best = null;
  for (const lane of lanes) {
    if (lane.isTitle || !isOnScreen(lane)) continue;
    const { track, trace: { shift } } = lane;
    for (const row of lane.marks ? [lane.marks, ...lane.rows] : lane.rows) {
      let index = firstFrom(row, (by > 0 ? view.from : view.to) - shift);
      if (index > 0 && (by < 0 || row.end[index - 1] + shift >= view.from)) index--;
      if (index >= row.count || row.start[index] + shift > view.to) continue;
      if (row.end[index] + shift < view.from) continue;
      const item = { track, row, index };
      if (!best || (timeOf(item) - timeOf(best)) * by < 0) best = item;
    }
  }
  return best;
}

// Marks the beginning (0) or the end (1) of a stretch: at the selected span, or at the pointer, or
// at the edge of what is shown.
function markEnd(which) {
  const item = choice.item, edge = which ? view.to : view.from;
  const time = item ? (which ? item.row.end : item.row.start)[item.index] + item.track.trace.shift
    : pointerX >= LABELS ? timeAt(pointerX) : edge;
  choice.ends[which] = time;
  const [from, to] = choice.ends;
  const words = `stretch ${which ? 'ends' : 'begins'} at ${moment(time)}`;
  tellChoice(words);
  say(words);
  if (from === from && to === to) {
    letGo();
    measure({ from, to });
  }
  invalidate();
}

// Selects a stretch of time, and tells what lies in it.
function measure(stretch) {
  choice.stretch = stretch;
  const words = tellStretch(stretch);
  tellChoice(words);
  say(words);
  invalidate();
}

// Ends every selection.
function release() {
  if (choice.finding) choice.finding.item.removeAttribute('aria-current');
  choice.item = choice.stretch = choice.finding = null;
  pane.replaceChildren();
  tellChoice('');
  viewChanged();
}

// Ends every selection, also one that the keys have begun.
function letGo() {
  choice.ends = [NaN, NaN];
  release();
}

function zoomToChoice() {
  if (choice.stretch) {
    const { from, to } = choice.stretch;
    glide(Math.min(from, to), Math.max(from, to));
  } else if (choice.item) {
    const { track, row, index } = choice.item, shift = track.trace.shift;
    const start = row.start[index] + shift, end = row.end[index] + shift;
    const margin = Math.max((end - start) * 0.3, 5e4);
    glide(start - margin, end + margin);
  } else if (choice.finding) {
    chooseFinding(choice.finding);
  }
}

// Opens a group that is folded.
function unfold(group) {
  if (folded.has(group)) toggleGroup(group);
}

function toggleGroup(group) {
  if (!folded.delete(group)) folded.add(group);
  layLanes();
  resize();
  say(`${GROUPS[group]} ${folded.has(group) ? 'folded' : 'unfolded'}`);
}

function scrollToRow({ track: { lane }, row }) {
  if (!lane) return;
  const top = rowTop(lane, row), room = view.height - HEAD;
  if (top >= view.top + 30 && top + lane.rowHeight <= view.top + room - 30) return;
  scroller.scrollTop = Math.max(0, top - room / 3);
}

// Moves to a stretch in a few steps, or at once for those who asked for less motion.
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
let gliding = -1;
function glide(from, to) {
  const number = ++flight;
  if (calm.matches) { frame(from, to); return; }
  gliding = number;
  const a = view.from, b = view.to, began = performance.now();
  const step = (now) => {
    if (number !== flight) return;
    const share = Math.min(1, Math.max(0, (now - began) / 180)), eased = 1 - (1 - share) ** 3;
    frame(a + (from - a) * eased, b + (to - b) * eased);
    if (share < 1) requestAnimationFrame(step); else gliding = -1;
  };
  requestAnimationFrame(step);
}

// The address holds what is shown: `#t=12.5~20&f=v1:0123456789abcdef`, in seconds. Findings of one
// fingerprint are told apart by a number: `~2` is the second.
let addressTimer = 0, isFollowing = false;
function viewChanged() {
  tellRange();
  invalidate();
  if (isFollowing) return;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, 200);
}

function writeAddress() {
  addressTimer = 0;
  const seconds = (time) => ((time - view.zero) / 1e9).toFixed(9).replace(/\.?0+$/, '');
  const isAll = view.from <= view.first && view.to >= view.last;
  const parts = [];
  if (!isAll) parts.push(`t=${seconds(view.from)}~${seconds(view.to)}`);
  if (choice.finding) {
    const { trace, fingerprint } = choice.finding, alike = findingsCalled(fingerprint, trace.index);
    const number = alike.length > 1 ? `~${alike.indexOf(choice.finding) + 1}` : '';
    const name = encodeURIComponent(fingerprint).replace('%3A', ':');
    parts.push(`f=${trace.index ? 'b.' : ''}${name}${number}`);
  }
  history.replaceState(null, '', parts.length ? `#${parts.join('&')}` : location.pathname
    + location.search);
}

const findingsCalled = (fingerprint, trace) => findings.filter((finding) =>
  finding.fingerprint === fingerprint && (trace < 0 || finding.trace.index === trace));

// The finding that an address names by its fingerprint, or by its number from 1. Among findings of
// one fingerprint the address tells the number, or else a time that is near.
function findingNamed(name, time) {
  const [, b, wanted, number] = /^(b\.)?([^~]*)(?:~(\d+))?$/.exec(name) || [];
  if (!wanted) return null;
  let alike = findingsCalled(wanted, b ? 1 : 0);
  if (!alike.length) alike = findingsCalled(wanted, -1);
  if (!alike.length) return /^\d+$/.test(wanted) ? findings[Number(wanted) - 1] : null;
  if (number) return alike[Number(number) - 1] || alike[0];
  if (time !== time) return alike[0];
  const away = (finding) => Math.abs(finding.time + finding.trace.shift - time);
  return alike.reduce((best, finding) => (away(finding) < away(best) ? finding : best));
}

// Shows what the address names: a stretch or, as reports write it, one time, and a finding.
function followAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  const told = /^(-?[\d.]+)(?:[-~](-?[\d.]+))?$/.exec(values.get('t') || '');
  const inView = (text) => Number(text) * 1e9 + view.zero;
  const from = told ? inView(told[1]) : NaN, to = told && told[2] ? inView(told[2]) : from;
  const middle = (from + to) / 2, finding = findingNamed(values.get('f') || '', middle);
  isFollowing = true;
  if (finding) chooseFinding(finding, to > from); else letGo();
  if (to > from) {
    show(from, to);
  } else if (!finding && middle === middle) {
    // Where everything is shown, a middle would tell nothing.
    const most = view.last - view.first, half = (span() < most ? span() : most / 10) / 2;
    show(middle - half, middle + half);
  }
  isFollowing = false;
}

const TABS = ['findings', 'search', 'compare', 'trace'];
function openTab(name) {
  for (const tab of TABS) {
    const isOpen = tab === name, button = document.getElementById(`tab-${tab}`);
    button.setAttribute('aria-selected', String(isOpen));
    button.tabIndex = isOpen ? 0 : -1;
    document.getElementById(`panel-${tab}`).hidden = !isOpen;
  }
}

for (const tab of TABS) {
  const button = document.getElementById(`tab-${tab}`);
  button.addEventListener('click', () => openTab(tab));
  button.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = TABS.filter((tab) => !document.getElementById(`tab-${tab}`).hidden);
    const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
    openTab(next);
    document.getElementById(`tab-${next}`).focus();
  });
}

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
let theme = null;
function applyTheme() {
  document.documentElement.dataset.theme = theme || (darkness.matches ? 'dark' : 'light');
  readColors();
  if (view.last > 1 && minimap.width) drawOverview();
  invalidate();
}

function switchTheme() {
  theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  applyTheme();
}

function openHelp() {
  document.getElementById('timing').textContent = `Loaded in ${Math.round(timing.load)} ms; `
    + `last drawn in ${timing.draw.toFixed(1)} ms.`;
  document.getElementById('help').showModal();
}

darkness.addEventListener('change', applyTheme);
document.getElementById('theme').addEventListener('click', switchTheme);
document.getElementById('fit').addEventListener('click', fit);
document.getElementById('help-open').addEventListener('click', openHelp);
window.addEventListener('resize', resize);
window.addEventListener('hashchange', followAddress);

// What the lanes show, for those who don't see them.
function describeLanes() {
  const groups = [...new Set(lanes.map((lane) => GROUPS[lane.group]))];
  const tracks = lanes.filter((lane) => !lane.isTitle).length;
  document.getElementById('lanes-words').textContent = `${counted(tracks, 'lane')} over `
    + `${duration(view.last - view.first)}: ${groups.join(', ')}. `
    + `${counted(findings.length, 'finding')}.`;
}

function tellHeading() {
  const names = traces.map((trace) => {
    const fields = new Map(trace.fields);
    return [trace.title, fields.get('app_version')].filter(Boolean).join(' ');
  });
  const first = traces[0], fields = new Map(first.fields);
  document.getElementById('title').textContent = [...new Set(names)].join('  and  ');
  document.title = `${names[0]} – timeline`;
  describeLanes();
  document.getElementById('subtitle').textContent = traces.length > 1
    ? traces.map((trace) => `${'AB'[trace.index]}: ${trace.path}`).join('   ')
    : [fields.get('device_model'), fields.get('os_version') && `iOS ${fields.get('os_version')}`,
      `${grouped(first.events)} events`,
      `${first.launches} ${first.launches === 1 ? 'launch' : 'launches'}`,
      duration(first.last), first.path].filter(Boolean).join(' · ');
}

readData();
for (const trace of traces) buildRows(trace);
applyTheme();
alignTraces();
layLanes();
listFindings();
listMatches();
tellTraces();
tellComparison();
tellHeading();
openTab(traces.length > 1 ? 'compare' : 'findings');
view.from = view.first;
view.to = view.last;
resize();
fit();
followAddress();
draw();
timing.load = performance.now();
// For tests and the curious: what was measured, and nothing that could change the page.
window.tracecheckTimeline = Object.freeze({
  get loadMilliseconds() { return timing.load; },
  get drawMilliseconds() { return timing.draw; },
  get isAtRest() { return gliding !== flight && addressTimer === 0; },
  get shown() { return [view.from - view.zero, view.to - view.zero]; },
  redraw: draw,
});
