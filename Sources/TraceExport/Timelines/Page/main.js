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

function chooseItem(item) {
  letGo();
  choice.item = item;
  tellItem(item);
  const { row, index } = item;
  tellChoice(`${texts.get(row.name[index])} ${duration(row.end[index] - row.start[index])}`);
  viewChanged();
}

function stepItem(by) {
  const item = choice.item;
  if (!item) return;
  const index = item.index + by;
  if (index < 0 || index >= item.row.count) return;
  chooseItem({ ...item, index });
  const time = item.row.start[index] + item.lane.trace.shift;
  if (time < view.from || time > view.to) glide(time - span() / 2, time + span() / 2);
}

// Ends every selection.
function letGo() {
  choice.item = choice.stretch = choice.finding = null;
  for (const finding of findings) if (finding.item) finding.item.removeAttribute('aria-current');
  pane.replaceChildren();
  tellChoice('');
  viewChanged();
}

function zoomToChoice() {
  if (choice.stretch) {
    const { from, to } = choice.stretch;
    glide(Math.min(from, to), Math.max(from, to));
  } else if (choice.item) {
    const { lane, row, index } = choice.item, shift = lane.trace.shift;
    const start = row.start[index] + shift, end = row.end[index] + shift;
    const margin = Math.max((end - start) * 0.3, 5e4);
    glide(start - margin, end + margin);
  } else if (choice.finding) {
    chooseFinding(choice.finding);
  }
}

function scrollToLane(lane, row) {
  const top = rowTop(lane, row), room = view.height - HEAD;
  if (top >= view.top + 30 && top + lane.rowHeight <= view.top + room - 30) return;
  scroller.scrollTop = Math.max(0, top - room / 3);
}

// Moves to a stretch in a few steps, or at once for those who asked for less motion.
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
let flight = 0;
function glide(from, to) {
  const number = ++flight;
  if (calm.matches) { show(from, to); return; }
  const a = view.from, b = view.to, began = performance.now();
  const step = (now) => {
    if (number !== flight) return;
    const share = Math.min(1, Math.max(0, (now - began) / 180)), eased = 1 - (1 - share) ** 3;
    show(a + (from - a) * eased, b + (to - b) * eased);
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// The address holds what is shown: `#t=12.5-20&f=v1:0123456789abcdef`, in seconds.
let addressTimer = 0, isFollowing = false;
function viewChanged() {
  tellRange();
  invalidate();
  if (isFollowing) return;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, 200);
}

function writeAddress() {
  const seconds = (time) => ((time - view.zero) / 1e9).toFixed(9).replace(/\.?0+$/, '');
  const isAll = view.from <= view.first && view.to >= view.last;
  const parts = [];
  if (!isAll) parts.push(`t=${seconds(view.from)}~${seconds(view.to)}`);
  if (choice.finding) {
    const trace = choice.finding.trace.index ? 'b.' : '';
    parts.push(`f=${trace}${encodeURIComponent(choice.finding.fingerprint).replace('%3A', ':')}`);
  }
  history.replaceState(null, '', parts.length ? `#${parts.join('&')}` : location.pathname
    + location.search);
}

// Finds what an address names: a finding by its fingerprint or its number from 1.
function followAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  const stretch = /^(-?[\d.]+)[-~](-?[\d.]+)$/.exec(values.get('t') || '');
  const name = values.get('f') || '';
  const wanted = name.replace(/^b\./, ''), inB = name.startsWith('b.');
  const finding = findings.find((finding) => finding.fingerprint === wanted
    && finding.trace.index === (inB ? 1 : 0)) || findings.find((finding) =>
    finding.fingerprint === wanted) || findings[Number(wanted) - 1];
  isFollowing = true;
  if (finding) chooseFinding(finding, Boolean(stretch));
  if (stretch) {
    const [from, to] = [stretch[1], stretch[2]].map((text) => Number(text) * 1e9 + view.zero);
    if (to > from) show(from, to);
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

function tellHeading() {
  const names = traces.map((trace) => {
    const fields = new Map(trace.fields);
    return [trace.title, fields.get('app_version')].filter(Boolean).join(' ');
  });
  const first = traces[0], fields = new Map(first.fields);
  document.getElementById('title').textContent = [...new Set(names)].join('  and  ');
  document.title = `${names[0]} – timeline`;
  document.getElementById('subtitle').textContent = traces.length > 1
    ? traces.map((trace) => `${'AB'[trace.index]}: ${trace.path}`).join('   ')
    : [fields.get('device_model'), fields.get('os_version') && `iOS ${fields.get('os_version')}`,
      `${first.events.toLocaleString('en')} events`,
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
  get shown() { return [view.from - view.zero, view.to - view.zero]; },
  redraw: draw,
});
