// Draws the lanes: names at the left, rows as strips of pixels, names of spans on top, the axis.
// Knows nothing of what is selected; overlay.js does.

const canvas = document.getElementById('lanes');
const context = canvas.getContext('2d', { alpha: false });
const strip = document.createElement('canvas');
const stripContext = strip.getContext('2d');
const timing = { load: 0, draw: 0, draws: 0 };
let pixels = null;
let isWaiting = false;

function invalidate() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; draw(); });
}

function resize() {
  const box = document.getElementById('scroller');
  view.ratio = window.devicePixelRatio || 1;
  view.height = box.clientHeight;
  // The lanes decide on whether there is a scroll bar, which takes of the width.
  const height = Math.max(view.height, lanesHeight + HEAD);
  document.getElementById('spacer').style.height = `${height}px`;
  view.width = box.clientWidth;
  canvas.width = Math.round(view.width * view.ratio);
  canvas.height = Math.round(view.height * view.ratio);
  canvas.style.width = `${view.width}px`;
  canvas.style.height = `${view.height}px`;
  pixels = null;
  resizeMinimap();
  invalidate();
}

const screenY = (y) => HEAD + y - view.top;
const isOnScreen = (lane) => screenY(lane.y) < view.height && screenY(lane.y + lane.height) > HEAD;

function draw() {
  const began = performance.now();
  context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  context.fillStyle = colors.css.ground;
  context.fillRect(0, 0, view.width, view.height);
  const ticks = axisTicks();
  drawGrid(ticks);
  const seen = lanes.filter(isOnScreen);
  drawRows(seen);
  drawOverlay();
  drawLabels(seen);
  drawAxis(ticks);
  drawFlags();
  drawMinimap();
  timing.draw = performance.now() - began;
  timing.draws++;
}

function axisTicks() {
  const step = stepFor(span() / timeWidth() * 84);
  const ticks = [];
  const first = Math.ceil((view.from - view.zero) / step) * step + view.zero;
  for (let time = first; time <= view.to && ticks.length < 200; time += step) ticks.push(time);
  return { step, ticks };
}

function drawGrid({ ticks }) {
  context.fillStyle = colors.css.faint;
  for (const time of ticks) context.fillRect(Math.round(xOf(time)), HEAD, 1, view.height);
}

function drawRows(seen) {
  const width = Math.max(1, Math.round(timeWidth() * view.ratio));
  const rows = [];
  for (const lane of seen) {
    if (lane.isTitle) continue;
    // Under everything else that is drawn in a lane.
    context.fillStyle = colors.css.faint;
    context.fillRect(LABELS, screenY(lane.y + lane.height) - 1, view.width, 1);
    for (const row of lane.rows) rows.push([lane, row]);
    if (lane.marks) rows.push([lane, lane.marks]);
  }
  const visible = rows.filter(([lane, row]) => {
    const y = screenY(rowTop(lane, row));
    return row.count && y < view.height && y + lane.rowHeight > HEAD;
  });
  if (!visible.length) return;
  if (!pixels || pixels.width !== width || pixels.height < visible.length) {
    pixels = new ImageData(width, Math.max(visible.length, 64));
    strip.width = width;
    strip.height = pixels.height;
  }
  const out = new Uint32Array(pixels.data.buffer);
  out.fill(0, 0, width * visible.length);
  const wide = [];
  visible.forEach(([lane, row], line) => {
    const shift = lane.trace.shift, first = wide.length;
    paintRow(row, out, line * width, width, view.from - shift, view.to - shift,
      Math.max(1, Math.round(view.ratio * (row === lane.marks ? 2 : 1))), 30 * view.ratio, wide);
    for (let i = first; i < wide.length; i++) wide[i].lane = lane;
  });
  stripContext.putImageData(pixels, 0, 0, 0, 0, width, visible.length);
  context.imageSmoothingEnabled = false;
  visible.forEach(([lane, row], line) => {
    const isMarks = row === lane.marks;
    const y = screenY(rowTop(lane, row)) + (isMarks ? 3 : 0);
    context.drawImage(strip, 0, line, width, 1, LABELS, y, timeWidth(),
      lane.rowHeight - (isMarks ? 6 : 0));
  });
  drawNames(wide);
}

