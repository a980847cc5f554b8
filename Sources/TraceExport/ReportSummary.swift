// The sums at the end of a report. This file must not know how a report looks.

public import TraceRules

/// How much was checked and found.
public struct ReportSummary: Hashable, Sendable {
  public var traces = 0
  public var events = 0
  public var errors = 0
  public var warnings = 0
  public var notes = 0
  /// Verdicts that couldn't be decided.
  public var unknown = 0
  /// Inputs of which nothing could be read.
  public var unreadable = 0
  /// Of these, directories and lists in which there was nothing to be read.
  public var captureless = 0
  /// Inputs of which a part was skipped as wrong.
  public var damaged = 0
  /// Inputs that hold the same trace as another.
  public var copies = 0
  /// Findings that don't count, as somebody said.
  public var suppressed = 0
  /// Problems of inputs that were counted and not kept.
  public var problemsOmitted = 0

  /// Findings that a baseline knows: they are counted here and nowhere else.
  public var known = 0

  public init() {}

  public var findings: Int { errors + warnings + notes }

  public mutating func add(_ capture: JudgedCapture) {
    if capture.copyOf != nil {
      copies += 1
      return
    }
    problemsOmitted += capture.problemsOmittedCount
    if capture.failure != nil { unreadable += 1 } else if capture.isDamaged { damaged += 1 }
    if capture.failure?.kind == .captureless { captureless += 1 }
    for trace in capture.traces {
      if !capture.isGate { traces += 1 }
      events += trace.eventCount
      for finding in trace.findings {
        if finding.baseline == .unchanged { known += 1 } else { add(finding.severity) }
      }
      suppressed += trace.suppressed.count
      for counts in trace.verdicts.values { unknown += counts.unknown }
    }
  }

  public mutating func add(_ severity: Severity) {
    switch severity {
    case .error: errors += 1
    case .warning: warnings += 1
    case .note: notes += 1
    }
  }
}
