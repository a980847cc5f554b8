// Why a process was ended: codes, and the texts of RunningBoard about an exit.
// This file must not know in which line or report such a text stands.

/// Codes of terminations (Apple, "Understanding the exception types in a crash report", and crash
/// reports).
enum TerminationCode {
  static let watchdog: Int64 = 0x8bad_f00d
  static let fileLock: Int64 = 0xdead_10cc

  /// The cause that stands for a code; nil for codes that say nothing.
  static func cause(_ code: Int64) -> String? {
    switch code {
    case watchdog, 0x2182_bad3, 0x2182_bad4, 0xbaad_ca11, 0xbad2_2222, 0xc51b_ad02, 0xc51b_ad03:
      "watchdog"
    case 0x2182_bad2: "bgtask_expired"
    case fileLock: "file_lock"
    case 0xc000_10ff: "thermal"
    case 0xbadd_d15c: "disk_space"
    case 0xc51b_ad01: "cpu_limit"
    case 0xdead_fa11: "user_force_quit"
    default: nil
    }
  }
}

/// `domain:10 code:0x8BADF00D explanation:…` and `domain:signal(2) code:SIGSEGV(11)`.
enum TerminationText {
  private static let domain = bytes("domain:")
  private static let code = bytes("code:")
  private static let voluntary = bytes("voluntary")
  private static let explanation = bytes("explanation:")
  private static let visibility = bytes("ProcessVisibility: ")
  private static let allowance = bytes("allowance of ")
  private static let gracefully = bytes("gracefully after ")
  private static let applicationCpu = bytes("Elapsed application CPU time (seconds): ")
  private static let thermalState = bytes("Thermal State: ")
  private static let pastLimit = bytes("active assertions beyond permitted time")
  private static let explanationEnds = [
    bytes(" ProcessVisibility:"), bytes(" reportType:"), bytes(" maxTerminationResistance:"),
  ]
  /// Signals by which a process dies of its own fault.
  private static let crashSignals: Set<Int64> = [4, 5, 6, 7, 8, 10, 11, 12]

  /// Fills a record from the text behind an offset.
  static func read(_ text: Span<UInt8>, from start: Int, into record: inout ExitRecord) {
    guard let domainPlace = text.find(domain, from: start) else {
      if text.find(voluntary, from: start) != nil { record.isKill = false }
      return
    }
    let domain = number(text, from: domainPlace + Self.domain.count)
    record.namespace = domain.flatMap(namespaceName)
    let codePlace = text.find(code, from: domainPlace)
    let code = codePlace.flatMap { number(text, from: $0 + Self.code.count) }
    switch domain {
    case 1: record.cause = "jetsam"
    case 2:
      record.signal = code
      if let code, crashSignals.contains(code) { record.cause = "crash" }
    default:
      record.code = code
      record.cause = code.flatMap(TerminationCode.cause) ?? "unknown"
    }
    if text.find(pastLimit, from: start) != nil { record.cause = "bgtask_expired" }
    readExplanation(text, from: start, into: &record)
  }

  private static func readExplanation(
    _ text: Span<UInt8>, from start: Int, into record: inout ExitRecord
  ) {
    if let place = text.find(explanation, from: start) {
      let first = place + explanation.count
      var end = Swift.min(text.count, first + ImportLimits.nameBytesMax)
      for mark in explanationEnds {
        if let place = text.find(mark, from: first) { end = Swift.min(end, place) }
      }
      record.explanation = text.text(first..<Swift.max(first, end))
    }
    if let place = text.find(visibility, from: start) {
      record.visibility = word(
        text, from: place + visibility.count, among: ["foreground", "background", "unknown"])
    }
    if let place = text.find(thermalState, from: start) {
      record.thermalState = word(
        text, from: place + thermalState.count, among: ["nominal", "fair", "serious", "critical"])
    }
    if let place = text.find(allowance, from: start) {
      record.allowanceSeconds = decimalNumber(text, from: place + allowance.count)
    } else if let place = text.find(gracefully, from: start) {
      record.allowanceSeconds = decimalNumber(text, from: place + gracefully.count)
    }
    if let place = text.find(applicationCpu, from: start) {
      record.appCpuSeconds = decimalNumber(text, from: place + applicationCpu.count)
    }
  }

  /// The three numbers of launchd: domain, code, wait status.
  static func readLaunchdStatus(
    _ text: Span<UInt8>, from start: Int, into record: inout ExitRecord
  ) -> Bool {
    var offset = start
    guard let domain = text.decimal(at: &offset), text.take(44, at: &offset) else { return false }
    text.skip(Byte.space, at: &offset)
    guard let code = text.decimal(at: &offset), let code = Int64(exactly: code),
      text.take(44, at: &offset)
    else { return false }
    text.skip(Byte.space, at: &offset)
    guard let status = text.decimal(at: &offset) else { return false }
    if domain == 2 {
      record.signal = code
      if crashSignals.contains(code) { record.cause = "crash" }
    } else {
      // The wait status of an exit holds the exit code in its second byte.
      record.isKill = false
      record.exitCode = Int64(status >> 8 & 0xff)
    }
    return true
  }

  /// `0x8BADF00D`, `10`, `signal(2)` or `SIGSEGV(11)`.
  private static func number(_ text: Span<UInt8>, from start: Int) -> Int64? {
    var offset = start
    if text.take(48, at: &offset), text.take(120, at: &offset) {
      return text.hexadecimal(at: &offset).flatMap { Int64(exactly: $0) }
    }
    offset = start
    if let value = text.decimal(at: &offset) { return Int64(exactly: value) }
    guard let bracket = text.first(Byte.openParenthesis, from: start, to: start + 32) else {
      return nil
    }
    offset = bracket + 1
    return text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
  }

  private static func namespaceName(_ domain: Int64) -> String? {
    switch domain {
    case 1: "JETSAM"
    case 2: "SIGNAL"
    case 10: "FRONTBOARD"
    case 15: "RUNNINGBOARD"
    default: nil
    }
  }

  /// A number such as `5.0` or `20`.
  static func decimalNumber(_ text: Span<UInt8>, from start: Int) -> Double? {
    var offset = start
    guard let whole = text.decimal(at: &offset) else { return nil }
    var value = Double(whole)
    if text.take(Byte.dot, at: &offset) {
      var unit = 0.1
      while offset < text.count, text[offset] &- 48 < 10 {
        value += Double(text[offset] &- 48) * unit
        unit /= 10
        offset += 1
      }
      // Decimal places don't add up exactly: keep microseconds.
      value = (value * 1e6).rounded() / 1e6
    }
    return value.isFinite ? value : nil
  }

  private static func word(
    _ text: Span<UInt8>, from start: Int, among words: [String]
  ) -> String? {
    var end = start
    while end < text.count, (text[end] | 32) &- 97 < 26 { end += 1 }
    let found = text.text(start..<end).lowercased()
    return words.contains(found) ? found : nil
  }
}
