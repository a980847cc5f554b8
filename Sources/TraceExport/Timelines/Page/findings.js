// The list of findings, and stepping through them.

const SIGNS = { error: '◆', warning: '▲', note: '●' };
const findings = [];
// When the findings of each severity are; the gravest are drawn last.
const findingRows = {};
// Entries that a list begins with, and that its buttons add: a browser lays out thousands slowly.
const PART_ITEMS = 100;
let findingParts = null;

// Fills an element with entries, of which a stretch is shown, with buttons that show more.
function listInParts(host, entries, itemFor) {
  let first = 0, last = 0;
  const button = (act) => {
    const element = make('button', 'more');
    element.type = 'button';
    element.addEventListener('click', act);
    host.append(element);
    return element;
  };
  // The keys go on where the new entries begin.
  const show = (from, to) => extend(from, to)[0].focus({ preventScroll: true });
  const earlier = button(() => show(Math.max(0, first - PART_ITEMS), last));
  const later = button(() => show(first, Math.min(entries.length, last + PART_ITEMS)));
  function extend(from, to) {
    const before = entries.slice(from, first).map(itemFor);
    const after = entries.slice(last, to).map(itemFor);
    earlier.after(...before);
    later.before(...after);
    first = from;
    last = to;
    earlier.hidden = first === 0;
    later.hidden = last === entries.length;
    earlier.textContent = `${grouped(first)} earlier`;
    later.textContent = `${grouped(entries.length - last)} more`;
    return [...before, ...after];
  }
  extend(0, Math.min(entries.length, PART_ITEMS));
  return {
    // Shows the stretch around an entry that isn't shown.
    reach(place) {
      if (place >= first && place < last) return;
      host.replaceChildren(earlier, later);
      first = last = Math.max(0, place - PART_ITEMS / 2);
      extend(first, Math.min(entries.length, first + PART_ITEMS));
    },
  };
}

// What is said of a finding's time; one about the header has none.
const timeWords = (finding) =>
  (finding.launch ? moment(finding.time + finding.trace.shift) : 'header');

// An entry of a list of findings.
function findingItem(finding, badge, note) {
  const { severity, rule, slug, message } = finding;
  const item = make('button', 'item', make('span', `sign ${severity}`, SIGNS[severity]),
    make('span', 'name', badge, `${rule} ${slug}`), make('span', 'time', note),
    make('span', 'words', message));
  item.type = 'button';
  item.setAttribute('aria-label', `${severity} ${rule} ${slug}, ${note}: ${message}`);
  item.addEventListener('click', () => chooseFinding(finding));
  return item;
}

function listFindings() {
  for (const trace of traces) for (const finding of trace.findings) findings.push(finding);
  findings.sort((a, b) => a.time + a.trace.shift - b.time - b.trace.shift);
  for (const severity of ['note', 'warning', 'error']) {
    const start = Float64Array.from(findings.filter((finding) => finding.severity === severity),
      (finding) => finding.time + finding.trace.shift);
    findingRows[severity] = { start, count: start.length };
  }
  const panel = document.getElementById('panel-findings');
  const count = make('b', '', grouped(findings.length));
  document.getElementById('tab-findings').append(count);
  if (!findings.length) {
    panel.append(make('p', 'none', 'No findings: no rule that could be checked is broken.'));
  }
  findingParts = listInParts(panel, findings, (finding) => {
    finding.item = findingItem(finding, traceBadge(finding.trace), timeWords(finding));
    if (finding === choice.finding) finding.item.setAttribute('aria-current', 'true');
    return finding.item;
  });
}

// Selects a finding, shows its rule, and moves to its evidence.
function chooseFinding(finding, isStill) {
  letGo();
  choice.finding = finding;
  openTab('findings');
  findingParts.reach(findings.indexOf(finding));
  finding.item.setAttribute('aria-current', 'true');
  finding.item.scrollIntoView({ block: 'nearest' });
  tellFinding(finding);
  say(finding.item.getAttribute('aria-label'));
  // The header is at no place of the trace.
  if (!isStill && finding.launch) {
    const times = [finding.time, ...finding.witness.map((witness) => witness.time)]
      .map((time) => time + finding.trace.shift);
    if (finding.limit > 0) times.push(finding.start + finding.limit + finding.trace.shift);
    const low = Math.min(...times), high = Math.max(...times);
    const margin = Math.max((high - low) * 0.25, 2e6);
    glide(low - margin, high + margin);
  }
  scrollToFinding(finding);
  viewChanged();
}

function scrollToFinding(finding) {
  const places = finding.witness.map((witness) => placeOf(witness, finding.trace)).filter(Boolean);
  if (places.length) scrollToRow(places[0]);
}

function stepFinding(by) {
  if (!findings.length) return;
  const at = findings.indexOf(choice.finding);
  const next = at < 0 ? (by > 0 ? 0 : findings.length - 1)
    : (at + by + findings.length) % findings.length;
  chooseFinding(findings[next]);
}

// Selects the event that a witness is.
function reveal(witness, trace) {
  const place = placeOf(witness, trace);
  if (place) {
    unfold(place.track.group);
    scrollToRow(place);
  }
  const time = witness.time + trace.shift;
  if (time < view.from || time > view.to) glide(time - span() / 2, time + span() / 2);
  choice.item = place && place.index >= 0 ? place : null;
  if (choice.item) tellChoice(itemWords(choice.item));
  invalidate();
}
