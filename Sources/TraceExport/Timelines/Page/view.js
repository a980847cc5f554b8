// What is shown: the stretch of time, the lanes from top to bottom, and how numbers are written.
// Knows nothing of drawing.

const LABELS = 176, RULER = 30, FLAGS = 24, HEAD = RULER + FLAGS;
const TALL = 20, LOW = 15, ROW_GAP = 2, LANE_PAD = 4, TITLE = 24;

const view = { from: 0, to: 1, first: 0, last: 1, width: 800, height: 400, top: 0, ratio: 1 };
const lanes = [];
const folded = new Set();
let lanesHeight = 0;

const span = () => view.to - view.from;
const timeWidth = () => Math.max(1, view.width - LABELS);
const xOf = (time) => LABELS + (time - view.from) / span() * timeWidth();
const timeAt = (x) => view.from + (x - LABELS) / timeWidth() * span();

// Compared traces are laid so that their first launches begin together.
function alignTraces() {
  const starts = traces.map((trace) => {
    const track = trace.tracks.find((track) => track.group === 0 && track.rows.length);
    return track ? track.rows[0].start[0] : 0;
  });
  const align = Math.max(0, ...starts);
  traces.forEach((trace, i) => { trace.shift = traces.length > 1 ? align - starts[i] : 0; });
  view.zero = traces.length > 1 ? align : 0;
  view.first = Math.min(...traces.map((trace) => trace.shift));
  view.last = Math.max(...traces.map((trace) => trace.shift + trace.last));
  const margin = (view.last - view.first) * 0.01 + 1;
  view.first -= margin;
  view.last += margin;
}

function laneHeight(lane) {
  const height = lane.group <= 2 ? TALL : LOW;
  const rows = lane.rows.length + (lane.marks ? 1 : 0);
  return Math.max(1, rows) * (height + ROW_GAP) + LANE_PAD;
}

function layLanes() {
  lanes.length = 0;
  let y = 0;
  for (let group = 0; group < GROUPS.length; group++) {
    const tracks = traces.flatMap((trace) => trace.tracks
      .filter((track) => track && track.group === group && (track.rows.length || track.marks))
      .map((track) => ({ trace, track })));
    if (!tracks.length) continue;
    // With two traces a lane stands beside its twin.
    tracks.sort((a, b) => laneOrder(a, b) || a.trace.index - b.trace.index);
    const isPlain = tracks.every(({ track }) => !track.name);
    if (!isPlain) {
      lanes.push({ isTitle: true, group, y, height: TITLE, count: tracks.length });
      y += TITLE;
    }
    if (folded.has(group)) continue;
    for (const { trace, track } of tracks) {
      const lane = {
        trace, track, group, y, rows: track.rows, marks: track.marks,
        label: track.name || GROUPS[group], isInside: !isPlain,
      };
      lane.height = laneHeight(lane);
      lane.rowHeight = group <= 2 ? TALL : LOW;
      lanes.push(lane);
      y += lane.height;
    }
  }
  lanesHeight = y + 12;
}

function laneOrder(a, b) {
  if (traces.length === 1) return a.track.number - b.track.number;
  return a.track.name < b.track.name ? -1 : a.track.name > b.track.name ? 1 : 0;
}

// The top of a row of a lane, from the top of all lanes; marks stand above the rows.
function rowTop(lane, row) {
  const place = row === lane.marks ? 0 : row.depth + (lane.marks ? 1 : 0);
  return lane.y + LANE_PAD / 2 + place * (lane.rowHeight + ROW_GAP);
}

// Shows a stretch of time, as far as there is something to show.
function show(from, to) {
  const least = 200, most = view.last - view.first;
  const length = Math.min(most, Math.max(least, to - from));
  const middle = (from + to) / 2;
  view.from = Math.min(view.last - length, Math.max(view.first, middle - length / 2));
  view.to = view.from + length;
  viewChanged();
}

const fit = () => show(view.first, view.last);

function zoom(factor, x) {
  const time = timeAt(x), share = (time - view.from) / span();
  const length = Math.min(view.last - view.first, Math.max(200, span() * factor));
  show(time - share * length, time - share * length + length);
}

const move = (share) => {
  const by = Math.min(view.last - view.to, Math.max(view.first - view.from, span() * share));
  show(view.from + by, view.to + by);
};

function two(value, digits) {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}

// A duration to three digits.
function duration(ns) {
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  for (const [unit, name] of [[1e3, 'µs'], [1e6, 'ms'], [1e9, 's']]) {
    if (size < unit * 1000 && !(unit === 1e9 && size >= 60e9)) {
      const value = ns / unit, digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
      return `${two(value, digits) === '1000' ? '999' : digits ? two(value, digits) : Math.round(value)} ${name}`;
    }
  }
  const seconds = Math.round(ns / 1e9), minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// A time on the axis with as many decimals as its distance to the next one asks for.
function clock(ns, step) {
  const sign = ns < 0 ? '−' : '';
  const size = Math.abs(ns);
  const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)));
  if (step >= 1e9 && size >= 60e9) {
    const seconds = Math.round(size / 1e9);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const digits = parts.map((part) => String(part).padStart(2, '0'));
    return sign + (parts[0] ? `${parts[0]}:${digits[1]}:${digits[2]}` : `${parts[1]}:${digits[2]}`);
  }
  return `${sign}${(size / 1e9).toFixed(decimals)}s`;
}

// A time in full: seconds to the microsecond, from the beginning or from the launch.
function moment(time) {
  const ns = time - view.zero;
  return `${ns < 0 ? '−' : ''}${two(Math.abs(ns) / 1e9, 6)}s`;
}

// Distances of ticks, in nanoseconds: 1, 2 and 5 of everything, then parts of hours and days.
const STEPS = [];
for (let power = 1; power < 1e9; power *= 10) STEPS.push(power, 2 * power, 5 * power);
STEPS.push(1e9, 2e9, 5e9, 1e10, 1.5e10, 3e10);
for (const minutes of [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440, 10080]) {
  STEPS.push(minutes * 6e10);
}
const stepFor = (least) => STEPS.find((step) => step >= least) || STEPS[STEPS.length - 1];
