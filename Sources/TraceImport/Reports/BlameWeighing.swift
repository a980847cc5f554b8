// Who is to blame for a kill by the watchdog: the app, or a device that gave it no time to run.
// This file must not know how reports look.

import TraceModel

extension Blame {
  /// Weighs a record; nil if it is no watchdog's kill or its numbers don't tell.
  init?(_ record: ExitRecord) {
    guard record.weighedCause == "watchdog" else { return nil }
    self.init(
      appSeconds: record.appCpuSeconds, of: record.elapsedSeconds ?? record.allowanceSeconds,
      totalPercent: record.totalCpuPercent,
      isHot: Self.isHot(record.thermalState, level: record.thermalLevel.map { Double($0) }))
  }
}

extension ExitRecord {
  /// One sentence about the end: what happened, the code, and what the numbers say.
  var sentence: String {
    let described = code.flatMap(TerminationCode.description)
    let hasCrashed =
      cause == "crash" && described == nil
      && namespace.flatMap(TerminationNamespace.fault) == nil
    var text = hasCrashed ? "the app crashed" : "the system ended the app: \(meaning(described))"
    if let code {
      let parts = [namespace, TerminationCode.hexadecimal(code)].compactMap { $0 }
      text += " (\(parts.joined(separator: " ")))"
    } else if let signal {
      text += " (signal \(signal))"
    } else if let namespace {
      text += " (\(namespace))"
    }
    if weighedCause == "watchdog" { text += watchdogSentence }
    let rules = judgingRules(described)
    let more = "a trace shows more: \(rules.joined(separator: ", "))"
    if let described, !described.isLifecycle {
      // Such an end needs no fault, and yet a fault may have led to it.
      guard !rules.isEmpty else {
        return text + "; this says nothing of how the app follows the life cycle"
      }
      return text + "; this alone says nothing of how the app follows the life cycle, but \(more)"
    }
    if isMetalRefusal {
      text += "; the system had refused its Metal work as done in the background"
    } else if cause == "crash" {
      text += "; a crash is no violation of the life cycle"
    }
    return rules.isEmpty ? text : text + "; \(more)"
  }

  private func meaning(_ described: TerminationCode.Description?) -> String {
    if let contradiction {
      return "why is not known; its code mostly stands for a background task that was not ended in"
        + " time, but \(contradiction)"
    }
    if isWordlessExpiry { return "most likely a background task was not ended in time" }
    if cause == "bgtask_expired" { return "a background task was not ended in time" }
    if let described { return described.meaning }
    if let fault = namespace.flatMap(TerminationNamespace.fault) { return fault }
    switch cause {
    case "jetsam": return isOfOwnMemory ? "it used too much memory" : "its memory was needed"
    case "cpu_limit": return "it used too much processor time"
    case "gpu_in_background": return "it drew with OpenGL ES in the background"
    case "watchdog": return "it did not answer the system in time"
    default: return "why is not known"
    }
  }

  /// Whether the system's words blame the memory of the app itself.
  private var isOfOwnMemory: Bool {
    if namespace == "JETSAM", code == TerminationCode.perProcessLimit { return true }
    let words = ["per-process-limit", "mem limit", "due to memory issue"]
    return words.contains { explanation?.contains($0) == true }
  }

  private var watchdogSentence: String {
    var parts: [String] = []
    if let watchdogEvent { parts.append("\(watchdogEvent) was too slow") }
    if let elapsedSeconds { parts.append("it took \(Self.text(elapsedSeconds)) s") }
    let isProcessorAllowance = explanation?.contains(Blame.processorAllowanceWords) == true
    if let allowanceSeconds {
      let allowed = Self.text(allowanceSeconds)
      parts.append(
        isProcessorAllowance
          ? "it used up the \(allowed) s of processor time that were allowed"
          : "\(allowed) s were allowed")
    }
    if let appCpuSeconds, !isProcessorAllowance || appCpuSeconds != allowanceSeconds {
      var part = "the app used \(Self.text(appCpuSeconds)) s of processor time"
      if let totalCpuSeconds { part += " of \(Self.text(totalCpuSeconds)) s in all" }
      parts.append(part)
    }
    if let blame = Blame(self) {
      parts.append("\(blame.meaning) (certainty of blame: \(blame.certainty))")
    }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
  }

  private func judgingRules(_ described: TerminationCode.Description?) -> [String] {
    if contradiction != nil { return [] }
    if isMetalRefusal { return ["LM09"] }
    if weighedCause == "bgtask_expired" { return ["LC001", "LC102", "LC105"] }
    if cause == "cpu_limit", code == nil { return ["LC207"] }
    if cause == "gpu_in_background" { return ["LC004", "LC401"] }
    if cause == "watchdog", code == nil || code == TerminationCode.watchdog {
      switch watchdogEvent {
      case "process-launch", "scene-create": return ["LC301", "LM14"]
      case "scene-update", "resume", "suspend": return ["LC003", "LM14"]
      case "process-exit": return ["LC306"]
      default: break
      }
    }
    return described?.rules ?? []
  }

  static func text(_ seconds: Double) -> String { Blame.text(seconds: seconds) }
}
