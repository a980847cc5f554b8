// The captures for programs: what the pages show, as JSON.

import Foundation
import TraceExport
import TraceModel

/// The answer of `/api/traces`.
private struct TracesAnswer: Encodable {
  var schemaVersion = 1
  var captures: [CaptureAnswer]

  enum CodingKeys: String, CodingKey {
    case schemaVersion = "schema_version"
    case captures
  }
}

private struct CaptureAnswer: Encodable {
  var path: String
  var format: String
  var failure: String?
  var damaged: Bool
  var problems: Int
  var traces: [TraceAnswer]

  init(_ record: CaptureRecord) {
    path = record.path
    format = record.format
    failure = record.failure
    damaged = record.isDamaged
    problems = record.problemCount
    traces = record.traces.map { TraceAnswer($0, listsFindings: false) }
  }
}

private struct TraceAnswer: Encodable {
  struct FindingAnswer: Encodable {
    var rule: String
    var slug: String
    var severity: String
    var message: String
    var timeNanoseconds: Int64
    var launch: Int
    var count: Int
    var confidence: String
    var fingerprint: String

    enum CodingKeys: String, CodingKey {
      case rule, slug, severity, message, launch, count, confidence, fingerprint
      case timeNanoseconds = "time_ns"
    }
  }

  var traceID: String
  var app: String
  var appVersion: String
  var osVersion: String
  var deviceModel: String
  var profile: String
  var events: Int
  var launches: Int
  var durationNanoseconds: Int64
  var completeness: String
  var errors: Int
  var warnings: Int
  var notes: Int
  var findings: [FindingAnswer]?
  var findingsOmitted: Int?
  var timeline: String

  enum CodingKeys: String, CodingKey {
    case app, profile, events, launches, completeness, errors, warnings, notes, findings, timeline
    case traceID = "trace_id"
    case appVersion = "app_version"
    case osVersion = "os_version"
    case deviceModel = "device_model"
    case durationNanoseconds = "duration_ns"
    case findingsOmitted = "findings_omitted"
  }

  init(_ trace: TraceRecord, listsFindings: Bool) {
    traceID = trace.traceID
    app = trace.app
    appVersion = trace.appVersion
    osVersion = trace.osVersion
    deviceModel = trace.deviceModel
    profile = trace.profile
    events = trace.eventCount
    launches = trace.launchCount
    durationNanoseconds = trace.durationNanoseconds
    completeness = trace.completeness
    errors = trace.errorCount
    warnings = trace.warningCount
    notes = trace.noteCount
    timeline = "/timeline/" + trace.link.asURLPart
    guard listsFindings else { return }
    findingsOmitted = trace.findingsOmittedCount
    findings = trace.findings.map {
      FindingAnswer(
        rule: $0.rule, slug: $0.slug, severity: $0.severity, message: $0.message,
        timeNanoseconds: $0.timeNanoseconds, launch: $0.launch, count: $0.count,
        confidence: $0.confidence, fingerprint: $0.fingerprint)
    }
  }
}

enum CaptureAPI {
  /// All captures, sorted by path.
  static func captures(_ records: [CaptureRecord]) -> HTTPResponse {
    json(
      TracesAnswer(captures: records.sorted { $0.path < $1.path }.map(CaptureAnswer.init)))
  }

  /// One trace with its findings.
  static func trace(_ trace: TraceRecord) -> HTTPResponse {
    json(TraceAnswer(trace, listsFindings: true))
  }

  private static func json(_ value: some Encodable) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      // The encoder lets through what turns or hides the text of a terminal.
      var body: [UInt8] = []
      PrintableText.appendEscaped(Array(try encoder.encode(value)), to: &body)
      body.append(UInt8(ascii: "\n"))
      return HTTPResponse(mediaType: "application/json", body: Data(body))
    } catch {
      return HTTPResponse(.internalError, text: "the answer can't be written as JSON\n")
    }
  }
}
