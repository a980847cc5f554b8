// The overview: the whole trace in one line, the findings, and a window on what is shown.
// Line and findings are drawn once and kept; only the window moves.

const minimap = document.getElementById('minimap');
const minimapContext = minimap.getContext('2d');
const overview = document.createElement('canvas');

const mapX = (time) => (time - view.first) / (view.last - view.first) * minimap.clientWidth;
const mapTime = (x) => view.first + x / minimap.clientWidth * (view.last - view.first);

function resizeMinimap() {
  minimap.width = overview.width = Math.round(minimap.clientWidth * view.ratio);
  minimap.height = overview.height = Math.round(minimap.clientHeight * view.ratio);
  drawOverview();
}

function drawOverview() {
  const context = overview.getContext('2d');
  const { width, height } = overview;
  context.fillStyle = colors.css.panel;
  context.fillRect(0, 0, width, height);
  const each = (height - 12 * view.ratio) / traces.length;
  traces.forEach((trace, i) => {
    const tracks = trace.tracks.filter((track) => track.rows.length);
    const states = tracks.find((track) => track.group === 1);
    const top = 4 * view.ratio + i * each;
    if (states) overviewRow(context, trace, states.rows[0], top, each * 0.55);
    // Where calls of threads are dense, the line below is.
    const busy = tracks.filter((track) => track.group === 9)
      .sort((a, b) => b.rows[0].count - a.rows[0].count)[0];
    if (busy) overviewRow(context, trace, busy.rows[0], top + each * 0.62, each * 0.3);
  });
  overviewFindings(context, height);
}

function overviewFindings(context, height) {
  const ratio = view.ratio;
  for (const [severity, row] of Object.entries(findingRows)) {
    context.fillStyle = colors.css[severity];
    atColumns(row, view.first, view.last, overview.width, (x) => {
      context.fillRect(x - ratio, height - 8 * ratio, 2.5 * ratio, 8 * ratio);
    });
  }
}

function overviewRow(context, trace, row, y, height) {
  if (!row.count) return;
  const image = new ImageData(overview.width, 1);
  paintRow(row, new Uint32Array(image.data.buffer), 0, overview.width,
    view.first - trace.shift, view.last - trace.shift, 1, Infinity, []);
  const line = document.createElement('canvas');
  line.width = overview.width;
  line.height = 1;
  line.getContext('2d').putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(line, 0, y, overview.width, height);
}

function drawMinimap() {
  const context = minimapContext, ratio = view.ratio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(overview, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const width = minimap.clientWidth, height = minimap.clientHeight;
  const left = mapX(view.from), right = Math.max(left + 3, mapX(view.to));
  context.globalAlpha = 0.6;
  context.fillStyle = colors.css.panel;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = colors.css.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, Math.max(2, right - left - 1.5), height - 1.5);
}
