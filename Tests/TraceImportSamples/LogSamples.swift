// One story in the grammar of every log format: a task, a suspension, a resumption, a crash.

import TraceImport
package import TraceModel

/// A capture in one format, and the timeline that it becomes.
package struct LogSample: Sendable, CustomStringConvertible {
  package var testDescription: String
  package var description: String { testDescription }
  package var format: CaptureFormat
  package var text: String
  package var timeline: String

  /// A sample for every importer.
  package static let all = [
    LogSample(
      testDescription: "console", format: .consoleText, text: Samples.consoleLaunch,
      timeline: Samples.consoleLaunchTimeline),
    LogSample(
      testDescription: "compact", format: .logCompact, text: Samples.compact,
      timeline: Samples.compactTimeline),
    LogSample(
      testDescription: "xcode", format: .xcodeConsole, text: Samples.xcode,
      timeline: Samples.xcodeTimeline),
    story("default", .logDefault, LogWording.logDefault, thread: 6699, LogWording.defaultHead),
    story("log syslog", .logSyslog, LogWording.logSyslog, LogWording.syslogHead),
    story("ndjson", .logJSON, LogWording.ndjson, thread: 6699, tail: LogWording.ndjsonTail),
    story(
      "json", .logJSON, LogWording.json, thread: 6699, LogWording.jsonHead,
      tail: LogWording.jsonTail),
    story("device with host", .deviceSyslog, LogWording.oldDevice, .seconds),
    story(
      "device without host", .deviceSyslog, LogWording.newDevice, .seconds,
      LogWording.deviceHead),
    story("device with fraction", .deviceSyslog, LogWording.fractionDevice),
    story("Appium rows", .deviceSyslog, LogWording.appiumRow, .seconds),
    story("Appium entries", .appium, LogWording.appiumEntry, .milliseconds),
    story("pymobile", .pymobile, LogWording.pymobile),
    story("pymobile with colours", .pymobile, LogWording.colouredPymobile),
    story("pymobile JSON", .pymobileJSON, LogWording.pymobileJSON, thread: 6699),
    story("simulator", .syslog, LogWording.simulator, .seconds),
  ]

  /// What a format keeps of the times.
  enum Clock {
    case microseconds, milliseconds, seconds

    var header: Int { self == .seconds ? 1_000_000_000 : self == .milliseconds ? 1_000_000 : 1000 }
    var times: [String] {
      self == .seconds ? ["0s", "1s", "3s", "6s", "10s"] : ["0s", "0.2s", "2.1s", "5.1s", "9.1s"]
    }
  }

  private static func story(
    _ name: String, _ format: CaptureFormat, _ wording: (StoryLine) -> String,
    _ clock: Clock = .microseconds, thread: Int? = nil, _ head: String = "", tail: String = ""
  ) -> LogSample {
    let lines = StoryLine.all.map(wording)
    let place = thread.map { " @\($0)" } ?? ""
    let times = clock.times
    return LogSample(
      testDescription: name, format: format,
      text: head + lines.joined() + tail,
      timeline: """
        header app_bundle_id=com.example.notes coverage=[bgtask,proc]\
        \(format.name == "syslog" ? " simulator=true" : "") timestamp_resolution_ns=\(clock.header) log_levels=[default,info]
        0s trace.start reason=attach
        \(times[0])\(place) bgtask.begin token=4 name="sync all"
        \(times[1])\(place) bgtask.end token=4
        \(times[2]) @0 proc.suspend inferred=false evidence=os_log
        \(times[3]) @0 proc.resume inferred=false
        \(times[4]) @0 proc.kill signal=11 cause=crash namespace=SIGNAL
        # capture: the app crashed (signal 11); a crash is no violation of the life cycle

        """)
  }

  private static func story(
    _ name: String, _ format: CaptureFormat, _ wording: (StoryLine) -> String,
    thread: Int? = nil, _ head: String, tail: String = ""
  ) -> LogSample {
    story(name, format, wording, .microseconds, thread: thread, head, tail: tail)
  }
}

