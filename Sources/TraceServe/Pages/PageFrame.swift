// What all pages of the server share: head, style, and how numbers are written.

enum PageFrame {
  /// A whole page.
  ///
  /// - Parameters:
  ///   - title: Plain text.
  ///   - body: HTML.
  static func page(title: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title.asHTML)</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  private static let style = """
    :root { --ink: #1d2330; --soft: #5d6678; --line: #d9dee7; --back: #f6f7f9; --card: #fff;
      --link: #1f5fbf; --error: #b3261e; --warning: #8a5a00; --note: #3d5a80; --ok: #1e6e42; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5;
      --line: #333b49; --back: #14181f; --card: #1c222c; --link: #8ab4f8; --error: #ff8a80;
      --warning: #f2b84b; --note: #9db8dc; --ok: #7bd6a0; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 84rem; padding: 1.5rem; color: var(--ink);
      background: var(--back); font: 15px/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.35rem; margin: 0 0 .25rem; }
    h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
    a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
    p.soft, .soft { color: var(--soft); }
    .tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
    .tile { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
      padding: .6rem 1rem; min-width: 7rem; }
    .tile b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
    form { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
    input, select, button { font: inherit; color: inherit; background: var(--card);
      border: 1px solid var(--line); border-radius: .35rem; padding: .35rem .6rem; }
    input[type=search] { min-width: 18rem; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
      border-radius: .5rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .45rem .75rem;
      border-bottom: 1px solid var(--line); }
    tr:last-child td { border-bottom: 0; }
    th { color: var(--soft); font-weight: 600; white-space: nowrap; }
    th.number { text-align: right; }
    td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .92em; }
    .error { color: var(--error); } .warning { color: var(--warning); }
    .note { color: var(--note); } .ok { color: var(--ok); }
    .tag { white-space: nowrap; margin-right: .5rem; }
    .pages { display: flex; gap: 1rem; margin: 1rem 0; }
    """

  /// A count with its word, for example `1 error`.
  static func count(_ number: Int, _ word: String) -> String {
    "\(grouped(number)) \(word)\(number == 1 ? "" : "s")"
  }

  /// A number with thin spaces between thousands.
  static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + parts).joined(separator: "\u{2009}")
  }

  /// A tile with a number.
  static func tile(_ number: Int, _ words: String, _ style: String = "") -> String {
    "<div class=\"tile \(number == 0 ? "" : style)\"><b>\(grouped(number))</b>\(words)</div>\n"
  }
}
