// Faults of background tasks, of suspension and of time.

import TraceModel

extension Fault {
  static let taskFaults: [Fault] = [
    Fault(
      "task-without-handler", "LC101", "a task is begun without an expiration handler",
      "0s open; 2s touch; 3s wait",
      at: [
        .uiTouch: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: nil) else { return }
          system.after(.seconds(1), thread: 4) { system.endTask(token, thread: 4) }
        }
      ]),
    Fault(
      "expiration-ignored", "LC102", "the expiration handler ends nothing, and the system kills",
      "0s open; 2s home; 200s wait",
      at: [.delegateDidEnterBackground: { _ = $0.beginTask("export", thread: 1) {} }]),
    Fault(
      "expiration-slow", "LC103", "the expiration handler cleans up for two seconds",
      "0s open; 2s home; 200s wait",
      at: [.delegateDidEnterBackground: { begin($0, onExpiration: { $0.spend(.seconds(2)) }) }]),
    Fault(
      "expiration-starts-work", "LC104", "the expiration handler starts a transfer",
      "0s open; 2s home; 200s wait",
      at: [
        .delegateDidEnterBackground: {
          begin(
            $0,
            onExpiration: { $0.note(.urlTask, [.op: "start", .task: 1, .type: "upload"]) })
        }
      ]),
    Fault(
      "task-over-budget", "LC105", "the system forgets to expire a task, which stays open",
      "0s open; 0s leave-out bgtask.expire; 2s home; 220s wait",
      at: [
        .delegateDidEnterBackground: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.after(.seconds(195), thread: 4) { system.endTask(token, thread: 4) }
        }
      ]),
    Fault(
      "task-begun-late", "LC106", "the work starts before the task that is to protect it",
      "0s open; 2s touch; 3s wait",
      at: [
        .uiTouch: { system in
          system.record(.workSpan, .enter, thread: 1, [.id: 1, .class: "db", .protectsToken: 1])
          let token = system.beginTask("export", thread: 1, expiration: {})
          system.spend(.milliseconds(20))
          system.record(.workSpan, .return, thread: 1, [:])
          if let token { system.endTask(token, thread: 1) }
        }
      ]),
    Fault(
      "task-begun-at-end", "LC107", "background time is asked for while the app is terminated",
      "0s open; 2s force-quit",
      at: [.delegateWillTerminate: { _ = $0.beginTask("export", thread: 1) {} }]),
    Fault(
      "refusal-ignored", "LC109", "long work starts although no background time was given",
      // The system takes the app before the work is done: nothing else is seen of it.
      "0s open; 0s leave-out proc.suspend; 2s home; 9s kill jetsam",
      at: [
        .delegateDidEnterBackground: { system in
          (system as? SimulatedPhone)?.refuseTasks()
          system.after(.milliseconds(100), thread: 4) {
            _ = system.beginTask("export", thread: 4, expiration: {})
            system.work(.workSpan, .seconds(20), thread: 4, [.id: 1, .class: "other"])
          }
        }
      ]),
    Fault(
      "work-unprotected", "LC110", "a download goes on under a task that isn't its own",
      "0s open; 2s home; 30s wait",
      at: [
        .delegateDidEnterBackground: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.work(
            .workSpan, .seconds(8), thread: 4, [.id: 1, .class: "download", .protectsToken: 99]
          ) { system.endTask(token, thread: 4) }
        }
      ]),
    Fault(
      "token-twice", "LC111", "two tasks that are open have the same token",
      "0s open; 2s touch; 3s wait",
      at: [
        .uiTouch: { system in
          for _ in 0..<2 {
            system.note(
              .bgtaskBegin,
              [.token: 7, .isInvalid: false, .name: "export", .hasExpirationHandler: true])
          }
          system.endTask(7, thread: 1)
        }
      ]),
  ]

  /// Begins a task that ends when it expires, after something else.
  private static func begin(
    _ system: any AppSystem, onExpiration action: @escaping @Sendable (any AppSystem) -> Void
  ) {
    var open: Int64?
    open = system.beginTask("export", thread: 1) {
      action(system)
      if let token = open { system.endTask(token, thread: 1) }
    }
  }

  static let suspensionFaults: [Fault] = [
    Fault(
      "save-frozen", "LC002", "a save without a task is cut off by the suspension",
      "0s open; 2s home; 30s open; 20s wait", severity: .warning, reason: "straddled",
      at: [
        .delegateDidEnterBackground: {
          $0.work(.dataSave, .seconds(8), thread: 4, [.store: "log", .ok: true])
        }
      ]),
    Fault(
      "work-after-last-reason", "LC002", "work begins when the app has no reason to run any more",
      "0s open; 0s leave-out proc.suspend; 2s home; 20s wait",
      severity: .warning, reason: "predicted",
      at: [
        .delegateDidEnterBackground: { system in
          system.after(.seconds(10), thread: 4) { system.note(.netIo, [.bytes: 64], thread: 4) }
        }
      ]),
    Fault(
      "work-while-suspended", "LC002", "code runs in an app that is suspended",
      "0s open; 0s leave-out proc.suspend; 2s home; 3s call proc.suspend; 5s wait",
      reason: "observed", endsAtOnce: true,
      at: [
        .delegateDidEnterBackground: { system in
          system.after(.seconds(4), thread: 4) { system.note(.netIo, [.bytes: 64], thread: 4) }
        }
      ]),
    Fault(
      "database-held", "LC201", "the address book is held while the app is suspended",
      app: [.resources], failing: [.keepsResource], "0s open; 2s touch 9; 2s home; 30s wait"),
    Fault(
      "service-published", "LC202", "a Bonjour service stays published",
      app: [.resources], failing: [.keepsService], "0s open; 2s touch 9; 2s home; 30s wait"),
    Fault(
      "socket-listening", "LC203", "a listening socket stays open",
      app: [.resources], failing: [.keepsListening], "0s open; 2s touch 9; 2s home; 30s wait"),
    Fault(
      "lock-held", "LC204", "a database of the app group stays locked",
      app: [.resources], failing: [.keepsLock], "0s open; 2s touch 9; 2s home; 30s wait"),
    Fault(
      "data-lost", "LC205", "the process ends with data that was changed in the background",
      app: [.navigator], "0s open; 2s home; 30s wake location; 200ms kill jetsam",
      at: [.locUpdate: { $0.note(.dataDirty, [.store: "track", .kind: "user_data"]) }]),
    Fault(
      "throttled-in-background", "LC207", "the system slows down an app that nobody sees",
      "0s open; 2s home; 3s throttle cpu; 20s wait", reason: "throttled",
      at: [
        .delegateDidEnterBackground: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.after(.seconds(10), thread: 4) { system.endTask(token, thread: 4) }
        }
      ]),
    Fault(
      "busy-in-background", "LC207", "music plays, and the processor is busy all the time",
      "0s open; 2s touch; 3s home; 120s wait", reason: "sustained",
      declare: { $0.declare(mode: "audio") },
      at: [
        .uiTouch: { play($0) },
        .delegateDidEnterBackground: { system in
          for number in 1...11 {
            system.after(.seconds(Int64(number) * 10), thread: 7) {
              system.note(
                .procCpu, [.thread: 7, .cpuNs: 9_600_000_000, .windowNs: 10_000_000_000])
            }
          }
        },
      ]),
  ]

  /// Starts music, as an app should.
  static func play(_ system: any AppSystem) {
    system.note(.audioSession, [.op: "configure", .category: "playback"])
    system.note(.audioSession, [.op: "activate"])
    system.note(.audioPlay, [.op: "start", .stream: 1, .audible: true])
  }

  static let timeFaults: [Fault] = [
    Fault(
      "entry-slow", "LC003", "going to the background takes longer than the watchdog allows",
      "0s open; 2s home; 20s wait",
      at: [.delegateDidEnterBackground: { $0.spend(.seconds(6)) }]),
    Fault(
      "launch-slow", "LC301", "the launch takes longer than the watchdog allows",
      "0s open; 10s wait", at: [.delegateDidFinishLaunching: { $0.spend(.seconds(6)) }]),
    Fault(
      "launch-waits-for-network", "LC302", "the launch waits for a server",
      "0s open; 10s wait",
      at: [
        .delegateDidFinishLaunching: { $0.work(.netSyncWait, .milliseconds(200), [.request: 1]) }
      ]
    ),
    Fault(
      "end-slow", "LC306", "the last call takes longer than the watchdog allows",
      "0s open; 2s force-quit", at: [.delegateWillTerminate: { $0.spend(.seconds(6)) }]),
    Fault(
      "main-waits-for-network", "LC307", "the main thread waits for a server",
      "0s open; 2s touch; 3s wait",
      at: [.uiTouch: { $0.work(.netSyncWait, .milliseconds(300), [.request: 1]) }]),
    Fault(
      "main-busy", "LC308", "the main thread tidies up for three seconds",
      "0s open; 2s touch; 9s wait",
      at: [.uiTouch: { $0.work(.workSpan, .seconds(3), [.id: 1, .class: "housekeeping"]) }]),
    Fault(
      "keep-alive-slow", "LC310", "the keep-alive handler takes longer than it may",
      app: [.calls], failing: [.handlesKeepAliveSlowly], "0s open; 2s home; 20min wait"),
    Fault(
      "accessory-slow", "LC311", "data of an accessory is handled for twelve seconds",
      app: [.accessory], "0s open; 2s home; 30s wake external_accessory; 30s wait",
      at: [.eaData: { $0.spend(.seconds(12)) }]),
  ]
}
