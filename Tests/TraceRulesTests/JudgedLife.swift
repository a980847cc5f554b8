// Short lives that all rules judge together, and what they must say of them.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceCatalogue
@testable import TraceRules

/// A life, judged by all rules.
struct JudgedLife: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The rules whose findings are compared; none: all but ``general``.
  let about: Set<String>
  /// Fields in place of those of ``Step/header``, or without a value to leave one out.
  let header: String
  let life: String
  /// What is found, in order of time: severity, rule and reason.
  let findings: [String]
  /// The rules about which the life says too little; of those it is about.
  let unknown: Set<String>
  /// Rules about whole apps rather than events: state preservation, opting out.
  private static let general: Set = ["LC853", "LC862"]

  init(
    _ description: String, about: Set<String> = [], _ header: String, _ life: String,
    _ findings: [String], unknown: Set<String> = []
  ) {
    testDescription = description
    self.about = about
    self.header = header
    self.life = life
    self.findings = findings
    self.unknown = unknown
  }

  /// A header for a system, and an app that was linked against its SDK.
  static func system(_ version: String, _ fields: String = "") -> String {
    "os_version=\(version) sdk_linked=\(version) \(fields)"
  }

  static let ended = """
    +1s     delegate.will_terminate for 10ms
    +20ms   proc.exit code=0 by=uikit_after_will_terminate
    """
  static let task = "+1s     bgtask.begin token=1 has_expiration_handler=true"

  var document: String {
    var fields: [(name: Substring, value: Substring)] = []
    for field in Step.header.split(separator: " ").dropFirst() + header.split(separator: " ") {
      let parts = field.split(separator: "=", maxSplits: 1)
      fields.removeAll { $0.name == parts[0] }
      if parts.count == 2 { fields.append((parts[0], parts[1])) }
    }
    let text = fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    return "timeline 1\nheader \(text)\n\(life)\n"
  }

  /// Whether a rule's findings are compared.
  func isMeant(_ rule: String) -> Bool {
    about.isEmpty ? !Self.general.contains(rule) : about.contains(rule)
  }

  /// The judgement, with its evidence as it was found: to cut that down takes most of the time.
  func judge(_ options: CheckOptions = CheckOptions()) -> Judgement {
    var options = options
    options.minimisesWitnesses = false
    return TraceFixture(document).judge(options)
  }

  /// Whether a judgement says what it must.
  func check(
    _ options: CheckOptions = CheckOptions(), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let judgement = judge(options)
    let found = judgement.findings.filter { isMeant($0.rule) }.map(\.summary)
    #expect(found == findings, sourceLocation: sourceLocation)
    let verdicts = judgement.verdicts.filter { about.contains($0.key) }
    let undecided = Set(verdicts.filter { $0.value.unknown > 0 }.keys)
    #expect(undecided == unknown, sourceLocation: sourceLocation)
    #expect(verdicts.allSatisfy { !$0.value.notEvaluated }, sourceLocation: sourceLocation)
  }
}

extension Finding {
  /// Severity, rule and reason: `error LC001 leaked`.
  var summary: String {
    ["\(severity)", rule, reason].compactMap(\.self).joined(separator: " ")
  }
}

extension CheckOptions {
  /// All rules but these.
  static func without(_ rules: Set<String>) -> CheckOptions {
    var options = CheckOptions()
    options.rules.removeAll { rules.contains($0.id) }
    return options
  }
}
