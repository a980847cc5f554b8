// Draws what is selected on top of the lanes: a span, a stretch, a finding with its evidence, its
// limit, and the arrows between. Knows nothing of the mouse.

// A span or a mark is a track, a row of it, and a place in the row. Of `ends` the keys mark one
// after the other.
const choice = { item: null, hover: null, stretch: null, finding: null, ends: [NaN, NaN] };

function drawOverlay() {
  if (choice.stretch) drawStretch(choice.stretch);
  else for (const end of choice.ends) if (end === end) drawEnd(end);
  for (const [item, color, width] of [
    [choice.hover, colors.css.soft, 1], [choice.item, colors.css.accent, 2],
  ]) {
    if (item && item.track.lane) outline(item, color, width);
  }
  if (choice.finding) drawEvidence(choice.finding);
}

function clipToLanes(body) {
  context.save();
  context.beginPath();
  context.rect(LABELS, HEAD, view.width - LABELS, view.height - HEAD);
  context.clip();
  body();
  context.restore();
}

function outline({ track, row, index }, color, width) {
  const { lane, trace: { shift } } = track;
  const left = Math.max(LABELS - 2, xOf(row.start[index] + shift));
  const right = Math.min(view.width + 2, xOf(row.end[index] + shift));
  clipToLanes(() => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.strokeRect(left - 1, screenY(rowTop(lane, row)) - 0.5, Math.max(3, right - left + 1),
      lane.rowHeight + 1);
  });
}

function drawStretch({ from, to }) {
  const left = xOf(Math.min(from, to)), right = xOf(Math.max(from, to));
  clipToLanes(() => {
    context.fillStyle = colors.css.select;
    context.fillRect(left, HEAD, right - left, view.height);
    context.fillStyle = colors.css.accent;
    context.fillRect(left, HEAD, 1, view.height);
    context.fillRect(right - 1, HEAD, 1, view.height);
    tag(duration(Math.abs(to - from)), (left + right) / 2, HEAD + 12, colors.css.accent);
  });
}

function drawEnd(time) {
  clipToLanes(() => dashed(xOf(time), HEAD, view.height, colors.css.accent));
}

// A short text on a ground of its own.
function tag(text, x, y, color) {
  context.font = `600 11px ${colors.mono}`;
  const width = context.measureText(text).width + 12;
  const left = Math.max(LABELS + 2, Math.min(view.width - width - 2, x - width / 2));
  context.fillStyle = colors.css.raised;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(left, y - 9, width, 18, 4);
  context.fill();
  context.stroke();
  context.fillStyle = colors.css.text;
  context.textBaseline = 'middle';
  context.fillText(text, left + 6, y + 0.5);
}

// Where a witness stands: the span or mark that it began, or else one that it ended, or else its
// thread.
function placeOf(witness, trace) {
  if (witness.place !== undefined) return witness.place;
  const home = trace.tracks.find((track) => track.thread && track.thread === witness.thread);
  witness.place = placeAmong(trace.tracks, witness, begunBy)
    || placeAmong(trace.tracks, witness, endedBy)
    || (home ? { track: home, row: home.marks || home.rows[0], index: -1 } : null);
  return witness.place;
}

function placeAmong(tracks, witness, find) {
  for (const track of tracks) {
    // The state and the launch follow from an event that has a place of its own.
    if (track.group <= 2) continue;
    for (const row of track.marks ? [track.marks, ...track.rows] : track.rows) {
      const index = find(row, witness, track);
      if (index >= 0) return { track, row, index };
    }
  }
  return null;
}

function begunBy(row, witness) {
  const first = firstFrom(row, witness.time);
  for (let i = first; i < row.count && row.start[i] === witness.time; i++) {
    if (row.ordinal[i] === witness.ordinal) return i;
  }
  return -1;
}

// Kinds that close what another kind opened. The track of a pair is called by the kind that opens;
// what isn't here is closed by that kind itself, in other words.
const CLOSING = {
  'gl.call': 'gl.complete', 'metal.commit': 'metal.complete', 'file.open': 'file.close',
  'loc.start': 'loc.stop', 'movie.play': 'movie.pause', 'bgsched.run': 'bgsched.complete',
  'ui.alert_show': 'ui.alert_dismiss', 'voip.keepalive_set': 'voip.keepalive_clear',
  'work.timer_start': 'work.timer_stop', 'work.query_start': 'work.query_stop',
  'work.queue_suspend': 'work.queue_resume',
};
const RETURN = 2;

// The span of a row that a witness ended: of a kind that it closes, as others may end in the same
// nanosecond.
function endedBy(row, witness, track) {
  if (row === track.marks) return -1;
  const isThread = track.group === 9, isTask = track.group === 3;
  if (isThread ? witness.phase !== RETURN || track.thread !== witness.thread
    : isTask ? witness.event !== 'bgtask.end'
    : track.name !== witness.event && CLOSING[track.name] !== witness.event) return -1;
  for (let i = Math.max(0, firstFrom(row, witness.time) - 1); i < row.count; i++) {
    if (row.start[i] > witness.time) break;
    if (row.end[i] !== witness.time) continue;
    if (!isThread || texts.get(row.name[i]) === witness.event) return i;
  }
  return -1;
}

