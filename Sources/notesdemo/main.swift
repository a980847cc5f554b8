// A small notes app that records its life: how an app embeds the recorder, and what a kill leaves.
// Run it, kill it at any moment, and check the folder: see the README.

import TraceIO
import TraceModel
import TraceRecorder

/// What the command line asks for: FOLDER [--seed N] [--visits N] [--double-end].
struct Request {
  var folder = ""
  var seed: UInt64 = 1
  /// How often the app goes to the background and comes back; for ever if nil.
  var visits: Int?
  /// Whether background tasks are ended twice, which is a fault.
  var endsTwice = false

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--seed":
        guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
        seed = number
      case "--visits":
        guard let number = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        visits = number
      case "--double-end": endsTwice = true
      default:
        guard folder.isEmpty, !word.hasPrefix("-") else { return nil }
        folder = word
      }
    }
    if folder.isEmpty { return nil }
  }
}

/// Chance that the seed decides.
struct Chance {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  /// A number below a bound.
  mutating func below(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }
}

/// The app: notes that are edited, saved, and synchronized in the background.
struct NotesApp {
  let recorder: TraceRecorder
  var chance: Chance
  let endsTwice: Bool
  private var nextToken = 1
  private var edits = 0

  init(recorder: TraceRecorder, chance: Chance, endsTwice: Bool) {
    self.recorder = recorder
    self.chance = chance
    self.endsTwice = endsTwice
  }

  private mutating func pause(upTo milliseconds: UInt64) {
    ProcessClocks.sleep(milliseconds: Int32(truncatingIfNeeded: chance.below(milliseconds) + 1))
  }

  mutating func launch() {
    recorder.process.start(
      pid: Int(recorder.processNumber), launchId: 1, into: .foreground, reason: .userIcon)
    recorder.delegate.didFinishLaunching(applicationState: .inactive) {
      recorder.notification.observe(name: "NSCurrentLocaleDidChangeNotification")
      recorder.data.restore(store: "notes")
    }
    recorder.delegate.didBecomeActive(applicationState: .active) {}
  }

  /// The user edits; what is dirty is saved now and then.
  mutating func edit() {
    for _ in 0..<(3 + chance.below(6)) {
      recorder.interface.touch(x: Double(chance.below(320)), y: Double(chance.below(480)))
      recorder.data.dirty(store: "notes", kind: .userData)
      edits += 1
      pause(upTo: 3)
      if chance.below(3) == 0 { save() }
    }
  }

  private mutating func save() {
    let span = recorder.data.save(store: "notes", kind: .userData)
    pause(upTo: 2)
    span.end(ok: true)
  }

  /// The app leaves the screen: it saves, and sends what is new under a background task.
  mutating func leaveAndComeBack() {
    recorder.delegate.willResignActive(applicationState: .active) {}
    let token = nextToken
    nextToken += 1
    recorder.delegate.didEnterBackground(applicationState: .background) {
      save()
      recorder.backgroundTask.begin(
        token: token, isInvalid: false, name: "send notes", hasExpirationHandler: true)
    }
    recorder.setInBackground(true)
    recorder.work.span(
      id: token, class: .upload, protectsToken: token, label: .private("note \(edits)")
    ) { pause(upTo: 8) }
    for _ in 0..<(endsTwice ? 2 : 1) {
      recorder.backgroundTask.end(token: token, isInvalid: false)
    }
    pause(upTo: 5)
    recorder.setInBackground(false)
    recorder.delegate.willEnterForeground(applicationState: .background) {}
    recorder.delegate.didBecomeActive(applicationState: .active) {}
    recorder.sampleClocks()
  }
}

func run() -> Int32 {
  var errors = OutputStream.standardError
  guard let request = Request(Array(CommandLine.arguments.dropFirst())) else {
    try? errors.write("usage: notesdemo FOLDER [--seed N] [--visits N] [--double-end]\n")
    return 2
  }
  var configuration = RecorderConfiguration(directory: request.folder)
  configuration.header[.appBundleID] = .string("com.example.notes")
  configuration.header[.appVersion] = .string("1.0")
  configuration.header[.osVersion] = .string("12.4")
  configuration.header[.sdkLinked] = .string("12.4")
  configuration.header[.multitaskingSupported] = .boolean(true)
  configuration.header[.backgroundModes] = .strings([])
  configuration.header[.coverage] = .strings([
    "trace", "proc", "delegate", "bgtask", "data", "work",
  ])
  do throws(FileError) {
    let recorder = try TraceRecorder.start(configuration)
    var app = NotesApp(
      recorder: recorder, chance: Chance(request.seed), endsTwice: request.endsTwice)
    app.launch()
    var visits = 0
    while visits != request.visits {
      app.edit()
      app.leaveAndComeBack()
      visits += 1
    }
    recorder.process.exit(code: 0, by: .app)
    try recorder.stop()
    var output = OutputStream.standardOutput
    try output.write("\(recorder.tracePath)\n")
    return 0
  } catch {
    // An app would go on without a recorder; this one is about nothing else.
    try? errors.write("notesdemo: \(error)\n")
    return 1
  }
}

ProcessEnvironment.exit(run())
