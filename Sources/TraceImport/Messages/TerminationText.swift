// Why a process was ended, in the texts of RunningBoard and of the watchdog.
// This file must not know in which line or report such a text stands.

import TraceModel

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
  private static let totalCpu = bytes("Elapsed total CPU time (seconds): ")
  private static let thermalState = bytes("Thermal State: ")
  private static let thermalLevel = bytes("Thermal Level: ")
  private static let watchdogEvent = bytes("WatchdogEvent: ")
  private static let timeLimit = bytes("time limit ")
  private static let timeTaken = [bytes(" after "), bytes("(launch took ")]
  private static let pastLimit = bytes("active assertions beyond permitted time")
  private static let explanationEnds = [
    bytes(" ProcessVisibility:"), bytes(" reportType:"), bytes(" maxTerminationResistance:"),
    bytes(" WatchdogEvent:"), bytes(" Elapsed total CPU"),
  ]

  /// Fills a record from the text behind an offset.
  static func read(_ text: Span<UInt8>, from start: Int, into record: inout ExitRecord) {
    guard let domainPlace = text.find(domain, from: start) else {
      return readWithoutDomain(text, from: start, into: &record)
    }
    let domain = number(text, from: domainPlace + Self.domain.count)
    record.namespace = domain.flatMap(TerminationNamespace.name)
    let codePlace = text.find(code, from: domainPlace)
    let code = codePlace.flatMap { number(text, from: $0 + Self.code.count) }
    switch domain {
    case 1:
      record.cause = "jetsam"
      record.explanation = codePlace.flatMap { codeName(text, from: $0 + Self.code.count) }
    case 2:
      record.signal = code
      if let code, TerminationSignal.crashes.contains(code) { record.cause = "crash" }
    default:
      record.code = code ?? record.code
      record.cause = record.code.flatMap { Terminations.meaning(ofCode: $0)?.cause } ?? "unknown"
    }
    if text.find(pastLimit, from: start) != nil { record.cause = "bgtask_expired" }
    readExplanation(text, from: start, into: &record)
  }

  /// The name of a code in small letters: `idle-exit` of `IDLE-EXIT(9)`; nil where there is none.
  private static func codeName(_ text: Span<UInt8>, from start: Int) -> String? {
    var end = start
    while end < text.count, (text[end] | 32) &- 97 < 26 || text[end] == Byte.minus { end += 1 }
    return end > start ? text.text(start..<end).lowercased() : nil
  }

  /// Some contexts lack the domain; their code says enough.
  private static func readWithoutDomain(
    _ text: Span<UInt8>, from start: Int, into record: inout ExitRecord
  ) {
    guard let place = text.find(explanation, from: start) else {
      if text.find(voluntary, from: start) != nil { record.isKill = false }
      return
    }
    let codePlace = text.find(code, from: start)
    if let codePlace, codePlace < place, let code = number(text, from: codePlace + code.count) {
      record.code = code
      record.cause = Terminations.meaning(ofCode: code)?.cause ?? "unknown"
    }
    if text.find(pastLimit, from: start) != nil { record.cause = "bgtask_expired" }
    readExplanation(text, from: start, into: &record)
  }

  private static func readExplanation(
    _ text: Span<UInt8>, from start: Int, into record: inout ExitRecord
  ) {
    if let place = text.find(explanation, from: start) {
      record.explanation = explanation(text, from: place + explanation.count)
    }
    readNumbers(text, from: start, into: &record)
  }

  /// The sentence that a context or a watchdog's description begins with.
  static func explanation(_ text: Span<UInt8>, from first: Int) -> String? {
    var end = Swift.min(text.count, first + ImportLimits.nameBytesMax)
    for mark in explanationEnds {
      if let place = text.find(mark, from: first) { end = Swift.min(end, place) }
    }
    while end > first, isFiller(text[end - 1]) { end -= 1 }
    return end > first ? text.text(first..<end) : nil
  }

  /// A text that stood inside of brackets without the last one.
  static func withoutLastBracket(_ text: String) -> String {
    let opened = text.utf8.count { $0 == Byte.openParenthesis }
    let closed = text.utf8.count { $0 == Byte.closeParenthesis }
    return text.hasSuffix(")") && closed > opened ? String(text.dropLast()) : text
  }

  /// Blanks and the bars that stand for line breaks.
  private static func isFiller(_ byte: UInt8) -> Bool {
    byte <= Byte.space || byte == Byte.bar
  }

  /// The numbers and words that explain who is to blame.
  static func readNumbers(_ text: Span<UInt8>, from start: Int, into record: inout ExitRecord) {
    if let place = text.find(visibility, from: start) {
      record.visibility = word(
        text, from: place + visibility.count, among: ["foreground", "background", "unknown"])
    }
    if let place = text.find(thermalState, from: start) {
      var offset = place + thermalState.count
      text.skip(Byte.space, at: &offset)
      record.thermalState = word(
        text, from: offset, among: ["nominal", "fair", "serious", "critical"])
    }
    if let place = text.find(thermalLevel, from: start) {
      var offset = place + thermalLevel.count
      text.skip(Byte.space, at: &offset)
      record.thermalLevel = text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    }
    if let place = text.find(watchdogEvent, from: start) {
      var end = place + watchdogEvent.count
      while end < text.count, (text[end] | 32) &- 97 < 26 || text[end] == Byte.minus { end += 1 }
      record.watchdogEvent = text.text(place + watchdogEvent.count..<end)
    }
    readTimes(text, from: start, into: &record)
  }

  private static func readTimes(
    _ text: Span<UInt8>, from start: Int, into record: inout ExitRecord
  ) {
    if let place = text.find(timeLimit, from: start) {
      record.allowanceSeconds = decimalNumber(text, from: place + timeLimit.count)
      for mark in timeTaken where record.elapsedSeconds == nil {
        if let place = text.find(mark, from: start) {
          record.elapsedSeconds = decimalNumber(text, from: place + mark.count)
        }
      }
    } else if let place = text.find(allowance, from: start) {
      record.allowanceSeconds = decimalNumber(text, from: place + allowance.count)
    } else if let place = text.find(gracefully, from: start) {
      record.allowanceSeconds = decimalNumber(text, from: place + gracefully.count)
    }
    if let place = text.find(applicationCpu, from: start) {
      record.appCpuSeconds = decimalNumber(text, from: place + applicationCpu.count)
    }
    if let place = text.find(totalCpu, from: start) {
      let start = place + totalCpu.count
      record.totalCpuSeconds = decimalNumber(text, from: start)
      record.totalCpuPercent = percent(text, from: start)
    }
  }

  /// The share that stands behind a time: `26.630 (user 26.630, system 0.000), 74% CPU`.
  private static func percent(_ text: Span<UInt8>, from start: Int) -> Double? {
    guard let sign = text.first(percentSign, from: start, to: start + percentDistance) else {
      return nil
    }
    var first = sign
    while first > start,
      text[first - 1] &- 48 < 10 || first < sign && isDecimalMark(text, at: first - 1)
    {
      first -= 1
    }
    // Not the share of the next line, which begins with `Elapsed` whatever parts the lines.
    guard first < sign, text.first(Byte.newline, from: start, to: first) == nil,
      text.first(elapsedInitial, from: start, to: first) == nil
    else { return nil }
    return decimalNumber(text, from: first)
  }

  private static let percentSign: UInt8 = 37
  private static let elapsedInitial: UInt8 = 69
  private static let exponentInitial: UInt8 = 101
  /// Within so many bytes behind the beginning of a time its share stands.
  private static let percentDistance = 64

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
      if TerminationSignal.crashes.contains(code) { record.cause = "crash" }
    } else {
      // The wait status of an exit holds the exit code in its second byte.
      record.isKill = false
      record.exitCode = Int64(status >> 8 & 0xff)
    }
    return true
  }

  /// `0x8BADF00D`, `10`, `signal(2)` or `SIGSEGV(11)`.
  static func number(_ text: Span<UInt8>, from start: Int) -> Int64? {
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

  /// A number such as `5.0`, `0,2` or `20`: some regions write a comma before the decimals. Nil for
  /// one with an exponent, as no system writes it.
  static func decimalNumber(_ text: Span<UInt8>, from start: Int) -> Double? {
    var offset = start
    guard let whole = text.decimal(at: &offset) else { return nil }
    var value = Double(whole)
    if isDecimalMark(text, at: offset) {
      offset += 1
      var unit = 0.1
      while offset < text.count, text[offset] &- 48 < 10 {
        value += Double(text[offset] &- 48) * unit
        unit /= 10
        offset += 1
      }
      // Decimal places don't add up exactly: keep microseconds.
      value = (value * 1e6).rounded() / 1e6
    }
    return value.isFinite && !hasExponent(text, at: offset) ? value : nil
  }

  /// Whether a number goes on as in `1e309`.
  private static func hasExponent(_ text: Span<UInt8>, at offset: Int) -> Bool {
    guard offset + 1 < text.count, text[offset] | 32 == exponentInitial else { return false }
    let next = text[offset + 1]
    return next &- 48 < 10 || next == Byte.minus || next == Byte.plus
  }

  /// A comma parts numbers of a list, too, but then a blank stands behind it.
  private static func isDecimalMark(_ text: Span<UInt8>, at offset: Int) -> Bool {
    guard offset < text.count else { return false }
    guard text[offset] == Byte.comma else { return text[offset] == Byte.dot }
    return offset + 1 < text.count && text[offset + 1] &- 48 < 10
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