function drawNames(wide) {
  context.font = `11px ${colors.sans}`;
  context.textBaseline = 'middle';
  context.fillStyle = '#10161d';
  for (const { lane, row, index, left, right } of wide) {
    const x = LABELS + left / view.ratio, room = (right - left) / view.ratio - 8;
    const text = shortened(texts.get(row.name[index]), room);
    if (text) context.fillText(text, x + 4, screenY(rowTop(lane, row)) + lane.rowHeight / 2 + 0.5);
  }
}

const widths = new Map();

function textWidth(text) {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    width = context.measureText(text).width;
    widths.set(text, width);
  }
  return width;
}

// A text cut to a width; nothing if not even three letters fit.
function shortened(text, room) {
  const width = textWidth(text);
  if (width <= room) return text;
  const letters = Math.floor(text.length * room / width) - 1;
  return letters < 3 ? '' : `${text.slice(0, letters)}…`;
}

function drawLabels(seen) {
  context.fillStyle = colors.css.panel;
  context.fillRect(0, HEAD, LABELS - 1, view.height);
  context.fillStyle = colors.css.line;
  context.fillRect(LABELS - 1, 0, 1, view.height);
  context.textBaseline = 'middle';
  for (const lane of seen) {
    const y = screenY(lane.y);
    if (lane.isTitle) {
      context.font = `600 11.5px ${colors.sans}`;
      context.fillStyle = colors.css.text;
      context.fillText(`${folded.has(lane.group) ? '▸' : '▾'}  ${GROUPS[lane.group]}`, 12,
        y + lane.height / 2 + 1);
      context.font = `11px ${colors.mono}`;
      context.fillStyle = colors.css.soft;
      context.textAlign = 'right';
      context.fillText(String(lane.count), LABELS - 12, y + lane.height / 2 + 1);
      context.textAlign = 'left';
      continue;
    }
    context.fillStyle = colors.css.faint;
    context.fillRect(0, y + lane.height - 1, LABELS - 1, 1);
    context.font = `${lane.isInside ? '' : '600 '}11.5px ${colors.sans}`;
    context.fillStyle = lane.isInside ? colors.css.soft : colors.css.text;
    const left = lane.isInside ? 28 : 12;
    const badge = traces.length > 1 ? 22 : 0;
    const label = shortenedLabel(lane.label, LABELS - left - 10 - badge);
    const middle = y + LANE_PAD / 2 + lane.rowHeight / 2 + 0.5;
    context.fillText(label, left, middle);
    if (badge) drawBadge(lane.trace, middle);
  }
}

function shortenedLabel(label, room) {
  if (context.measureText(label).width <= room) return label;
  let text = label;
  while (text.length > 3 && context.measureText(`${text}…`).width > room) text = text.slice(0, -1);
  return `${text}…`;
}

function drawBadge(trace, y) {
  context.fillStyle = trace.index ? colors.css.warning : colors.css.accent;
  context.font = `700 10.5px ${colors.mono}`;
  context.fillText('AB'[trace.index], LABELS - 18, y);
}

function drawAxis({ step, ticks }) {
  context.fillStyle = colors.css.panel;
  context.fillRect(0, 0, view.width, HEAD);
  context.fillStyle = colors.css.line;
  context.fillRect(0, HEAD - 1, view.width, 1);
  context.fillRect(LABELS, RULER - 1, view.width, 1);
  context.font = `11px ${colors.mono}`;
  context.textBaseline = 'middle';
  for (const time of ticks) {
    const x = Math.round(xOf(time));
    context.fillStyle = colors.css.line;
    context.fillRect(x, RULER - 8, 1, 7);
    context.fillStyle = colors.css.soft;
    context.fillText(clock(time - view.zero, step), x + 4, RULER / 2);
  }
  context.fillStyle = colors.css.panel;
  context.fillRect(0, 0, LABELS - 1, HEAD - 1);
  context.fillStyle = colors.css.soft;
  context.font = `11px ${colors.sans}`;
  context.fillText(timeTitle(), 12, RULER / 2);
  context.font = `600 11.5px ${colors.sans}`;
  context.fillStyle = colors.css.text;
  context.fillText('Findings', 12, RULER + FLAGS / 2);
  context.fillStyle = colors.css.line;
  context.fillRect(LABELS - 1, 0, 1, HEAD);
}
