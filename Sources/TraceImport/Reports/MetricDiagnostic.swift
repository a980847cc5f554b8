// One diagnostic of MetricKit: a crash, a hang, or too much of something. This file must not know
// how a payload is laid out.

import TraceModel
import TraceNotation

/// What a diagnostic says beside its stacks.
struct MetricDiagnostic: Sendable {
  enum Kind: Sendable {
    case crash, hang, processor, diskWrites, launch
    /// Told by its values only.
    case other

    init?(payloadKey key: String) {
      switch key {
      case "crashDiagnostics": self = .crash
      case "hangDiagnostics": self = .hang
      case "cpuExceptionDiagnostics": self = .processor
      case "diskWriteExceptionDiagnostics": self = .diskWrites
      case "appLaunchDiagnostics": self = .launch
      default: return nil
      }
    }
  }

  private(set) var kind: Kind
  var line: UInt32 = 1
  private(set) var subject = ReportSubject()
  private var region: String?
  private var reason: [UInt8] = []
  private var exceptionWords: [UInt8] = []
  private var signal: Int64?
  private var exception: Int64?
  private var hang: String?
  private var processorTime: String?
  private var sampledTime: String?
  private var writes: String?
  private var launch: String?

  init(kind: Kind) { self.kind = kind }

  mutating func readMetaData(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      switch text.text(key.range) {
      case "appVersion": subject.version = try parser.name(in: text)
      case "osVersion": subject.system = try parser.name(in: text)
      case "deviceType": subject.device = try parser.name(in: text)
      case "bundleIdentifier": subject.bundle = try parser.name(in: text)
      case "pid": subject.pid = try parser.integer(in: text)
      case "regionFormat": region = try parser.name(in: text)
      case "terminationReason": reason = try parser.textBytes(in: text) ?? []
      case "exceptionReason", "objectiveCexceptionReason":
        try takeExceptionWords(&parser, in: text)
      case "signal": signal = try parser.integer(in: text)
      case "exceptionType": exception = try parser.integer(in: text)
      case "hangDuration": hang = try parser.name(in: text)
      case "totalCPUTime": processorTime = try parser.name(in: text)
      case "totalSampledTime": sampledTime = try parser.name(in: text)
      case "writesCaused": writes = try parser.name(in: text)
      case "launchDuration": launch = try parser.name(in: text)
      default: try parser.passValue(in: text)
      }
    }
  }

  /// The message of an exception that nobody caught, alone or among the parts it is made of.
  private mutating func takeExceptionWords(
    _ parser: inout JSONPullParser, in text: Span<UInt8>
  ) throws(JSONError) {
    if parser.peek(in: text) == Byte.quote {
      exceptionWords = try parser.textBytes(in: text) ?? []
      return
    }
    guard try parser.entersObject(in: text) else { return }
    while let key = try parser.nextKey(in: text) {
      if key.equals("composedMessage", in: text) {
        exceptionWords = try parser.textBytes(in: text) ?? []
      } else {
        try parser.passValue(in: text)
      }
    }
  }

  /// Finds the kind of a diagnostic that stands alone.
  mutating func concludeKind() {
    if hang != nil {
      kind = .hang
    } else if processorTime != nil {
      kind = .processor
    } else if writes != nil {
      kind = .diskWrites
    } else if launch != nil {
      kind = .launch
    } else if signal != nil || exception != nil || !reason.isEmpty {
      kind = .crash
    }
  }

  /// The end of a process that a crash is.
  var report: CrashReport {
    var report = CrashReport()
    report.subject = subject
    report.line = line
    report.firstLine = line
    report.exit.signal = signal
    if !reason.isEmpty { TerminationReason.read(reason.span, into: &report.exit) }
    if let name = exception.flatMap(Self.exceptionName) { report.exceptionType = name }
    report.takeLastWords(exceptionWords.span)
    report.conclude()
    return report
  }

  /// Mach's exceptions by their numbers.
  private static func exceptionName(_ number: Int64) -> String? {
    switch number {
    case 1: "EXC_BAD_ACCESS"
    case 2: "EXC_BAD_INSTRUCTION"
    case 3: "EXC_ARITHMETIC"
    case 6: "EXC_BREAKPOINT"
    case 10: "EXC_CRASH"
    case 11: "EXC_RESOURCE"
    case 12: "EXC_GUARD"
    default: nil
    }
  }

  /// One sentence about what isn't an end of a process.
  func sentence(region: String?) -> String {
    let region = self.region ?? region
    switch kind {
    case .hang:
      return "hang of \(Self.text(hang, region)): the main thread did not answer the user"
    case .processor:
      return "\(Self.text(processorTime, region)) of processor time"
        + " in \(Self.text(sampledTime, region)): more than the system tolerates"
    case .diskWrites:
      return "\(Self.text(writes, region)) written: more than the system tolerates"
    case .launch: return "launch took \(Self.text(launch, region))"
    case .crash, .other: return "a diagnostic that says nothing of the process"
    }
  }

  /// `20 s` for `20 secs.`; what can't be read stays as it is.
  private static func text(_ printed: String?, _ region: String?) -> String {
    guard let printed else { return "an unknown amount" }
    guard let quantity = LocalisedQuantity(printed, region: region) else { return printed }
    switch quantity.dimension {
    case .seconds: return "\(ExitRecord.text(quantity.value)) s"
    case .bytes: return "\(ExitRecord.text(quantity.value)) bytes"
    case .unknown: return printed
    }
  }
}
