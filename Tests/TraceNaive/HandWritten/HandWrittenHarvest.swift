// What the rules with monitors of their own speak of: no pattern of theirs says so.

import TraceLifecycle
import TraceModel
import TraceRules

extension RuleHarvest {
  mutating func add(_ written: HandWritten) {
    // A rule has one monitor, whatever the number of its clauses.
    guard patterns.isEmpty else { return }
    switch written {
    case .backgroundTaskBalance:
      addTasks()
      headerTests.append(.has(.logLevels, "info"))
    case .backgroundTaskBudget: addBudget()
    case .backgroundProcessorTime:
      hear([.procCpu, .procCpu, .procCpu, .sysThrottle])
      say(.cpuNs, [5_000_000_000, 30_000_000_000, 48_000_000_000, 57_000_000_000])
      say(.windowNs, [5_000_000_000, 30_000_000_000, 60_000_000_000])
      thresholds.formUnion([30_000_000_000])
    case .graphicsSubmits:
      hear([.glCall, .glCall, .glComplete])
      say(.submitId, [1, 2, 3, 4])
      words[.kind] = ["draw", "draw", "present", "finish", "flush"].map { .string($0) }
      keys.formUnion([.context])
      thresholds.insert(5_000_000)
      causes.append("gpu_in_background")
    case .frameRateThrottling:
      hear([.glCall, .glCall, .glFrameRate, .delegateWillResignActive])
      say(.fps, [10, 30, 31, 60])
      say(.count, [10, 36, 72, 120])
      words[.kind] = ["present", "present", "present", "draw"].map { .string($0) }
      thresholds.formUnion([500_000_000, 600_000_000, 2_500_000_000])
    case .frameRateRestoring:
      hear([.glFrameRate, .glFrameRate, .glFrameRate, .gamePause, .gameResume])
      hear([.delegateWillResignActive, .delegateDidBecomeActive])
      say(.fps, [10, 30, 60])
      headerTests.append(.isText(.appKind, ["game"]))
    case .transitions:
      hear(Array(NaiveInterpreter.lifecycleCallbacks).sorted { $0.rawValue < $1.rawValue })
      hear([.procMain, .procSuspend, .procResume, .procExit])
      thresholds.insert(50_000_000)
    case .nestedCallbacks:
      hear(Array(NaiveInterpreter.lifecycleCallbacks).sorted { $0.rawValue < $1.rawValue })
      hear([.workSpan, .noteDeliver])
    case .deadSockets:
      hear([.netConnect, .netError, .netError, .netIo])
      words[.op] = ["open", "open", "open", "close"].map { .string($0) }
      keys.formUnion([.socket, .peer])
    case .footprintFall: addFootprints([.procFootprint, .procFootprint, .procSuspend])
    case .memoryWarnings:
      addFootprints([.procFootprint, .memCache, .sysMemoryPressure, .sysMemoryPressure])
      hear([.delegateDidReceiveMemoryWarning, .delegateDidReceiveMemoryWarning])
      hear([.procKill, .procKill])
      words[.op] = ["hold", "hold", "drop"].map { .string($0) }
      causes += ["jetsam", "jetsam", "jetsam"]
      words[.cause] = [.string("jetsam")]
    case .restoredState:
      hear([.dataSave, .dataSave, .dataRestore, .procKill, .procKill])
      keys.formUnion([.store])
      avoided.insert(.ok)
      words[.ok] = [.boolean(false), .boolean(true)]
    case .earliestBegin:
      hear([.bgschedSubmit, .bgschedRun, .traceClockSync, .traceClockStep])
      keys.formUnion([.identifier])
      let moments: [Int64] = [0, 10_000_000_000, 60_000_000_000, 1_000_000_000_000, 1_060_000_000_000]
      for name in [ArgumentName.wallNs, .newWallNs, .earliestBeginWallNs] { say(name, moments) }
      avoided.insert(.errorCode)
      say(.errorCode, [0, 3])
    case .unexplainedExits: addExits()
    }
  }

  private mutating func hear(_ kinds: [EventKind]) {
    patterns += kinds.map { EventPattern(.kinds([$0]), edge: .any) }
  }

  private mutating func say(_ name: ArgumentName, _ numbers: [Int64]) {
    words[name] = numbers.map { .integer($0) }
  }

  private mutating func addTasks() {
    hear([.bgtaskBegin, .bgtaskBegin, .bgtaskEnd, .bgtaskEnd, .bgtaskExpire, .procSuspend])
    keys.formUnion([.token])
    avoided.formUnion([.isInvalid, .refused, .by])
    words[.isInvalid] = [.boolean(false), .boolean(true)]
    words[.refused] = [.boolean(false), .boolean(true)]
    words[.by] = [.string("app"), .string("uikit")]
    causes += ["bgtask_expired", "bgtask_expired"]
    codes.append(0x2182_bad2)
    thresholds.insert(1_000_000_000)
  }

  private mutating func addBudget() {
    addTasks()
    hear([.stateTimeRemaining, .audioPlay, .audioPlay, .audioRecord, .locStart, .locStop])
    keys.formUnion([.stream, .service])
    words[.service] = [.string("standard")]
    words[.seconds] = [
      .integer(0), .integer(1), .number(5.5), .integer(30), .string("unlimited"), .number(1e300),
    ]
    words[.op] = [.string("start"), .string("stop")]
    headerTests += [.has(.backgroundModes, "audio"), .has(.backgroundModes, "location")]
    codes.append(0x8bad_f00d)
  }

  private mutating func addFootprints(_ kinds: [EventKind]) {
    hear(kinds)
    say(.bytes, [52_428_800, 52_428_801, 283_115_520, 283_115_521, 314_572_800])
    words[.inferred] = [.boolean(false), .boolean(true)]
  }

  private mutating func addExits() {
    addTasks()
    addFootprints([.procFootprint])
    hear([.exitImport, .exitImport, .exitImport, .procCpu, .sysThrottle, .procKill])
    hear([.delegateDidReceiveMemoryWarning, .glCall, .glComplete])
    say(.submitId, [1, 2, 3])
    say(.count, [0, 1, 1, 3])
    words[.category] = [
      "app_watchdog", "background_task_assertion_timeout", "cumulativeMemoryPressureExitCount",
      "cpu_resource_limit", "suspended_with_locked_file", "memoryLimitTerminationCount",
      "gpu_in_background", "0x2182bad3", "normal_app",
    ].map { .string($0) }
  }
}
