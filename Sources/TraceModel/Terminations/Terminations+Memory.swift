// Ends by jetsam: for the memory of the app itself, and for that of the device.

extension Terminations {
  private static let jetsam = ["JETSAM"]
  private static let kernel = "XNU, sys/kern_memorystatus.h and kern_memorystatus.c"

  /// Kills for the memory that the app itself used.
  static let memory: [Termination] = [
    limit(
      "memory-limit-background", visibility: "background",
      open: "What was kept in memory on the way to the background."),
    limit("memory-limit", open: "What the memory was used for."),
    Termination(
      "memory-high-water", cause: "jetsam", codes: [2], namespaces: jetsam, words: ["highwater"],
      counters: ["memoryresourcelimit", "memorylimit"],
      meaning: "used more memory than it may keep while others need some",
      proves: "The device was short of memory, and the app was over its soft limit.",
      leavesOpen: "Whether the app grew, or others needed more than usual.", provesFault: false,
      releases: "iOS 6 and later", source: kernel),
    Termination(
      "memory-conclave", cause: "jetsam", namespaces: [], words: ["conclave-limit"],
      meaning: "used more memory than its conclave may",
      proves: "A limit of the kernel's on protected memory was reached.", provesFault: false,
      releases: "iOS 18 and later", source: kernel,
      withoutRule: "Apps have no conclave of their own."),
  ]

  private static func limit(
    _ id: String, visibility: String? = nil, open: String
  ) -> Termination {
    Termination(
      id, cause: "jetsam", codes: [7], namespaces: jetsam,
      words: [
        "per-process-limit", "mem limit", "due to memory issue", "RESOURCE_TYPE_MEMORY",
      ],
      visibility: visibility, counters: ["memoryresourcelimit", "memorylimit"],
      meaning: "used more memory than one process may",
      proves: "The app itself reached the most memory that the system gives a process.",
      leavesOpen: open, provesFault: false, releases: "iOS 5 and later", source: kernel)
  }

  /// Kills because the device, and not the app, was short of something.
  static let memoryPressure: [Termination] = [
    idle("memory-idle", 9, "idle-exit"), idle("memory-long-idle", nil, "long-idle-exit"),
    shortage("memory-vnodes", 3, "vnode-limit", "The kernel had no vnodes left for open files."),
    shortage("memory-zone-map", 10, "zone-map-exhaustion", "The kernel's own memory was full."),
    shortage("memory-disk", 8, "disk-space-shortage", "The device had no disk space left."),
    shortage("memory-swap", 13, "low-swap", "There was too little space left to swap."),
    Termination(
      "memory-foreground", cause: "jetsam", isOfCause: true, words: pressure,
      visibility: "foreground",
      meaning: "was in the foreground, and the device had no memory left at all",
      proves: "Even an app on the screen had to give its memory up.",
      leavesOpen: "How much of the memory the app itself used.", provesFault: false,
      releases: "iOS 3 and later", source: kernel),
    Termination(
      "memory-background", cause: "jetsam", isOfCause: true, words: pressure,
      visibility: "background",
      counters: ["memorypressure", "systempressure"],
      meaning: "had to give its memory to others, which is usual for an app in the background",
      proves: "The device was short of memory.",
      leavesOpen: "Whether a smaller app would have been spared.", provesFault: false,
      releases: "iOS 4 and later", source: kernel),
    Termination(
      "memory", cause: "jetsam", isOfCause: true,
      codes: [1, 4, 5, 6, 11, 12, 14, 15], namespaces: jetsam,
      words: pressure, counters: ["memorypressure", "systempressure"],
      meaning: "had to give its memory to others; this is usual for an app in the background only",
      proves: "The device was short of memory.",
      leavesOpen: "Where the app was, and whether a smaller one would have been spared.",
      provesFault: false, releases: "iOS 3 and later", source: kernel),
  ]

  /// The kernel's words where memory ran short, whoever used it.
  private static let pressure = [
    "vm-pageshortage", "vm-thrashing", "proc-thrashing", "fc-thrashing",
    "vm-compressor-thrashing", "vm-compressor-space-shortage", "sustained-memory-pressure",
    "vm-pageout-starvation", "jettisoned",
  ]

  private static func idle(_ id: String, _ code: Int64?, _ word: String) -> Termination {
    Termination(
      id, cause: "jetsam", codes: code.map { [$0] } ?? [], namespaces: jetsam, words: [word],
      meaning: "had nothing to do, and made room for others",
      proves: "The process was idle, and the system tidied up.", provesFault: false,
      releases: "iOS 7 and later", source: kernel,
      withoutRule: "The system may end an idle process at any time.")
  }

  private static func shortage(
    _ id: String, _ code: Int64, _ word: String, _ proves: String
  ) -> Termination {
    Termination(
      id, cause: "jetsam", codes: [code], namespaces: jetsam, words: [word],
      meaning: "had to make room, as the system ran out of something",
      proves: proves, leavesOpen: "Whether the app had its share in it.", provesFault: false,
      releases: "iOS 9 and later", source: kernel,
      withoutRule: "What ran out is the system's, and no rule is about it.")
  }
}
