// What the server remembers of a capture: enough for its pages and its metrics, so that nothing is
// read again until it changes.

import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceRules

/// One capture file as it was when it was checked.
struct CaptureRecord: Codable, Sendable {
  /// The path below the directory that is served.
  var path: String
  var version: FileVersion
  /// The format's name; empty if it wasn't recognised.
  var format: String
  /// Why nothing could be read; nil if something was.
  var failure: String?
  /// Whether it is no capture, which nobody needs to hear of.
  var isPassedOver = false
  var isDamaged = false
  /// Problems that the file had.
  var problemCount = 0
  var traces: [TraceRecord]
  /// How the file began; nil if that couldn't be read.
  var beginning: FileBeginning?
  /// The terms on which it was checked; empty if what it counts for isn't known any more.
  var terms = ""
  /// Whether it is taken to have ended, so that the outcomes of its traces are counted.
  var isSettled = true
  /// What the file held when it could still be read; nil as long as it can be.
  var lastRead: CaptureTrack?
  /// Under which name it is counted as unreadable, if that isn't said by its path alone.
  var unreadableName: String?
}

extension CaptureRecord {
  /// Under which name a capture is counted of which nothing can be read.
  var unreadableKey: String { unreadableName ?? "unreadable \(path)" }

  /// Whether nothing in it can be read.
  var isUnreadable: Bool {
    failure != nil || !traces.isEmpty && traces.allSatisfy { $0.eventCount == 0 }
  }

  /// Whether it is counted as unreadable itself, and not for its traces.
  var isListedUnreadable: Bool { failure != nil && !isPassedOver }

  /// Whether not even how it begins could be read.
  var isClosed: Bool { failure != nil && beginning == nil }

  /// Whether everything that it counts for is kept: not if the server was killed before that.
  var isCounted: Bool { !terms.isEmpty }

  /// All names under which it is counted.
  var keys: [String] {
    if isPassedOver { return [] }
    return (isListedUnreadable ? [unreadableKey] : []) + traces.map(\.key)
  }

  /// The names of traces that are counted under other ones than their ids.
  var formerKeys: [String] {
    traces.compactMap { $0.traceID == $0.key || $0.isNameless ? nil : $0.key }
  }
}

/// One trace of a capture.
struct TraceRecord: Codable, Sendable {
  var traceID: String
  /// Under which name it is counted: readings of a file that grows are one trace.
  var key: String
  var app: String
  var appVersion: String
  var osVersion: String
  var deviceModel: String
  var profile: String
  var eventCount: Int
  var launchCount: Int
  var durationNanoseconds: Int64
  var completeness: String
  var findings: [FindingRecord]
  /// Findings that were counted and not kept.
  var findingsOmittedCount: Int
  var errorCount: Int
  var warningCount: Int
  var noteCount: Int
  /// Whether it became what it is by growing, and was counted under another id before.
  var hasGrown: Bool?

  /// Findings kept of one trace: a page with more isn't read, and memory stays bounded.
  static let findingsMax = 200
}

extension TraceRecord {
  /// Findings that count, also those that aren't kept.
  var findingCount: Int { errorCount + warningCount + noteCount }

  /// Whether nothing tells it from others: its id was to be made of its events, and it has none.
  var isNameless: Bool {
    eventCount == 0 && traceID.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
  }

  var outcome: TraceOutcome { TraceOutcome(findingCount: findingCount, eventCount: eventCount) }

  /// Bytes of a trace's id that a link can hold when each is escaped.
  private static let linkBytesMax = 200

  /// What links call the trace: its id, unless that can't be part of a request.
  var link: String {
    let isPlain =
      traceID.utf8.count <= Self.linkBytesMax
      && !traceID.unicodeScalars.contains(where: PrintableText.isHarmful)
    return isPlain ? traceID : "~" + StateDigest.text(of: traceID.utf8)
  }
}

/// One finding, as pages show it.
struct FindingRecord: Codable, Sendable {
  var rule: String
  var slug: String
  var severity: String
  var message: String
  var timeNanoseconds: Int64
  var launch: Int
  var count: Int
  var confidence: String
  var fingerprint: String
}

extension CaptureRecord {
  /// What is kept of a capture that was just checked.
  ///
  /// - Parameter nowNanoseconds: The time since 1970.
  init(
    _ capture: JudgedCapture, path: String, version: FileVersion, beginning: FileBeginning?,
    terms: String, nowNanoseconds: Int64
  ) {
    let age = nowNanoseconds.subtractingReportingOverflow(version.modifiedNanoseconds).partialValue
    let hasEnded =
      capture.failure == nil && !capture.traces.isEmpty
      && capture.traces.allSatisfy { $0.completeness == .complete }
    self.init(
      path: path, version: version, format: capture.format,
      failure: capture.failure.map { $0.message + ($0.advice.isEmpty ? "" : "; " + $0.advice) },
      isDamaged: capture.isDamaged,
      problemCount: capture.problems.count + capture.problemsOmittedCount,
      traces: capture.traces.map(TraceRecord.init), beginning: beginning, terms: terms,
      isSettled: hasEnded || age >= CaptureShelf.settlingNanoseconds)
    isPassedOver = capture.isPassedOver
    if isPassedOver { isSettled = true }
  }
}

extension TraceRecord {
  init(_ judgement: Judgement) {
    let header = judgement.header
    self.init(
      traceID: judgement.traceID, key: judgement.traceID,
      app: header.string(.appBundleID) ?? "", appVersion: header.string(.appVersion) ?? "",
      osVersion: header.string(.osVersion) ?? "", deviceModel: header.string(.deviceModel) ?? "",
      profile: judgement.profile, eventCount: judgement.eventCount,
      launchCount: judgement.launchCount,
      durationNanoseconds: judgement.lastNanoseconds.subtractingReportingOverflow(
        judgement.firstNanoseconds
      ).partialValue,
      completeness: judgement.completeness.rawValue,
      findings: judgement.findings.prefix(Self.findingsMax).map(FindingRecord.init),
      findingsOmittedCount: max(0, judgement.findings.count - Self.findingsMax),
      errorCount: judgement.findings.count { $0.severity == .error },
      warningCount: judgement.findings.count { $0.severity == .warning },
      noteCount: judgement.findings.count { $0.severity == .note })
  }
}

extension FindingRecord {
  init(_ finding: Finding) {
    self.init(
      rule: finding.rule, slug: finding.slug, severity: finding.severity.rawValue,
      message: finding.message, timeNanoseconds: finding.timeNanoseconds, launch: finding.launch,
      count: finding.count, confidence: finding.confidence.rawValue,
      fingerprint: finding.fingerprint)
  }
}
