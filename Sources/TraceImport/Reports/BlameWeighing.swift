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
  /// The remark that tells of the end.
  var remark: CaptureRemark {
    CaptureRemark(
      id: "capture", message: sentence, end: RemarkedEnd(termination: meaning?.id))
  }

  /// One sentence about the end: what happened, the code, and what the numbers say.
  var sentence: String {
    let known = meaning
    let hasCrashed = known?.id == "crash" || known?.id == "metal-refusal"
    var text = hasCrashed ? "the app crashed" : "the system ended the app: \(words(known))"
    if let code {
      let parts = [namespace, Terminations.hexadecimal(code)].compactMap { $0 }
      text += " (\(parts.joined(separator: " ")))"
    } else if let signal {
      text += " (signal \(signal))"
    } else if let namespace {
      text += " (\(namespace))"
    }
    if weighedCause == "watchdog" { text += watchdogSentence }
    if isMetalRefusal {
      text += "; the system had refused its Metal work as done in the background"
    } else if known?.cause == "crash" {
      text += "; a crash is no violation of the life cycle"
    } else if let known, !known.provesFault {
      // Such an end needs no fault, and yet a fault may have led to it.
      let alone = known.withoutRule == nil ? " alone" : ""
      text += "; this\(alone) says nothing of how the app follows the life cycle"
    }
    return text
  }

  private func words(_ known: Termination?) -> String {
    if let contradiction {
      return "why is not known; its code mostly stands for a background task that was not ended in"
        + " time, but \(contradiction)"
    }
    if isWordlessExpiry { return "most likely a background task was not ended in time" }
    return known.map { "it \($0.meaning)" } ?? "why is not known"
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

  static func text(_ seconds: Double) -> String { Blame.text(seconds: seconds) }
}
