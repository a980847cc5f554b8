// How captures are made: what to type, and what the result shows. Adding a way of making one
// means adding a row. This file must not know how captures are read.

/// A way to make a capture.
struct CaptureRecipe {
  /// Where the app runs, or where old reports lie.
  enum Place: String, CaseIterable {
    case device, simulator, host
  }

  let place: Place
  let title: String
  /// What is done by hand, before the commands.
  var steps: [String] = []
  /// What is typed, in its order.
  let commands: [String]
  /// The format of the result, as `--from` names it.
  let formats: [String]
  /// What can be concluded from the result.
  let shows: String
  /// What can't.
  let hides: String
}

extension CaptureRecipe {
  /// UIKit's own lines about background tasks are of the level info, which is off by default.
  private static let infoPredicate =
    "'process == \"YourApp\" OR process == \"SpringBoard\" OR process == \"runningboardd\"'"

  /// The log of a device.
  static var deviceLog: CaptureRecipe? { first(in: .device, of: "idevicesyslog") }
  /// The reports of a device.
  static var deviceReports: CaptureRecipe? { first(in: .device, of: "ips") }

  private static func first(in place: Place, of format: String) -> CaptureRecipe? {
    all.first { $0.place == place && $0.formats.contains(format) }
  }

  /// Every recipe, those that show most first.
  static let all: [CaptureRecipe] = [
    CaptureRecipe(
      place: .device,
      title: "the system log over USB or Wi-Fi, with idevicesyslog",
      commands: [
        "idevicesyslog > device.log",
        "tracecheck check device.log",
        "idevicesyslog | tracecheck check -",
      ],
      formats: ["idevicesyslog"],
      shows: "suspensions, states, exits and their reasons, background tasks of the app",
      hides: "what the app does between its log lines; lines of the level debug"),
    CaptureRecipe(
      place: .device,
      title: "the same from any system, with pymobiledevice3",
      commands: [
        "pymobiledevice3 syslog live --label > device.log",
        "pymobiledevice3 --no-color syslog live --label | tracecheck check -",
      ],
      formats: ["pymobiledevice3"],
      shows: "what idevicesyslog shows, with subsystem and category",
      hides: "what the app does between its log lines"),
    CaptureRecipe(
      place: .device,
      title: "the last minutes of a device, as a log archive",
      commands: [
        "sudo log collect --device --last 10m --output device.logarchive",
        "log show device.logarchive --info --style ndjson --predicate \(infoPredicate)"
          + " > device.ndjson",
        "tracecheck check device.ndjson",
      ],
      formats: ["log-ndjson"],
      shows: "suspensions, exits and background tasks after the fact, with exact times",
      hides: "lines that were never kept: the level info lives for minutes only"),
    CaptureRecipe(
      place: .device,
      title: "Console.app",
      steps: [
        "In Console.app choose Action > Include Info Messages, select the device, press Start.",
        "Use the app; then select all lines, copy them, and paste them into a file.",
      ],
      commands: ["pbpaste > console.txt", "tracecheck check console.txt"],
      formats: ["console"],
      shows: "background tasks, suspensions, activation",
      hides: "dates and process numbers: two runs of one app are hard to keep apart"),
    CaptureRecipe(
      place: .device,
      title: "reports of crashes, watchdogs and memory, pulled from the device",
      steps: [
        "On the device they are under Settings > Privacy & Security > Analytics & Improvements >"
          + " Analytics Data."
      ],
      commands: [
        "idevicecrashreport -e -k reports",
        "pymobiledevice3 crash pull reports",
        "tracecheck check reports",
      ],
      formats: ["ips", "crash", "jetsam"],
      shows: "why the system ended the app, and what it measured when it did",
      hides: "what the app did before; whether a task was left open"),
    CaptureRecipe(
      place: .device,
      title: "a sysdiagnose",
      steps: [
        "Press both volume buttons and the side button for a second; it is ready after ten minutes"
          + " under Analytics Data."
      ],
      commands: [
        "pymobiledevice3 crash sysdiagnose sysdiagnose.tar.gz",
        "tar xzf sysdiagnose.tar.gz",
        "log show sysdiagnose_*/system_logs.logarchive --info --style ndjson"
          + " --predicate \(infoPredicate) > device.ndjson",
        "tracecheck check sysdiagnose_* device.ndjson",
      ],
      formats: ["log-ndjson", "ips", "jetsam"],
      shows: "logs and reports of the whole device together",
      hides: "the binary log files until `log show` has converted them"),
    CaptureRecipe(
      place: .device,
      title: "MetricKit, once a day from every user's device",
      steps: [
        "Subscribe with MXMetricManager.shared.add(_:), and store jsonRepresentation() of each"
          + " payload."
      ],
      commands: ["tracecheck check payloads"],
      formats: ["metrickit"],
      shows: "how often the system ended the app, and for which reason, in the field",
      hides: "when, and what came before: a payload counts a whole day"),
    CaptureRecipe(
      place: .simulator,
      title: "the log of a simulator as it comes",
      commands: [
        "xcrun simctl spawn booted log stream --level info --style ndjson"
          + " --predicate \(infoPredicate) | tracecheck check -"
      ],
      formats: ["log-ndjson"],
      shows: "background tasks and activation of the app",
      hides: "watchdogs, limits and suspensions: a simulator doesn't enforce them"),
    CaptureRecipe(
      place: .simulator,
      title: "the last minutes of a simulator",
      commands: [
        "xcrun simctl spawn booted log show --last 10m --info --style compact"
          + " --predicate \(infoPredicate) > simulator.log",
        "tracecheck check simulator.log",
      ],
      formats: ["log-compact", "log-default", "log-syslog"],
      shows: "background tasks and activation of the app",
      hides: "watchdogs, limits and suspensions: a simulator doesn't enforce them"),
    CaptureRecipe(
      place: .host,
      title: "the console of Xcode, or a launch from a terminal",
      steps: [
        "In Xcode select the text of the debug area, copy it and paste it into a file; or launch"
          + " from a terminal:"
      ],
      commands: [
        "xcrun devicectl device process launch --console --terminate-existing"
          + " --device DEVICE com.example.app > xcode.log",
        "tracecheck check xcode.log",
      ],
      formats: ["xcode"],
      shows: "warnings of UIKit and Metal about background work, prints of Flutter and Unity",
      hides: "suspensions and kills: under a debugger the system suspends nothing"),
    CaptureRecipe(
      place: .host,
      title: "reports that testers and users sent",
      steps: [
        "In Xcode's Organizer, under Crashes or Feedback, right-click a report, and show it in"
          + " Finder."
      ],
      commands: ["tracecheck check report.crash", "tracecheck check report.ips"],
      formats: ["crash", "ips"],
      shows: "the reason of the end, where the report keeps it",
      hides: "often the system's own words: the Organizer drops them from some reports"),
  ]
}
