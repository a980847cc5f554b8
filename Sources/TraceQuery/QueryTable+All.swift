// The tables. Times are nanoseconds on the clock of the trace's header; columns with `wall` are
// nanoseconds since 1970-01-01T00:00:00 UTC, and null where the trace has no such anchor.

extension QueryTable {
  public static let all = [
    captures, traces, launches, states, durations, spans, events, findings, terminations,
  ]

  private static let trace = QueryColumn(
    "trace", .integer, "the trace's number in this database, see traces", constraint: "NOT NULL")
  private static let launch = QueryColumn(
    "launch", .integer, "the launch's number in the trace, from 1; 0 before the first one")

  /// A column of booleans.
  private static func flag(_ name: String, _ meaning: String) -> QueryColumn {
    QueryColumn(name, .integer, "1 if \(meaning), else 0")
  }

  public static let captures = QueryTable(
    "captures", "files that were looked at",
    [
      QueryColumn(
        "capture", .integer, "the capture's number in this database", constraint: "PRIMARY KEY"),
      QueryColumn("path", .text, "its path as it was given", constraint: "NOT NULL UNIQUE"),
      QueryColumn("format", .text, "its format, for example lctrace; null if not recognised"),
      QueryColumn(
        "status", .text,
        "read, damaged, unreadable, copy (of another capture), or passed_over (no capture)",
        constraint: "NOT NULL"),
      QueryColumn("copy_of", .text, "the path of the capture with the same traces"),
      QueryColumn("problems", .text, "what was wrong with it, one per line; null if nothing was"),
      QueryColumn("version", .text, "what the file system said of the file (of the index only)"),
      QueryColumn("parts", .integer, "which tables it was read into (of the index only)"),
      QueryColumn("identity", .text, "what copies have in common (of the index only)"),
      QueryColumn("rank", .integer, "which one of copies is read: the lowest (of the index only)"),
    ])

