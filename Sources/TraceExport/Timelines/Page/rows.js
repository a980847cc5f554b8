// Sorts spans and marks into rows, and prepares levels of detail: each level sums up eight pieces
// of the one below, so that a redraw looks at a few thousand of them and not at a million.
// Knows nothing of pixels.

const FAN = 8;
const GROUPS = ['Launches', 'App state', 'Scenes', 'Background tasks', 'Services', 'System',
  'Graphics', 'Network', 'Files, locks, timers', 'Threads'];
const DEPTHS = 128;

// Rows of a trace, by track and depth; marks by track.
function buildRows(trace) {
  const counts = new Uint32Array(trace.tracks.length * DEPTHS);
  for (const part of trace.spans) {
    for (let i = 0; i < part.rows; i++) counts[part.track[i] * DEPTHS + part.depth[i]]++;
  }
  const rows = new Array(counts.length);
  for (let key = 0; key < counts.length; key++) {
    if (counts[key]) rows[key] = newRow(counts[key]);
  }
  for (const part of trace.spans) {
    for (let i = 0; i < part.rows; i++) {
      const row = rows[part.track[i] * DEPTHS + part.depth[i]], place = row.count++;
      row.start[place] = part.start[i];
      row.end[place] = part.start[i] + part.duration[i];
      row.name[place] = part.name[i];
      row.detail[place] = part.detail[i];
      row.ordinal[place] = part.ordinal[i];
      row.flags[place] = part.flags[i];
    }
  }
  trace.spans = null;
  const marks = buildMarks(trace);
  for (const track of trace.tracks) {
    track.rows = rows.slice(track.number * DEPTHS, (track.number + 1) * DEPTHS);
    while (track.rows.length && !track.rows[track.rows.length - 1]) track.rows.pop();
    for (let depth = 0; depth < track.rows.length; depth++) {
      track.rows[depth] = finishRow(track.rows[depth] || newRow(0), depth);
    }
    track.marks = marks[track.number] ? finishRow(marks[track.number], -1) : null;
  }
}

function buildMarks(trace) {
  const counts = new Uint32Array(trace.tracks.length);
  for (const part of trace.marks) {
    for (let i = 0; i < part.rows; i++) counts[part.track[i]]++;
  }
  const marks = Array.from(counts, (count) => (count ? newRow(count) : null));
  for (const part of trace.marks) {
    for (let i = 0; i < part.rows; i++) {
      const row = marks[part.track[i]], place = row.count++;
      row.start[place] = part.time[i];
      row.end[place] = part.time[i];
      row.name[place] = part.name[i];
      row.detail[place] = part.detail[i];
      row.ordinal[place] = part.ordinal[i];
    }
  }
  trace.marks = null;
  return marks;
}

function newRow(size) {
  return {
    count: 0, start: new Float64Array(size), end: new Float64Array(size),
    name: new Uint32Array(size), detail: new Uint32Array(size), ordinal: new Uint32Array(size),
    flags: new Uint8Array(size), levels: [],
  };
}

function finishRow(row, depth) {
  row.depth = depth;
  for (let i = 1; i < row.count; i++) {
    // A device that was restarted begins its clock anew.
    if (row.start[i] < row.start[i - 1]) { sortRow(row); break; }
  }
  let below = { start: row.start, end: row.end, best: null, count: row.count };
  row.levels = [below];
  while (below.count > FAN) {
    below = sumUp(below, row);
    row.levels.push(below);
  }
  return row;
}

function sortRow(row) {
  const order = Uint32Array.from({ length: row.count }, (_, i) => i)
    .sort((a, b) => row.start[a] - row.start[b]);
  for (const key of ['start', 'end', 'name', 'detail', 'ordinal', 'flags']) {
    row[key] = row[key].map((_, i) => row[key][order[i]]);
  }
}

// The extent of each piece, and the longest span in it, which gives it its colour.
function sumUp(below, row) {
  const count = Math.ceil(below.count / FAN);
  const level = {
    start: new Float64Array(count), end: new Float64Array(count), best: new Uint32Array(count),
    count,
  };
  for (let i = 0; i < count; i++) {
    const first = i * FAN, last = Math.min(below.count, first + FAN);
    let end = -Infinity, best = 0, longest = -1;
    for (let j = first; j < last; j++) {
      if (below.end[j] > end) end = below.end[j];
      const span = below.best ? below.best[j] : j;
      const length = row.end[span] - row.start[span];
      if (length > longest) { longest = length; best = span; }
    }
    level.start[i] = below.start[first];
    level.end[i] = end;
    level.best[i] = best;
  }
  return level;
}

// The place of the first span that starts at or after a time.
function firstFrom(row, time) {
  let low = 0, high = row.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.start[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

// The span of a row nearest to a time, within a reach; -1 if there is none.
function spanAt(row, time, reach) {
  const next = firstFrom(row, time);
  if (next > 0 && row.end[next - 1] >= time) return next - 1;
  const before = next > 0 ? time - row.end[next - 1] : Infinity;
  const after = next < row.count ? row.start[next] - time : Infinity;
  if (Math.min(before, after) > reach) return -1;
  return before <= after ? next - 1 : next;
}
