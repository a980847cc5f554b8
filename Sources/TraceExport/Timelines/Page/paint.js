// Paints rows into lines of pixels: one colour per column, picked from the level of detail whose
// pieces are smaller than a column. Knows nothing of lanes.

const colors = { css: {}, packed: [], ofName: [], states: [], palette: [] };

// Reads the colours of the theme that holds now.
function readColors() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  for (const name of ['ground', 'panel', 'raised', 'line', 'faint', 'text', 'soft', 'accent',
    'select', 'shade', 'error', 'warning', 'note']) {
    colors.css[name] = value(`--${name}`);
  }
  colors.palette = [];
  for (let i = 0; value(`--name-${i}`); i++) colors.palette.push(value(`--name-${i}`));
  colors.states = [''];
  for (let i = 1; value(`--state-${i}`); i++) colors.states.push(value(`--state-${i}`));
  colors.packedStates = colors.states.map(pack);
  colors.packedPalette = colors.palette.map(pack);
  colors.sans = value('--sans');
  colors.mono = value('--mono');
}

function pack(hex) {
  const bits = parseInt(hex.slice(1), 16) || 0;
  return (0xff000000 | (bits & 255) << 16 | (bits & 0xff00) | bits >> 16) >>> 0;
}

// The place in the palette of a name: the same in every trace.
function hue(name) {
  let place = colors.ofName[name];
  if (place === undefined) {
    let hash = 0x811c9dc5;
    for (const byte of texts.bytes(name)) hash = Math.imul(hash ^ byte, 0x01000193);
    hash >>>= 0;
    place = ((hash ^ (hash >>> 15)) >>> 0) % colors.palette.length;
    colors.ofName[name] = place;
  }
  return place;
}

function packedColor(row, index) {
  const state = row.flags[index] >> 1;
  return state ? colors.packedStates[state] : colors.packedPalette[hue(row.name[index])];
}

function cssColor(row, index) {
  const state = row.flags[index] >> 1;
  return state ? colors.states[state] : colors.palette[hue(row.name[index])];
}

// What is being painted: kept here so that the walk over pieces takes no memory.
const brush = { out: null, base: 0, width: 0, from: 0, to: 0, scale: 0, painted: -1, row: null,
  wide: null, least: 1, room: 0 };

// Paints a row into a line of pixels, and collects the spans that are wide enough for a name.
function paintRow(row, out, base, width, from, to, least, room, wide) {
  brush.row = row; brush.out = out; brush.base = base; brush.width = width;
  brush.from = from; brush.to = to; brush.scale = width / (to - from);
  brush.painted = -1; brush.least = least; brush.room = room; brush.wide = wide;
  const top = row.levels.length - 1;
  paintPieces(top, 0, row.levels[top].count);
}

// Returns whether the right edge was reached.
function paintPieces(depth, first, last) {
  const level = brush.row.levels[depth], { start, end, best } = level;
  const { from, to, scale } = brush;
  for (let i = first; i < last; i++) {
    if (end[i] < from) continue;
    if (start[i] > to) return true;
    const left = (start[i] - from) * scale, right = (end[i] - from) * scale;
    if (right < brush.painted) continue;
    if (depth === 0) {
      paintSpan(i, left, right);
    } else if (right - left < 1) {
      const column = left > 0 ? left | 0 : 0;
      if (column >= brush.painted && column < brush.width) {
        brush.out[brush.base + column] = packedColor(brush.row, best[i]);
        brush.painted = column + 1;
      }
    } else {
      const below = brush.row.levels[depth - 1].count;
      if (paintPieces(depth - 1, i * FAN, Math.min(below, i * FAN + FAN))) return true;
    }
  }
  return false;
}

function paintSpan(index, left, right) {
  const color = packedColor(brush.row, index);
  const a = Math.max(0, Math.floor(left));
  let b = Math.max(a + brush.least, Math.floor(right));
  // A gap to the next one, so that two alike can be told apart.
  if (b - a > 4 * brush.least) b -= brush.least;
  fill(a, b, color);
  if (Math.min(right, brush.width) - a >= brush.room) {
    brush.wide.push({ row: brush.row, index, left: a, right: Math.min(b, brush.width) });
  }
}

function fill(from, to, color) {
  const a = Math.max(from, brush.painted, 0), b = Math.min(to, brush.width);
  if (b <= a) return;
  // Most are a few pixels wide: a loop is quicker than a call.
  const { out, base } = brush;
  if (b - a > 32) out.fill(color, base + a, base + b);
  else for (let i = base + a; i < base + b; i++) out[i] = color;
  brush.painted = b;
}
