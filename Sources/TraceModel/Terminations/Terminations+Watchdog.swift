// Ends because the app was too slow for the system: launches, scenes, background time.

extension Terminations {
  /// The id of a watchdog's code of which nothing else is known.
  static let codeAlone = "watchdog-code"

  private static let watchdogs = ["SPRINGBOARD", "FRONTBOARD", "BACKBOARDD"]
  private static let examined =
    "Apple, Addressing watchdog terminations; reports of kills"
  private static let exceptionTypes =
    "Apple, Understanding the exception types in a crash report"

  /// Kills by FrontBoard's watchdog, SpringBoard's on older systems.
  static let watchdog: [Termination] = [
    Termination(
      "watchdog-launch", cause: "watchdog", namespaces: watchdogs,
      words: ["scene-create", "process-launch", "failed to launch"], counters: ["appwatchdog"],
      meaning: "took too long to launch",
      proves: "The app was not ready within the time that the system allows for a launch.",
      leavesOpen: "Whether the app or a hot or busy device took the time.",
      releases: "all; scene-create from iOS 11", source: examined),
    Termination(
      "watchdog-scene-update", cause: "watchdog", namespaces: watchdogs, words: ["scene-update"],
      counters: ["appwatchdog"],
      meaning: "did not update its scene in time, which includes moving to the background",
      proves: "The main thread did not answer an update of the scene within the time allowed.",
      leavesOpen: "Whether the app was on its way to the background or drew for the screen.",
      releases: "iOS 11 and later", source: examined),
    Termination(
      "watchdog-resume", cause: "watchdog", namespaces: watchdogs, words: ["failed to resume"],
      counters: ["appwatchdog"],
      meaning: "did not resume in time",
      proves: "The app did not come back to the foreground within the time allowed.",
      leavesOpen: "Whether the app or a hot or busy device took the time.",
      releases: "iOS 4 to 12", source: examined),
    Termination(
      "watchdog-suspend", cause: "watchdog", namespaces: watchdogs, words: ["failed to suspend"],
      counters: ["appwatchdog"], meaning: "did not go to the background in time",
      proves: "applicationDidEnterBackground: had not returned within the time allowed.",
      leavesOpen: "Whether the app or a hot or busy device took the time.",
      releases: "iOS 4 to 12", source: examined),
    Termination(
      "watchdog-exit", cause: "watchdog", namespaces: watchdogs + ["RUNNINGBOARD"],
      words: ["process-exit", "terminate gracefully"], counters: ["appwatchdog"],
      meaning: "did not come to an end in time",
      proves: "The process was asked to end and had not ended within the time allowed.",
      leavesOpen: "What of the clean-up took the time.",
      releases: "all", source: examined),
    Termination(
      "watchdog", cause: "watchdog", isOfCause: true, codes: [watchdogCode],
      namespaces: watchdogs, counters: ["appwatchdog", "watchdog"],
      meaning: "did not answer the system in time",
      proves: "The main thread did not answer within the time that the system allows.",
      leavesOpen: "What the system waited for: a launch, a scene, or the end of the process.",
      isNamed: false, releases: "all", source: examined),
    Termination(
      codeAlone, cause: "watchdog",
      meaning: "ran out of time that the system allowed, and only a code says so",
      proves: "The system ended the app for being too slow.",
      leavesOpen: "What was too slow: the code also stands for background tasks.",
      isNamed: false, releases: "all", source: examined),
    Termination(
      "keep-alive", cause: "keepalive_timeout", isOfCause: true, counters: ["appwatchdog"],
      meaning: "did not return from its keep-alive handler in time",
      proves: "The handler of a VoIP app's keep-alive ran for longer than the system allows.",
      releases: "iOS 4 to 9", source: "Apple, the class reference of UIApplication"),
  ]

  /// Kills because time in the background was over.
  static let backgroundTime: [Termination] = [
    Termination(
      "background-task-overtime", cause: "bgtask_expired",
      namespaces: ["SPRINGBOARD", "ASSERTIOND", "RUNNINGBOARD"],
      words: ["active assertions beyond permitted time"], wordsAreEnough: true,
      counters: ["backgroundtaskassertiontimeout"],
      meaning: "kept a background task open longer than the system permits",
      proves: "A background task was open when the time for it was over.",
      leavesOpen: "Which task, where the words name none.",
      releases: "iOS 4 and later", source: "reports of kills"),
    Termination(
      "background-task", cause: "bgtask_expired", isOfCause: true, codes: [0x2182_bad2],
      namespaces: ["RUNNINGBOARD"],
      counters: ["backgroundtaskassertiontimeout", "tasktimeout", "bgtaskexpired"],
      meaning: "did not end a background task in time",
      proves: "A background task was open when the time for it was over.",
      leavesOpen: "Which task.", releases: "iOS 13 and later; the code from iOS 26",
      source: exceptionTypes),
    Termination(
      "url-session", cause: "watchdog", codes: [0x2182_bad3], namespaces: ["RUNNINGBOARD"],
      counters: ["backgroundurlsessioncompletiontimeout", "appwatchdog"],
      meaning: "did not handle a background URL session in time",
      proves: "The completion handler of a background URL session was not called in time.",
      leavesOpen: "Which session.", releases: "iOS 26 and later", source: exceptionTypes),
    Termination(
      "background-fetch", cause: "watchdog", codes: [0x2182_bad4], namespaces: ["RUNNINGBOARD"],
      counters: ["backgroundfetchcompletiontimeout", "appwatchdog"],
      meaning: "did not complete a background fetch in time",
      proves: "The completion handler of a background fetch was not called in time.",
      releases: "iOS 26 and later", source: exceptionTypes),
    Termination(
      "watch-refresh-processor", cause: "cpu_limit", codes: [0xc51b_ad01],
      meaning: "used too much processor time in the background of a watch",
      proves: "A background refresh on the watch used more processor time than it may.",
      releases: "watchOS", source: exceptionTypes,
      withoutRule: "The rules are about apps of iOS."),
    Termination(
      "watch-refresh-time", cause: "watchdog", codes: [0xc51b_ad02], namespaces: ["CAROUSEL"],
      meaning: "took too long in the background of a watch",
      proves: "A background refresh on the watch was not completed in time.",
      releases: "watchOS", source: exceptionTypes,
      withoutRule: "The rules are about apps of iOS."),
    Termination(
      "watch-refresh-starved", cause: "watchdog", codes: [0xc51b_ad03],
      meaning: "was not given enough time in the background of a watch",
      proves: "A background refresh on the watch was not completed in time.",
      leavesOpen: "Nothing speaks against the app: the watch was too busy to let it run.",
      provesFault: false, releases: "watchOS", source: exceptionTypes,
      withoutRule: "The watch, and not the app, was to blame."),
  ]
}
