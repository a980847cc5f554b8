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

// Compared traces are laid so that their first launches begin together, or what else is given.
function alignTraces() {
  const starts = comparison.anchors || traces.map((trace) => {
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
  for (const trace of traces) for (const track of trace.tracks) track.lane = null;
  let y = 0;
  for (let group = 0; group < GROUPS.length; group++) {
    const tracks = traces.flatMap((trace) => trace.tracks
      .filter((track) => track.group === group && (track.rows.length || track.marks))
);
    if (!tracks.length) continue;
    // With two traces a lane stands beside its twin.
    tracks.sort((a, b) => laneOrder(a, b) || a.trace.index - b.trace.index);
    const isPlain = tracks.every((track) => !track.name);
    if (!isPlain) {
      lanes.push({ isTitle: true, group, y, height: TITLE, count: tracks.length });
      y += TITLE;
    }
    if (folded.has(group)) continue;
    for (const track of tracks) {
      const lane = {
        trace: track.trace, track, group, y, rows: track.rows, marks: track.marks,
        label: track.name || GROUPS[group], isInside: !isPlain,
      };
      lane.height = laneHeight(lane);
      lane.rowHeight = group <= 2 ? TALL : LOW;
      track.lane = lane;
      lanes.push(lane);
      y += lane.height;
    }
  }
  lanesHeight = y + 12;
}

function laneOrder(a, b) {
  if (traces.length === 1) return a.number - b.number;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

// The top of a row of a lane, from the top of all lanes; marks stand above the rows.
function rowTop(lane, row) {
  const place = row === lane.marks ? 0 : row.depth + (lane.marks ? 1 : 0);
  return lane.y + LANE_PAD / 2 + place * (lane.rowHeight + ROW_GAP);
}

// Counts the moves: a glide ends when another move begins.
let flight = 0;

// Shows a stretch of time, as far as there is something to show.
function show(from, to) {
  flight++;
  frame(from, to);
}

function frame(from, to) {
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

// The zeros behind a decimal point say nothing; those before it do.
const withoutZeros = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

// A count in groups of three digits. The browser's own way loads its tables of languages first.
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

// Units, the decimals that reach a nanosecond, and the value at which the next unit begins.
const UNITS = [[1, 'ns', 0, 1000], [1e3, 'µs', 3, 1000], [1e6, 'ms', 6, 1000], [1e9, 's', 9, 60]];

// A duration to three digits, or to more. The unit is that of the rounded value.
function duration(ns, digits = 3) {
  const size = Math.abs(ns), sign = ns < 0 ? '−' : '';
  for (const [unit, name, most, end] of UNITS) {
    const value = size / unit, whole = value < 10 ? 1 : value < 100 ? 2 : 3;
    const text = value.toFixed(Math.min(most, Math.max(0, digits - whole)));
    if (Number(text) < end) return `${sign}${withoutZeros(text)} ${name}`;
  }
  const decimals = Math.min(9, Math.max(0, digits - 3));
  const seconds = Number((size / 1e9).toFixed(decimals));
  if (seconds < 3600) {
    const rest = withoutZeros((seconds % 60).toFixed(decimals));
    return `${sign}${Math.floor(seconds / 60)} min ${rest} s`;
  }
  const minutes = digits > 3 ? Math.floor(seconds / 60) : Math.round(seconds / 60);
  const rest = digits > 3 ? ` ${withoutZeros((seconds % 60).toFixed(decimals))} s` : '';
  return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} min${rest}`;
}

// Two durations with as many digits as tell them apart.
function durationsApart(a, b) {
  for (let digits = 3; digits < 13; digits++) {
    const texts = [duration(a, digits), duration(b, digits)];
    if (a === b || texts[0] !== texts[1]) return texts;
  }
  return [duration(a, 13), duration(b, 13)];
}

// A time on the axis with as many decimals as its distance to the next one asks for.
function clock(ns, step) {
  const sign = ns < 0 ? '−' : '';
  const size = Math.abs(ns);
  const decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)));
  if (step >= DAY) return `${sign}${Math.round(size / DAY)} d`;
  if (step >= 1e9 && size >= 60e9) {
    const seconds = Math.round(size / 1e9);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const digits = parts.map((part) => String(part).padStart(2, '0'));
    return sign + (parts[0] ? `${parts[0]}:${digits[1]}:${digits[2]}` : `${parts[1]}:${digits[2]}`);
  }
  return `${sign}${(size / 1e9).toFixed(decimals)}s`;
}

const timeTitle = () => traces.length < 2 ? 'time since start'
  : `time since ${comparison.words || 'launch'}`;

// A time in full: seconds to the microsecond, from the beginning or from the launch.
function moment(time) {
  const ns = time - view.zero;
  const text = withoutZeros((Math.abs(ns) / 1e9).toFixed(6));
  return `${ns < 0 && text !== '0' ? '−' : ''}${text}s`;
}

// Distances of ticks, in nanoseconds: 1, 2 and 5 of everything, then parts of hours, then days. A
// clock of 64 bits counts 213,503 of them from its least to its greatest value.
const DAY = 864e11;
const STEPS = [];
for (let power = 1; power < 1e9; power *= 10) STEPS.push(power, 2 * power, 5 * power);
STEPS.push(1e9, 2e9, 5e9, 1e10, 1.5e10, 3e10);
for (const minutes of [1, 2, 5, 10, 15, 30, 60, 120, 360, 720]) STEPS.push(minutes * 6e10);
for (let days = DAY; days < 1e6 * DAY; days *= 10) STEPS.push(days, 2 * days, 5 * days);
const stepFor = (least) => STEPS.find((step) => step >= least) || STEPS[STEPS.length - 1];
