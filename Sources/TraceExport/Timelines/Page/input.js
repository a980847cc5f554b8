// Mouse, touch and keys.

const scroller = document.getElementById('scroller');
const tip = document.getElementById('tip');
let pointerX = -1;
let drag = null;

// The span at a place of the screen; null if there is none.
function itemAt(x, y) {
  if (x < LABELS || y < HEAD) return null;
  const place = y - HEAD + view.top;
  const lane = lanes.find((lane) => !lane.isTitle && place >= lane.y && place < lane.y + lane.height);
  if (!lane) return null;
  const rows = lane.marks ? [lane.marks, ...lane.rows] : lane.rows;
  const row = rows[Math.floor((place - lane.y - LANE_PAD / 2) / (lane.rowHeight + ROW_GAP))];
  if (!row || !row.count) return null;
  const index = spanAt(row, timeAt(x) - lane.trace.shift, span() / timeWidth() * 4);
  return index < 0 ? null : { lane, row, index };
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
  tip.replaceChildren(make('b', '', name), ...rest.filter(Boolean).map((line) => make('span', '', line)));
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
    const { row, index, lane } = item, length = row.end[index] - row.start[index];
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

canvas.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  scroller.focus({ preventScroll: true });
  const x = event.offsetX, y = event.offsetY;
  if (x < LABELS) { foldAt(y); return; }
  canvas.setPointerCapture(event.pointerId);
  drag = { x, y, time: timeAt(x), isMoved: false };
});

canvas.addEventListener('pointermove', (event) => {
  if (!drag) { hover(event); return; }
  if (!drag.isMoved && Math.abs(event.offsetX - drag.x) < 4) return;
  if (!drag.isMoved) letGo();
  drag.isMoved = true;
  showTip(null);
  choice.stretch = { from: drag.time, to: timeAt(Math.max(LABELS, event.offsetX)) };
  invalidate();
});

canvas.addEventListener('pointerup', (event) => {
  if (!drag) return;
  const wasMoved = drag.isMoved;
  drag = null;
  if (wasMoved) {
    const counts = tellStretch(choice.stretch);
    tellChoice(`${duration(Math.abs(choice.stretch.to - choice.stretch.from))}, `
      + `${counts.calls + counts.marks} events, ${counts.findings} findings`);
    return;
  }
  const flag = flagAt(event.offsetX, event.offsetY);
  if (flag) { chooseFinding(flag); return; }
  const item = itemAt(event.offsetX, event.offsetY);
  if (item) chooseItem(item); else letGo();
});

canvas.addEventListener('pointercancel', () => { drag = null; });
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
  const place = y - HEAD + view.top;
  const lane = lanes.find((lane) => lane.isTitle && place >= lane.y && place < lane.y + lane.height);
  if (!lane || y < HEAD) return;
  if (folded.has(lane.group)) folded.delete(lane.group); else folded.add(lane.group);
  layLanes();
  for (const finding of findings) for (const witness of finding.witness) witness.place = undefined;
  resize();
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
  ArrowLeft: () => move(-0.1),
  ArrowRight: () => move(0.1),
  Escape: () => letGo(),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('help').open) return;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (isTyping) return;
  if (event.key === 'Enter') {
    if (event.target.tagName !== 'BUTTON') zoomToChoice();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS[key]) return;
  event.preventDefault();
  KEYS[key]();
});