/// A line of the story, in no format.
struct StoryLine: Sendable {
  /// `YYYY-MM-DD HH:MM:SS`, and the fraction.
  var second: String
  var fraction: String
  /// The same second without a year.
  var shortSecond: String
  /// Milliseconds since 1970.
  var milliseconds: Int
  var process: String
  var pid: Int
  var library: String
  var category: String
  var isInfo = false
  /// The message; it may have several lines.
  var message: String

  private static let target = "[app<com.example.notes(0A1B)>:412]"

  private static func app(
    _ second: Int, _ message: String, _ category: String = "com.apple.UIKit:BackgroundTask",
    isInfo: Bool = false
  ) -> StoryLine {
    line(second, "Field Notes", 412, "UIKitCore", category, isInfo, message)
  }

  private static func daemon(_ second: Int, _ message: String) -> StoryLine {
    line(
      second, "runningboardd", 31, "RunningBoard", "com.apple.runningboard:ttl", false,
      "\(target) \(message)")
  }

  /// A line so many tenths of a second after 23:59:59.900.
  private static func line(
    _ tenths: Int, _ process: String, _ pid: Int, _ library: String, _ category: String,
    _ isInfo: Bool, _ message: String
  ) -> StoryLine {
    let all = 9 + tenths
    let isBefore = all < 10
    let time = isBefore ? "23:59:59" : "00:00:0\((all - 10) / 10)"
    return StoryLine(
      second: (isBefore ? "2026-03-04 " : "2026-03-05 ") + time, fraction: "\(all % 10)00000",
      shortSecond: (isBefore ? "Mar  4 " : "Mar  5 ") + time,
      milliseconds: 1_772_668_799_000 + all * 100, process: process, pid: pid, library: library,
      category: category, isInfo: isInfo, message: message)
  }

  static let all = [
    app(
      0,
      "Created background task <_UIBackgroundTaskInfo: 0x600002>: taskID = 4, taskName = sync all, creationTime = 90 (elapsed = 0)."
    ),
    app(2, "Ending background task with UIBackgroundTaskIdentifier: 4"),
    app(
      3, "layout of \"page\" in /a/b {\n\tdepth = 3;\n}", "com.example.notes:layout", isInfo: true),
    daemon(21, "Suspending task."),
    daemon(51, "Resuming task."),
    daemon(
      91,
      "Process exited: <RBSProcessExitContext| specific,\n\tstatus:<RBSProcessExitStatus| domain:signal(2) code:SIGSEGV(11)>>."
    ),
  ]
}

/// How each format words a line.
enum LogWording {
  static let defaultHead =
    "Timestamp                       Thread     Type        Activity             PID    TTL  \n"

  static func logDefault(_ line: StoryLine) -> String {
    "\(line.second).\(line.fraction)+0100 0x1a2b     \(line.isInfo ? "Info   " : "Default")     0x0                  \(line.pid)    0    \(line.process): (\(line.library)) [\(line.category)] \(line.message)\n"
  }

  static let syslogHead = "Timestamp                       (process)[PID]    \n"

