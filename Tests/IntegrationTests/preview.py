"""A page with the data of every panel, drawn simply, for a person to look at. It only resembles what
Grafana makes of a dashboard."""

import html

COLORS = ["#5794f2", "#73bf69", "#f2cc0c", "#ff9830", "#f2495c", "#b877d9", "#8ab8ff", "#96d98d",
          "#ffee52", "#ffb357", "#ff7383", "#ca95e5"]
STYLE = """
body { font: 13px sans-serif; background: #f4f5f5; margin: 16px; display: flex; flex-wrap: wrap; gap: 10px }
h1 { width: 100%; font-size: 17px; margin: 14px 0 0 } figure { margin: 0; background: #fff; border: 1px solid #ddd;
padding: 8px; width: 500px } figcaption { font-weight: 600 } p { margin: 2px 0 6px; color: #666 } td { padding: 1px 8px }
.number { font-size: 30px; color: #299c46 }
"""


def scale(value, low, high, size):
    return (value - low) / (high - low) * size if high > low else size / 2


def name(series):
    metric = {k: v for k, v in series["metric"].items() if k != "__name__"}
    return " ".join(metric.values()) or "value"


def number(text):
    value = float(text)
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def table(result):
    rows = sorted(result, key=lambda one: -float(one["value"][1]))[:12]
    return "<table>" + "".join(
        f"<tr><td>{html.escape(name(one))}</td><td>{number(one['value'][1])}</td></tr>" for one in rows) + "</table>"


def graph(panel, result, start, end):
    width, height = 484, 130
    points = [[(t, float(v)) for t, v in one["values"] if v != "NaN"] for one in result]
    limits = [s["value"] for s in panel["fieldConfig"]["defaults"]["thresholds"]["steps"] if s["value"]]
    high = max([v for line in points for _, v in line] + [1e-9])
    drawn = [f'<svg width="{width}" height="{height}" style="background:#fafafa">']
    for place, line in enumerate(points):
        color = COLORS[place % len(COLORS)]
        for t, v in line:
            x, y = scale(t, start, end, width), height - scale(v, 0, high * 1.1, height)
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6" fill="{color}"/>')
    for limit in limits:
        if limit <= high * 1.1:
            y = height - scale(limit, 0, high * 1.1, height)
            drawn.append(f'<path d="M0 {y:.1f}H{width}" stroke="red" stroke-dasharray="6 4"/>')
    legend = ", ".join(
        f'<span style="color:{COLORS[place % len(COLORS)]}">{html.escape(name(one))}</span>'
        for place, one in enumerate(result[:10]))
    return "".join(drawn) + f"</svg><p>up to {number(high)}; {legend}</p>"


def states(panel, result, start, end):
    width, row = 484, 22
    options = panel["fieldConfig"]["defaults"]["mappings"][0]["options"]
    drawn = [f'<svg width="{width}" height="{row * len(result)}">']
    for place, one in enumerate(result):
        for t, v in one["values"]:
            x = scale(t, start, end, width)
            color = options[v]["color"]
            drawn.append(f'<rect x="{x:.1f}" y="{place * row}" width="3" height="{row - 3}" fill="{color}"/>')
    words = "".join(f'<span style="background:{o["color"]}"> {o["text"]} </span> ' for o in options.values())
    return "".join(drawn) + f"</svg><p>{'<br>'.join(html.escape(name(one)) for one in result)}</p><p>{words}</p>"


def page(drawn, start, end):
    parts = [f"<!doctype html><meta charset=utf-8><title>Preview</title><style>{STYLE}</style>"]
    last = None
    for dashboard, panel, target, result in drawn:
        if dashboard != last:
            parts.append(f"<h1>{dashboard} (a sketch of the data, not a picture of Grafana)</h1>")
            last = dashboard
        if not result:
            body = "<p>no data</p>"
        elif panel["type"] == "stat":
            unit = panel["fieldConfig"]["defaults"]["unit"]
            body = f'<div class="number">{number(result[0]["value"][1])} {unit}</div>'
        elif target["instant"]:
            body = table(result)
        else:
            times = [t for one in result for t, _ in one["values"]]
            window = (start, end) if start <= min(times) <= end else (min(times), max(times))
            body = (states if panel["type"] == "state-timeline" else graph)(panel, result, *window)
        parts.append(f"<figure><figcaption>{html.escape(panel['title'])}</figcaption>"
                     f"<p>{html.escape(panel['description'])}</p>{body}</figure>")
    return "".join(parts)