  public static let traces = QueryTable(
    "traces", "one row for each trace of the captures",
    [
      QueryColumn(
        "trace", .integer, "the trace's number in this database", constraint: "PRIMARY KEY"),
      QueryColumn("capture", .integer, "the number of its capture", constraint: "NOT NULL"),
      QueryColumn("path", .text, "the path of its capture"),
      QueryColumn("number", .integer, "its number in the capture, from 1"),
      QueryColumn("trace_id", .text, "the header's id, or one made from the events"),
      QueryColumn("format", .text, "the format of its capture"),
      QueryColumn("app", .text, "the app's bundle id"),
      QueryColumn("app_version", .text, "the app's version"),
      QueryColumn("os_version", .text, "the system's version"),
      QueryColumn("device_model", .text, "the device, for example iPhone7,2"),
      QueryColumn("profile", .text, "the profile that it was judged against, for example ios8"),
      QueryColumn("events", .integer, "how many events it holds"),
      QueryColumn("launches", .integer, "how many launches it holds"),
      QueryColumn("first_ns", .integer, "the time of the first event, in ns"),
      QueryColumn("last_ns", .integer, "the time of the last event, in ns"),
      QueryColumn("first_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("last_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("completeness", .text, "complete, truncated or damaged"),
      QueryColumn("errors", .integer, "findings that are errors"),
      QueryColumn("warnings", .integer, "findings that are warnings"),
      QueryColumn("notes", .integer, "findings that are notes"),
      QueryColumn("suppressed", .integer, "findings that the configuration suppresses"),
      QueryColumn("header", .text, "all header fields, as JSON"),
    ])

  public static let launches = QueryTable(
    "launches", "one row for each life of a process", key: ["trace", "launch"],
    [
      trace, launch,
      QueryColumn("start_ns", .integer, "when it began, in ns; null if the trace begins later"),
      QueryColumn("start_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("end_ns", .integer, "when it ended, or its last event, in ns"),
      QueryColumn("goes_into", .text, "foreground or background; null if not known"),
      QueryColumn("reason", .text, "why the process was started, for example user_icon"),
      QueryColumn("pid", .integer, "the process id"),
      flag("is_mid_life", "the trace doesn't hold its beginning"),
      flag("has_gap", "events of it were lost"),
      QueryColumn("launch_ns", .integer, "how long launching took, in ns; null if not measured"),
      QueryColumn("ended_by", .text, "the cause of its end, see terminations; null if it goes on"),
    ])

  public static let states = QueryTable(
    "states", "stretches of time in one state of the life cycle", key: ["trace", "interval"],
    [
      trace,
      QueryColumn("interval", .integer, "its number in the trace, from 1", constraint: "NOT NULL"),
      launch,
      QueryColumn("state", .text, "the state, for example entering_background"),
      QueryColumn("start_ns", .integer, "when it began, in ns"),
      QueryColumn("start_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("end_ns", .integer, "when it ended, in ns"),
      QueryColumn("duration_ns", .integer, "how long it was, in ns"),
    ])

  public static let durations = QueryTable(
    "durations", "what has a limit in some rule, measured as `metrics` does",
    key: ["trace", "measure"],
    [
      trace,
      QueryColumn("measure", .integer, "its number in the trace, from 1", constraint: "NOT NULL"),
      launch,
      QueryColumn(
        "duration", .text,
        "launch, enter_background, background_task, background_run, suspend_latency or terminate"),
      QueryColumn("end_ns", .integer, "when it was over, in ns"),
      QueryColumn("end_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn(
        "duration_ns", .integer, "how long it took on the clock of its limit, in ns"),
    ])

  public static let spans = QueryTable(
    "spans", "what was begun and ended: tasks, services, connections, callbacks, scenes",
    key: ["trace", "span"],
    [
      trace,
      QueryColumn("span", .integer, "its number in the trace, from 0", constraint: "NOT NULL"),
      QueryColumn(
        "lane", .text,
        "scenes, tasks, services, system, graphics, network, resources or threads"),
      QueryColumn("track", .text, "what it belongs to: a task's name, a kind, a thread"),
      QueryColumn("name", .text, "what it is: a kind of event, or the name of what was opened"),
      QueryColumn("thread", .integer, "the thread that it ran on; null outside threads"),
      QueryColumn("depth", .integer, "how many spans of the track it lies in or beside"),
      QueryColumn("start_ns", .integer, "when it began, in ns"),
      QueryColumn("start_wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("end_ns", .integer, "when it ended or was cut, in ns"),
      QueryColumn("duration_ns", .integer, "how long it was, at least, in ns"),
      QueryColumn("start_ordinal", .integer, "the event that began it, see events"),
      flag("is_cut", "no event ended it: the process, the trace or a gap did"),
      flag("is_interrupted", "it was cut and might have ended soon after"),
    ])

  public static let events = QueryTable(
    "events", "every event, in the order of the capture",
    [
      QueryColumn(
        "id", .integer, "trace times 2^32, plus ordinal", constraint: "PRIMARY KEY"),
      trace,
      QueryColumn("ordinal", .integer, "its place in the trace, from 0"),
      QueryColumn("time_ns", .integer, "when it happened, in ns"),
      QueryColumn(
        "wall_ns", .integer,
        "the same, in ns since 1970, by the last anchor before it in the capture, or the first"),
      QueryColumn("event", .text, "its kind, for example bgtask.begin"),
      QueryColumn("phase", .text, "instant, enter or return"),
      QueryColumn("thread", .integer, "the thread, 1 being the main one as a rule"),
      QueryColumn("line", .integer, "the line of the capture; null if that is no text"),
      QueryColumn("args", .text, "its arguments as a JSON object; null without any"),
    ])

  public static let findings = QueryTable(
    "findings", "what the traces violate, as `check` reports it", key: ["trace", "finding"],
    [
      trace,
      QueryColumn("finding", .integer, "its number in the trace, from 1", constraint: "NOT NULL"),
      QueryColumn("trace_id", .text, "the trace's id"),
      QueryColumn("rule", .text, "the rule's id"),
      QueryColumn("slug", .text, "the rule's name"),
      QueryColumn("severity", .text, "error, warning or note"),
      QueryColumn("reason", .text, "the case of a rule that has several"),
      QueryColumn("message", .text, "one sentence"),
      QueryColumn("time_ns", .integer, "when it was certain, in ns"),
      QueryColumn("wall_ns", .integer, "the same, in ns since 1970; null where launch is 0"),
      QueryColumn("last_time_ns", .integer, "when it happened last, in ns"),
      QueryColumn("thread", .integer, "the thread"),
      QueryColumn("launch", .integer, "the launch's number in the trace; 0 if of the header"),
      QueryColumn("count", .integer, "how often it happened"),
      QueryColumn("subject", .text, "what it is about"),
      QueryColumn("fingerprint", .text, "the same for the same fault in all captures"),
      QueryColumn("confidence", .text, "certain, likely or possible"),
      QueryColumn("witness", .text, "ordinals of the events that prove it, as a JSON array"),
    ])

  public static let terminations = QueryTable(
    "terminations", "how processes ended", key: ["trace", "termination"],
    [
      trace,
      QueryColumn(
        "termination", .integer, "its number in the trace, from 1", constraint: "NOT NULL"),
      launch,
      QueryColumn("time_ns", .integer, "when it ended, in ns"),
      QueryColumn("wall_ns", .integer, "the same, in ns since 1970"),
      QueryColumn("cause", .text, "watchdog, jetsam, crash, exit and others, as in `metrics`"),
      QueryColumn("count", .integer, "how many ends: more than 1 where the system counted them"),
      QueryColumn("kind", .text, "kill, exit or counted; null where no event tells of it"),
      QueryColumn("signal", .integer, "the signal's number"),
      QueryColumn("code", .integer, "the code, for example 2343432205 for 0x8badf00d"),
      QueryColumn("namespace", .text, "whose code it is, for example SPRINGBOARD"),
      QueryColumn("description", .text, "the system's own words"),
      QueryColumn("state", .text, "the state that the app was in"),
      QueryColumn("rule", .text, "the rule whose finding explains it, see findings"),
      QueryColumn("meaning", .text, "what cause, code and words mean"),
      QueryColumn("explanation", .text, "the paragraph that `why` prints"),
    ])
}
