// The list of findings, and stepping through them.

const SIGNS = { error: '◆', warning: '▲', note: '●' };
const findings = [];
const LISTED_MAX = 2000;

function listFindings() {
  for (const trace of traces) findings.push(...trace.findings);
  findings.sort((a, b) => a.time + a.trace.shift - b.time - b.trace.shift);
  const panel = document.getElementById('panel-findings');
  document.getElementById('tab-findings').append(make('b', '', String(findings.length)));
  if (!findings.length) {
    panel.append(make('p', 'none', 'No findings: no rule that could be checked is broken.'));
  }
  for (const finding of findings.slice(0, LISTED_MAX)) {
    const item = make('button', 'item',
      make('span', `sign ${finding.severity}`, SIGNS[finding.severity]),
      make('span', 'name', traceBadge(finding.trace), `${finding.rule} ${finding.slug}`),
      make('span', 'time', moment(finding.time + finding.trace.shift)),
      make('span', 'words', finding.message));
    item.type = 'button';
    item.setAttribute('aria-label', `${finding.severity} ${finding.rule} ${finding.slug} at `
      + `${moment(finding.time + finding.trace.shift)}: ${finding.message}`);
    item.addEventListener('click', () => chooseFinding(finding));
    finding.item = item;
    panel.append(item);
  }
  if (findings.length > LISTED_MAX) {
    panel.append(make('p', 'none', `and ${findings.length - LISTED_MAX} more`));
  }
}

// Selects a finding, shows its rule, and moves to its evidence.
function chooseFinding(finding, isStill) {
  letGo();
  choice.finding = finding;
  for (const other of findings) if (other.item) other.item.removeAttribute('aria-current');
  if (finding.item) {
    finding.item.setAttribute('aria-current', 'true');
    finding.item.scrollIntoView({ block: 'nearest' });
  }
  openTab('findings');
  tellFinding(finding);
  if (!isStill) {
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
  if (places.length) scrollToLane(places[0].lane, places[0].row);
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
  if (place) scrollToLane(place.lane, place.row);
  const time = witness.time + trace.shift;
  if (time < view.from || time > view.to) glide(time - span() / 2, time + span() / 2);
  if (place && place.index >= 0) choice.item = place;
  invalidate();
}
