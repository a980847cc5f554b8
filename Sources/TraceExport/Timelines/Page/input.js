// Mouse, touch and keys.

const scroller = document.getElementById('scroller');
const tip = document.getElementById('tip');
let pointerX = -1;
let drag = null;

// The lane or title at a height of the screen.
function laneAt(y) {
  const place = y - HEAD + view.top;
  if (y < HEAD) return undefined;
  return lanes.find((lane) => place >= lane.y && place < lane.y + lane.height);
}

// The span at a place of the screen; null if there is none.
function itemAt(x, y) {
  if (x < LABELS) return null;
  const lane = laneAt(y), place = y - HEAD + view.top;
  if (!lane || lane.isTitle) return null;
  const rows = lane.marks ? [lane.marks, ...lane.rows] : lane.rows;
  const row = rows[Math.floor((place - lane.y - LANE_PAD / 2) / (lane.rowHeight + ROW_GAP))];
  if (!row || !row.count) return null;
  const index = spanAt(row, timeAt(x) - lane.trace.shift, span() / timeWidth() * 4);
  return index < 0 ? null : { track: lane.track, row, index };
}

function flagAt(x, y) {
  if (y < RULER || y > HEAD || x < LABELS - 6) return null;
  let best = null, distance = 9;
  for (const finding of findings) {
    const away = Math.abs(xOf(finding.time + finding.trace.shift) - x);
    if (away < distance) { distance = away; best = finding; }
  }
  return best;
}