function pointOf(witness, trace) {
  const place = placeOf(witness, trace);
  const x = xOf(witness.time + trace.shift);
  const lane = place && place.track.lane;
  if (!lane) return { x, y: HEAD + 10, isLost: true };
  return { x, y: screenY(rowTop(lane, place.row)) + lane.rowHeight / 2 };
}

function drawEvidence(finding) {
  const color = colors.css[finding.severity];
  const x = xOf(finding.time + finding.trace.shift);
  clipToLanes(() => {
    dashed(x, HEAD, view.height, color);
    const points = finding.witness.map((witness) => pointOf(witness, finding.trace));
    drawLimit(finding, points, color);
    for (let i = 1; i < points.length; i++) arrow(points[i - 1], points[i], color);
    finding.witness.forEach((witness, i) => {
      dot(points[i], color);
      const name = witness.role || String(i + 1);
      const isCrowded = i > 0 && Math.abs(points[i].x - points[i - 1].x) < 60
        && Math.abs(points[i].y - points[i - 1].y) < 16;
      if (!isCrowded) tag(name, points[i].x, points[i].y - 17, color);
    });
  });
}

function dashed(x, top, bottom, color) {
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, top);
  context.lineTo(Math.round(x) + 0.5, bottom);
  context.stroke();
  context.setLineDash([]);
}

function dot({ x, y }, color) {
  context.fillStyle = color;
  context.strokeStyle = colors.css.ground;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, 4.5, 0, 7);
  context.fill();
  context.stroke();
}

function arrow(a, b, color) {
  const bend = Math.min(60, Math.abs(b.x - a.x) / 3 + 8);
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.bezierCurveTo(a.x + bend, a.y, b.x - bend, b.y, b.x - 6, b.y);
  context.stroke();
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(b.x - 4, b.y);
  context.lineTo(b.x - 11, b.y - 4);
  context.lineTo(b.x - 11, b.y + 4);
  context.fill();
}

// What was allowed and what was taken, as a bar under the row in which the clock ran.
function drawLimit(finding, points, color) {
  if (!(finding.limit > 0)) return;
  const shift = finding.trace.shift;
  const left = xOf(finding.start + shift), limit = xOf(finding.start + finding.limit + shift);
  const right = xOf(finding.start + finding.actual + shift);
  const place = finding.witness.findIndex((witness) => witness.time === finding.start);
  const y = (place < 0 ? HEAD + 14 : points[place].y) + 7;
  context.fillStyle = colors.css.ground;
  context.fillRect(left - 1, y - 1, right - left + 2, 5);
  context.fillStyle = colors.css.soft;
  context.fillRect(left, y, limit - left, 3);
  context.fillStyle = color;
  context.fillRect(limit, y, right - limit, 3);
  dashed(limit, HEAD, y + 12, colors.css.text);
  const [words] = durationsApart(finding.limit, finding.actual);
  tag(`limit ${words}`, limit, y + 23, colors.css.text);
}

// Findings in their strip under the axis: a shape for each severity, so that colour isn't needed.
function drawFlags() {
  const y = RULER + FLAGS / 2, left = LABELS - 6, right = view.width + 6;
  for (const [severity, row] of Object.entries(findingRows)) {
    context.fillStyle = colors.css[severity];
    context.beginPath();
    atColumns(row, timeAt(left), timeAt(right), right - left, (column) => {
      sign(severity, Math.max(LABELS + 2, left + column), y, 5);
    });
    context.fill();
  }
  const chosen = choice.finding && xOf(choice.finding.time + choice.finding.trace.shift);
  if (!choice.finding || chosen < LABELS - 6 || chosen > view.width + 6) return;
  context.fillStyle = colors.css[choice.finding.severity];
  context.beginPath();
  sign(choice.finding.severity, Math.max(LABELS + 2, chosen), y, 7);
  context.fill();
}

// Hands out the columns in which findings are, each once: on one column they'd cover each other.
function atColumns(row, from, to, width, draw) {
  const each = (to - from) / width;
  for (let i = firstFrom(row, from); i < row.count && row.start[i] <= to;) {
    const column = Math.round((row.start[i] - from) / each);
    draw(column);
    i = Math.max(i + 1, firstFrom(row, from + (column + 0.5) * each));
  }
}

// Adds the shape of a severity to the path.
function sign(severity, x, y, size) {
  if (severity === 'note') {
    context.moveTo(x + size * 0.8, y);
    context.arc(x, y, size * 0.8, 0, 7);
    return;
  }
  const half = severity === 'error' ? size : size * 0.8;
  context.moveTo(x, y - size);
  context.lineTo(x + size, severity === 'error' ? y : y + half);
  if (severity === 'error') context.lineTo(x, y + half);
  context.lineTo(x - size, severity === 'error' ? y : y + half);
  context.closePath();
}
