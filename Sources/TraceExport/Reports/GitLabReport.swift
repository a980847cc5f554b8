// The code quality report of GitLab: one JSON array, each finding with a fingerprint that no other
// one has.

import TraceModel
import TraceRules

extension ReportFormat {
  /// GitLab's code quality JSON.
  public static let gitlab = ReportFormat(name: "gitlab", mediaType: "application/json") {
    GitLabReport($0)
  }
}

struct GitLabReport: ReportWriter {
  var output: [UInt8] = Array("[".utf8)
  private let context: ReportContext
  private var count = 0
  /// How many findings of a capture had a fingerprint.
  private var ordinals: [String: Int] = [:]

  /// Findings of one report: more make a merge request's page unusable.
  static let findingsMax = 25_000

  init(_ context: ReportContext) { self.context = context }

  mutating func capture(_ capture: JudgedCapture) {
    if capture.copyOf != nil { return }
    ordinals.removeAll(keepingCapacity: true)
    if let failure = capture.failure {
      element(
        rule: "unreadable-capture", "critical", failure.message, fingerprint: "unreadable",
        at: SourcePlace(path: capture.path, line: 1))
    }
    for trace in capture.traces {
      for finding in trace.findings {
        let level =
          switch finding.severity {
          case .error: "critical"
          case .warning: "major"
          case .note: "info"
          }
        element(
          rule: finding.rule, level,
          "\(FindingText.sentence(finding)); \(FindingText.place(of: finding))",
          fingerprint: finding.fingerprint, at: FindingText.place(of: finding, in: capture))
      }
    }
  }

  mutating func end(elapsedNanoseconds: Int64) { output.append(contentsOf: "\n]\n".utf8) }

  private mutating func element(
    rule: String, _ severity: String, _ description: String, fingerprint: String,
    at place: SourcePlace
  ) {
    guard count < Self.findingsMax else { return }
    let path = context.paths.fromRoot(place.path)
    let ordinal = ordinals[fingerprint, default: 0]
    ordinals[fingerprint] = ordinal + 1
    var json = JSONBuilder()
    json.beginObject()
    json.key("description")
    json.string(PrintableText.printable(description))
    json.key("check_name")
    json.string(PrintableText.printable(rule))
    json.key("fingerprint")
    json.string(
      "\(PrintableText.printable(fingerprint))-\(Self.digits(of: path))-\(ordinal)")
    json.key("severity")
    json.string(severity)
    json.key("location")
    json.beginObject()
    json.key("path")
    json.string(PrintableText.printable(path, scalarsMax: 4_096))
    json.key("lines")
    json.beginObject()
    json.key("begin")
    json.integer(place.line)
    json.endObject()
    json.endObject()
    json.endObject()
    output.append(contentsOf: (count > 0 ? ",\n" : "\n").utf8)
    output.append(contentsOf: json.bytes)
    count += 1
  }

  /// A hash of a path as 16 hexadecimal digits.
  private static func digits(of path: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