function showTip(lines, x, y) {
  tip.hidden = !lines;
  if (!lines) return;
  const [name, ...rest] = lines;
  tip.replaceChildren(make('b', '', named(name)),
    ...rest.filter(Boolean).map((line) => make('span', '', named(line))));
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(window.innerWidth - box.width - 8, x + 14))}px`;
  tip.style.top = `${y + 18 + box.height > window.innerHeight ? y - box.height - 8 : y + 18}px`;
}

function hover(event) {
  const x = event.offsetX, y = event.offsetY;
  pointerX = x;
  const flag = flagAt(x, y), item = flag ? null : itemAt(x, y);
  canvas.style.cursor = flag || item ? 'pointer' : x < LABELS ? 'default' : 'crosshair';
  const former = choice.hover;
  choice.hover = item;
  if (flag) {
    showTip([`${flag.rule} ${flag.slug}`, flag.message], event.clientX, event.clientY);
  } else if (item) {
    const { row, index } = item, length = row.end[index] - row.start[index];
    showTip([texts.get(row.name[index]), length ? duration(length) : '',
      texts.get(row.detail[index])], event.clientX, event.clientY);
  } else {
    showTip(null);
  }
  tellPointer(x >= LABELS ? timeAt(x) : null);
  if (!former !== !item || (item && (former.row !== item.row || former.index !== item.index))) {
    invalidate();
  }
}

// The places of the pointers that are down, by their number. Two of them zoom.
const pointers = new Map();
let pinch = null;

canvas.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  scroller.focus({ preventScroll: true });
  const x = event.offsetX, y = event.offsetY;
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, x);
  if (pointers.size > 1) { beginPinch(); return; }
  drag = { x, y, time: timeAt(x), isOnLabels: x < LABELS, isMoved: false };
});

function beginPinch() {
  if (drag && drag.isMoved) letGo();
  drag = null;
  pinch = [...pointers.values()].sort((a, b) => a - b).map(timeAt);
}

// Keeps the times under two pointers where the pointers are.
function followPinch() {
  const places = [...pointers.values()].sort((a, b) => a - b);
  if (places.length !== 2 || pinch.length !== 2) return;
  // Fingers above each other would zoom without end.
  const apart = Math.max(24, places[1] - places[0]);
  const each = Math.max(1, pinch[1] - pinch[0]) / apart;
  const from = pinch[0] - (places[0] - LABELS) * each;
  show(from, from + timeWidth() * each);
}

canvas.addEventListener('pointermove', (event) => {
  if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event.offsetX);
  if (pinch) { followPinch(); return; }
  if (!drag) { hover(event); return; }
  if (!drag.isMoved && Math.abs(event.offsetX - drag.x) < 4) return;
  if (drag.isOnLabels) return;
  if (!drag.isMoved) letGo();
  drag.isMoved = true;
  showTip(null);
  choice.stretch = { from: drag.time, to: timeAt(Math.max(LABELS, event.offsetX)) };
  invalidate();
});

// Takes a pointer away. Returns what was dragged with it.
function lift(event) {
  pointers.delete(event.pointerId);
  if (!pointers.size) pinch = null;
  const dragged = drag;
  drag = null;
  return dragged;
}

canvas.addEventListener('pointerup', (event) => {
  const dragged = lift(event), x = event.offsetX, y = event.offsetY;
  if (!dragged) return;
  if (dragged.isOnLabels) {
    if (Math.abs(y - dragged.y) < 8) foldAt(y);
    return;
  }
  if (dragged.isMoved) { measure(choice.stretch); return; }
  const flag = flagAt(x, y);
  if (flag) { chooseFinding(flag); return; }
  const item = itemAt(x, y);
  if (item) chooseItem(item); else letGo();
});

// The browser scrolls the lanes with this pointer instead.
canvas.addEventListener('pointercancel', (event) => {
  const dragged = lift(event);
  if (dragged && dragged.isMoved) letGo();
});
canvas.addEventListener('pointerleave', () => {
  choice.hover = null;
  pointerX = -1;
  showTip(null);
  tellPointer(null);
  invalidate();
});
canvas.addEventListener('dblclick', () => zoomToChoice());

canvas.addEventListener('wheel', (event) => {
  if (event.offsetX < LABELS && !event.ctrlKey) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    move(across * unit / timeWidth());
  } else {
    zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY * unit)) * 0.0022),
      Math.max(LABELS, event.offsetX));
  }
}, { passive: false });

function foldAt(y) {
  const lane = laneAt(y);
  if (lane && lane.isTitle) toggleGroup(lane.group);
}

// Folds or unfolds a group by its place among those with a title.
function foldNumber(number) {
  const title = lanes.filter((lane) => lane.isTitle)[number - 1];
  if (title) toggleGroup(title.group);
}

let mapDrag = null;
minimap.addEventListener('pointerdown', (event) => {
  minimap.setPointerCapture(event.pointerId);
  mapDrag = { x: event.offsetX, time: mapTime(event.offsetX) };
});
minimap.addEventListener('pointermove', (event) => {
  if (!mapDrag || Math.abs(event.offsetX - mapDrag.x) < 4) return;
  const time = mapTime(event.offsetX);
  show(Math.min(time, mapDrag.time), Math.max(time, mapDrag.time));
});
minimap.addEventListener('pointerup', (event) => {
  if (mapDrag && Math.abs(event.offsetX - mapDrag.x) < 4) {
    show(mapDrag.time - span() / 2, mapDrag.time + span() / 2);
  }
  mapDrag = null;
});

scroller.addEventListener('scroll', () => {
  view.top = scroller.scrollTop;
  invalidate();
});

// What single keys do.
const KEYS = {
  w: () => zoom(0.7, pointerX >= LABELS ? pointerX : LABELS + timeWidth() / 2),
  s: () => zoom(1 / 0.7, pointerX >= LABELS ? pointerX : LABELS + timeWidth() / 2),
  a: () => move(-0.2),
  d: () => move(0.2),
  f: fit,
  t: () => switchTheme(),
  n: () => stepFinding(1),
  p: () => stepFinding(-1),
  ',': () => stepItem(-1),
  '.': () => stepItem(1),
  '/': () => { searchField.focus(); searchField.select(); },
  '?': () => openHelp(),
  b: () => markEnd(0),
  e: () => markEnd(1),
  ArrowLeft: () => move(-0.1),
  ArrowRight: () => move(0.1),
  ArrowUp: () => scroller.scrollBy(0, -60),
  ArrowDown: () => scroller.scrollBy(0, 60),
  Escape: () => letGo(),
};

for (let number = 1; number < 10; number++) KEYS[number] = () => foldNumber(number);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === 'INPUT' || document.getElementById('help').open) return;
  if (event.key === 'Enter') {
    if (event.target.tagName !== 'BUTTON') zoomToChoice();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS[key]) return;
  // In the lists these scroll the list.
  if (/^Arrow(Up|Down)$/.test(key) && event.target.closest('aside')) return;
  event.preventDefault();
  KEYS[key]();
});
