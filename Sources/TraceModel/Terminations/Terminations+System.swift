// Ends for what the app held, used or called, for the state of the device, and by the user.

extension Terminations {
  private static let exceptionTypes =
    "Apple, Understanding the exception types in a crash report"

  /// Kills for what was held at a suspension, and for calls that were not reported.
  static let locksAndCalls: [Termination] = [
    Termination(
      "file-lock", cause: "file_lock", isOfCause: true, codes: [0xdead_10cc],
      namespaces: ["SPRINGBOARD", "ASSERTIOND", "RUNNINGBOARD"],
      words: ["with locked system files", "holding a shared file lock", "holding a file lock"],
      counters: ["suspendedwithlockedfile", "filelock"],
      meaning: "held a lock on a file or a database while it was suspended",
      proves: "A lock that others may wait for was held when the app was suspended.",
      leavesOpen: "Which file, where the words name none.",
      releases: "iOS 4 and later", source: exceptionTypes),
    Termination(
      "shared-resource", cause: "shared_resource", isOfCause: true,
      meaning: "held a shared resource while it was suspended",
      proves: "A shared database of the system was in use when the app was suspended.",
      leavesOpen: "Which one.", releases: "iOS 4 to 8",
      source: "Apple, App Programming Guide for iOS, App States and Multitasking"),
    Termination(
      "voip-call", cause: "watchdog", codes: [0xbaad_ca11], counters: ["appwatchdog"],
      meaning: "did not report a VoIP push as a call",
      proves: "A push through PushKit was not followed by a call in CallKit.",
      releases: "iOS 13 and later", source: "Apple's engineers in the developer forums"),
    Termination(
      "voip-wakes", cause: "watchdog", codes: [0xbad2_2222], counters: ["appwatchdog"],
      meaning: "was resumed for calls too often",
      proves: "A VoIP app was resumed more often than the system tolerates.",
      releases: "iOS 4 and later", source: exceptionTypes),
  ]

  /// Kills for drawing where nothing may be drawn.
  static let graphics: [Termination] = [
    Termination(
      "gpu-in-background", cause: "gpu_in_background", isOfCause: true,
      words: ["gpus_ReturnNotPermittedKillClient"], counters: ["gpuinbackground"],
      meaning: "drew with OpenGL ES in the background",
      proves: "A command of OpenGL ES reached the graphics processor from the background.",
      leavesOpen: "Which call, where no frame names it.", releases: "iOS 4 and later",
      source: "Apple, Technical Q&A QA1766"),
    Termination(
      "metal-refusal", cause: "crash",
      words: [
        "Insufficient Permission (to submit GPU work from background)",
        "kIOGPUCommandBufferCallbackErrorBackgroundExecutionNotPermitted",
      ],
      meaning: "crashed when its Metal work in the background was refused",
      proves: "Work for the graphics processor was committed in the background.",
      leavesOpen: "Which command buffer.", releases: "iOS 8 and later",
      source: "reports of crashes"),
    Termination(
      "locked-drawing", cause: nil, codes: [0x2bad_45ec],
      meaning: "drew what is not allowed while the device was locked",
      proves: "The system saw a breach of its security while the device was locked.",
      leavesOpen: "What was drawn.", provesFault: false, isNamed: false,
      releases: "iOS 8 and later", source: exceptionTypes,
      withoutRule: "No source says what an app must do to keep to it."),
  ]

  /// Kills for what was used too much of.
  static let resources: [Termination] = [
    Termination(
      "cpu-limit", cause: "cpu_limit", isOfCause: true, namespaces: ["EXC_RESOURCE"],
      words: ["exceeding limit of 80% cpu over 60 seconds", "RESOURCE_TYPE_CPU"],
      counters: ["cpuresourcelimit", "highcpu", "cpulimit"],
      meaning: "used too much processor time",
      proves: "The app used more processor time than the system allows over a stretch of time.",
      leavesOpen: "Where the app was, unless the record says so.",
      releases: "iOS 7 and later", source: "reports of EXC_RESOURCE"),
    Termination(
      "wakeups", cause: nil, words: ["RESOURCE_TYPE_WAKEUPS", "EXC_RESOURCE WAKEUPS"],
      meaning: "woke the processor too often",
      proves: "Threads of the app woke up more often in a second than the system allows.",
      provesFault: false, releases: "iOS 7 and later", source: "XNU, kern/exc_resource.h",
      withoutRule: "No source of the rules speaks of wake-ups of threads."),
    Termination(
      "disk-writes", cause: nil, words: ["RESOURCE_TYPE_IO", "EXC_RESOURCE IO"],
      meaning: "wrote too much to the disk",
      proves: "The app wrote more in a day than the system allows.",
      provesFault: false, releases: "iOS 13 and later", source: "XNU, kern/exc_resource.h",
      withoutRule: "No source of the rules speaks of how much may be written."),
    Termination(
      "threads", cause: nil, words: ["RESOURCE_TYPE_THREADS", "EXC_RESOURCE THREADS"],
      meaning: "made too many threads",
      proves: "The app had more threads than the system allows.",
      provesFault: false, releases: "iOS 13 and later", source: "XNU, kern/exc_resource.h",
      withoutRule: "No source of the rules speaks of how many threads an app may have."),
    Termination(
      "mach-ports", cause: "crash", namespaces: ["PORT_SPACE"], words: ["RESOURCE_TYPE_PORTS"],
      meaning: "had too many Mach ports open",
      proves: "The table of the process's ports was full.",
      provesFault: false, releases: "iOS 14 and later", source: "XNU, kern/exc_resource.h",
      withoutRule: "A fault of the program that has nothing to do with the life cycle."),
  ]

  /// Ends for the state of the device, by the user, and in good order.
  static let system: [Termination] = [
    Termination(
      "thermal", cause: "thermal", isOfCause: true, codes: [0xc000_10ff],
      meaning: "had to stop because the device was too hot",
      proves: "The device was too hot to go on.",
      leavesOpen: "Whether the app had its share in the heat.", provesFault: false,
      releases: "iOS 4 and later", source: exceptionTypes),
    Termination(
      "disk-space", cause: "disk_space", isOfCause: true, codes: [0xbadd_d15c],
      meaning: "had to stop while its caches were deleted to free space",
      proves: "The device had too little space left.", provesFault: false,
      releases: "iOS 5 and later", source: exceptionTypes,
      withoutRule: "The system may do so at any time, whatever the app does."),
    Termination(
      "force-quit", cause: "user_force_quit", isOfCause: true, codes: [0xdead_fa11],
      meaning: "was forced to quit by the user",
      proves: "The user ended the app.",
      leavesOpen: "Why: an app that hangs or keeps the device awake is one reason.",
      provesFault: false, releases: "iOS 4 and later", source: exceptionTypes),
    Termination(
      "stackshot", cause: nil, codes: [0xbaaa_aaad],
      meaning: "was in a snapshot of all processes, and did not end",
      proves: "Someone took a snapshot of the system.", provesFault: false,
      releases: "iOS 5 and later", source: exceptionTypes, withoutRule: "Nothing ended."),
    Termination(
      "exit", cause: "exit", isOfCause: true, counters: ["normalapp", "normal"],
      meaning: "ended in good order",
      proves: "The process came to its end without a fault.", provesFault: false,
      releases: "iOS 14 and later", source: "Apple, MetricKit, MXBackgroundExitData",
      withoutRule: "Such an end is as it should be."),
  ]
}