  static func logSyslog(_ line: StoryLine) -> String {
    "\(line.second).\(line.fraction)+0100  localhost \(line.process)[\(line.pid)]\(line.isInfo ? " <Info>" : ""): (\(line.library)) [\(line.category)] \(line.message)\n"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\"": result += "\\\""
      case "/": result += "\\/"
      default: result.append(character)
      }
    }
    return result
  }

  static let ndjsonTail = "{\"count\":6,\"finished\":1}\n"

  static func ndjson(_ line: StoryLine) -> String {
    "{\"timezoneName\":\"\",\"messageType\":\"\(line.isInfo ? "Info" : "Default")\",\"eventType\":\"logEvent\",\"source\":null,\"formatString\":\"%{public}@\",\"backtrace\":{\"frames\":[{\"imageOffset\":60,\"imageUUID\":\"A\"}]},\"threadID\":6699,\"processImagePath\":\"\\/private\\/var\\/a.app\\/\(line.process)\",\"timestamp\":\"\(line.second).\(line.fraction)+0100\",\"eventMessage\":\"\(escaped(line.message))\",\"category\":null,\"processID\":\(line.pid)}\n"
  }

  static let jsonHead = "Filtering the log data using \"process == 'Field Notes'\"\n[{\n"
  static let jsonTail = "  \"count\" : 6,\n  \"finished\" : 1\n}]\n"

  static func json(_ line: StoryLine) -> String {
    "  \"eventMessage\" : \"\(escaped(line.message))\",\n  \"backtrace\" : {\n    \"frames\" : [\n      {\n        \"imageOffset\" : 60\n      }\n    ]\n  },\n  \"threadID\" : \"0x1a2b\",\n  \"processID\" : \(line.pid),\n  \"messageType\" : \"\(line.isInfo ? "Info" : "Default")\",\n  \"processImagePath\" : \"\\/private\\/a.app\\/\(line.process)\",\n  \"timestamp\" : \"\(line.second).\(line.fraction)+0100\"\n},{\n"
  }

  private static func level(_ line: StoryLine) -> String { line.isInfo ? "Info" : "Notice" }

  static func oldDevice(_ line: StoryLine) -> String {
    "\(line.shortSecond) My-Phone \(line.process)(\(line.library))[\(line.pid)] <\(level(line))>: \(line.message)\n"
  }

  static let deviceHead =
    "[connected:0000-1111]\nMar  4 23:59:59 kernel()[0] <Notice>: wlan0: up {(\\134n a \\M-b\\M^@\\M-&\n"

  static func newDevice(_ line: StoryLine) -> String {
    "\(line.shortSecond) \(line.process)(\(line.library))[\(line.pid)] <\(level(line))>: \(line.message)\n"
  }

  static func fractionDevice(_ line: StoryLine) -> String {
    "\(line.shortSecond).\(line.fraction) \(line.process)(\(line.library))[\(line.pid)] <\(level(line))>: \(line.message)\n"
  }

  static func appiumRow(_ line: StoryLine) -> String {
    let rows = oldDevice(line).split(separator: "\n")
    return "       12 iOSLog\n"
      + rows.map {
        "       13 2026-03-04 22:00:00:007 - [iOSLog] [IOS_SYSLOG_ROW] \($0)\n       14 iOSLog\n"
      }.joined()
  }

  static func appiumEntry(_ line: StoryLine) -> String {
    let rows = newDevice(line).split(separator: "\n")
    return rows.map {
      "{\"timestamp\":\(line.milliseconds),\"level\":\"ALL\",\"message\":\"\(escaped(String($0)))\"}\n"
    }.joined()
  }

  static func pymobile(_ line: StoryLine) -> String {
    "\(line.second).\(line.fraction) \(line.process){\(line.library)+0x1c}[\(line.pid)] <\(line.isInfo ? "INFO" : "NOTICE")>: \(line.message) [com.apple.UIKit][a]\n"
  }

  static func colouredPymobile(_ line: StoryLine) -> String {
    "\u{1b}[32m\(line.second).\(line.fraction)\u{1b}[0m \u{1b}[35m\(line.process)\u{1b}[0m{\u{1b}[34m\(line.library)\u{1b}[0m}[\u{1b}[36m\(line.pid)\u{1b}[0m] <\u{1b}[1;37m\(line.isInfo ? "INFO" : "NOTICE")\u{1b}[0m>: \u{1b}[37m\(line.message)\u{1b}[0m\n"
  }

  static func pymobileJSON(_ line: StoryLine) -> String {
    let time = line.second.split(separator: " ").joined(separator: "T")
    return
      "{\"pid\": \(line.pid), \"procid\": 1, \"thread_id\": 6699, \"timestamp\": \"\(time).\(line.fraction)\", \"level\": \"\(line.isInfo ? "INFO" : "NOTICE")\", \"image_name\": \"\(line.library)\", \"filename\": \"/private/var/a.app/\(line.process)\", \"message\": \"\(escaped(line.message))\", \"label\": null}\n"
  }

  static func simulator(_ line: StoryLine) -> String {
    "\(line.shortSecond) my-mac \(line.process)[\(line.pid)]: \(line.message)\n\(line.shortSecond) --- last message repeated 2 times ---\n"
  }
}
