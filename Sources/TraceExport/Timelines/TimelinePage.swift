// Puts the page of a timeline together: markup, style and script from `Page/`, and a policy that
// lets nothing but these in.

import TraceLifecycle
import TraceRules

/// The parts of the page that are the same for every trace.
enum TimelinePage {
  /// Everything before the data.
  static let head: [UInt8] = {
    var page = Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      script-src 'sha256-\(hash(script))'; style-src 'sha256-\(hash(style))'; img-src data:; \
      base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <title>tracecheck timeline</title>
      <link rel="icon" href="data:,">
      <style>
      """.utf8)
    page += style
    page += Array("</style>\n</head>\n".utf8)
    page += PackageResources.page_html
    return page
  }()

  /// Everything behind the data.
  static let tail: [UInt8] =
    Array("<script>".utf8) + script + Array("</script>\n</body>\n</html>\n".utf8)

  private static let style: [UInt8] = Array(colors.utf8) + PackageResources.page_css

  /// The colours as properties that style and script read.
  private static let colors: String = {
    var light = ""
    for state in LifecycleState.allCases {
      light += "--state-\(state.rawValue + 1):#\(TimelineColors.color(of: state));"
    }
    for (index, color) in TimelineColors.palette.enumerated() {
      light += "--name-\(index):#\(color);"
    }
    var dark = ""
    for severity in Severity.allCases {
      light += "--\(severity.rawValue):#\(TimelineColors.color(of: severity));"
      dark += "--\(severity.rawValue):#\(TimelineColors.colorOnDark(of: severity));"
    }
    return ":root{\(light)}\n:root[data-theme=dark]{\(dark)}\n"
  }()

  /// The parts of the script share one scope, which nothing outside can reach.
  private static let script: [UInt8] = {
    var script = Array("'use strict';\n(() => {\n".utf8)
    for part in [
      PackageResources.data_js, PackageResources.rows_js, PackageResources.view_js,
      PackageResources.paint_js, PackageResources.draw_js, PackageResources.overlay_js,
      PackageResources.minimap_js, PackageResources.details_js, PackageResources.findings_js,
      PackageResources.search_js, PackageResources.compare_js, PackageResources.input_js,
      PackageResources.main_js,
    ] {
      script += part
    }
    return script + Array("})();\n".utf8)
  }()

  private static func hash(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(SHA256.hash(bytes), to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
