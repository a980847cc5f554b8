// Why a process was ended, in any of the forms in which reports say it. This file must not know
// which report it is.

import TraceModel

/// `Namespace SPRINGBOARD, Code 0x8badf00d`, `FRONTBOARD 2343432205`, `SIGNAL 6 Abort trap: 6`,
/// RunningBoard's context, or a sentence of the watchdog.
enum TerminationReason {
  private static let namespaceWord = bytes("Namespace ")
  private static let codeWords = [bytes("Code "), bytes("code "), bytes("Code: ")]
  private static let reportKind = bytes("reportType:")
  private static let contextMark = bytes("domain:")

  /// Sentences that say what a code would, where there is none, and the rows of what they say.
  private static let sentences: [(text: [UInt8], row: String)] = [
    (bytes("active assertions beyond permitted time"), "background-task-overtime"),
    (bytes("watchdog transgression"), "watchdog"),
    (bytes("Failed to terminate gracefully"), "watchdog"),
    (bytes("failed to terminate gracefully"), "watchdog"),
    (bytes("failed to launch"), "watchdog"), (bytes("failed to resume"), "watchdog"),
    (bytes("failed to suspend"), "watchdog"), (bytes("failed to scene-"), "watchdog"),
    (bytes("with locked system files"), "file-lock"),
    (bytes("holding a shared file lock"), "file-lock"),
    (bytes("holding a file lock"), "file-lock"),
  ]

  /// What the watchdog waited for, by the words of its sentences.
  private static let events: [(text: [UInt8], event: String)] = [
    (bytes("scene-create"), "scene-create"), (bytes("scene-update"), "scene-update"),
    (bytes("process-launch"), "process-launch"), (bytes("failed to launch"), "process-launch"),
    (bytes("process-exit"), "process-exit"), (bytes("terminate gracefully"), "process-exit"),
    (bytes("failed to resume"), "resume"), (bytes("failed to suspend"), "suspend"),
  ]

  /// Fills a record from a text of any form; what it says already is kept where the text is
  /// silent.
  static func read(_ text: Span<UInt8>, into record: inout ExitRecord) {
    var plain: [UInt8] = []
    unescape(text, to: &plain)
    let text = plain.span.extracting(0..<endOfWords(plain.span))
    if text.find(contextMark, from: 0) != nil {
      TerminationText.read(text, from: 0, into: &record)
      if record.explanation == nil { readNamespaceAndCode(text, into: &record) }
    } else {
      readNamespaceAndCode(text, into: &record)
      TerminationText.readNumbers(text, from: 0, into: &record)
    }
    readSentences(text, into: &record)
  }

  /// Where RunningBoard's words end, behind which others' may stand; all of a text without them.
  private static func endOfWords(_ text: Span<UInt8>) -> Int {
    guard let start = text.find(ReportText.context, from: 0),
      let kind = text.find(reportKind, from: start),
      let end = text.first(Byte.closeAngle, from: kind, to: text.count)
    else { return text.count }
    return end + 1
  }

  /// Takes a code that a report states by itself.
  static func take(code: Int64, into record: inout ExitRecord) {
    let code = Terminations.unsigned(code)
    if record.namespace == "SIGNAL" {
      record.signal = code
    } else {
      record.code = code
    }
    conclude(&record)
  }

  /// The cause that namespace, code and signal stand for.
  static func conclude(_ record: inout ExitRecord) {
    if let cause = record.code.flatMap({ Terminations.meaning(ofCode: $0)?.cause }) {
      // The sentence of an expired task comes with the watchdog's code.
      if record.cause != "bgtask_expired" { record.cause = cause }
    } else if record.cause == "unknown" {
      if record.namespace == "JETSAM" {
        record.cause = "jetsam"
      } else if record.namespace.map(TerminationNamespace.isOfFault) == true {
        record.cause = "crash"
      } else if record.code == nil, let signal = record.signal,
        TerminationSignal.crashes.contains(signal)
      {
        record.cause = "crash"
      }
    }
  }

  /// Who ends apps for what they did in their life cycle, and says why in sentences.
  private static let keepers: Set<String> = [
    "SPRINGBOARD", "FRONTBOARD", "RUNNINGBOARD", "ASSERTIOND", "BACKBOARDD",
  ]

  private static func readSentences(_ text: Span<UInt8>, into record: inout ExitRecord) {
    guard record.namespace.map(keepers.contains) ?? true else { return }
    for sentence in sentences where text.find(sentence.text, from: 0) != nil {
      let said = ExitRecord(endOf: sentence.row)
      if record.cause == "unknown" || said.cause == "bgtask_expired" {
        record.cause = said.cause
        record.code = record.code ?? said.code
      }
      break
    }
    conclude(&record)
    guard record.cause == "watchdog", record.watchdogEvent == nil else { return }
    record.watchdogEvent = events.first { text.find($0.text, from: 0) != nil }?.event
  }

  private static func readNamespaceAndCode(_ text: Span<UInt8>, into record: inout ExitRecord) {
    var offset = 0
    text.skip(Byte.space, at: &offset)
    if text.has(namespaceWord, at: offset) { offset += namespaceWord.count }
    let start = offset
    guard let name = namespace(text, at: &offset) else {
      if record.explanation == nil {
        record.explanation = TerminationText.explanation(text, from: start)
      }
      return
    }
    if record.namespace == nil || record.namespace == name {
      record.namespace = name
      if let code = code(text, at: &offset) { take(code: code, into: &record) }
    }
    while offset < text.count, text[offset] <= Byte.space || text[offset] == Byte.comma {
      offset += 1
    }
    if offset < text.count, text[offset] != Byte.openAngle {
      record.explanation = TerminationText.explanation(text, from: offset) ?? record.explanation
    }
    conclude(&record)
  }

  /// `RUNNINGBOARD`, or `<0xF>` where the writer of the report didn't know the name.
  private static func namespace(_ text: Span<UInt8>, at offset: inout Int) -> String? {
    let start = offset
    var place = start
    if text.take(Byte.openAngle, at: &place) {
      guard let domain = TerminationText.number(text, from: place),
        let end = text.first(Byte.closeAngle, from: place, to: place + 16)
      else { return nil }
      offset = end + 1
      return TerminationNamespace.name(domain: domain) ?? text.text(start..<offset)
    }
    while place < text.count, isNamespace(text[place]) { place += 1 }
    // A namespace has capitals only; what goes on with small letters is a sentence.
    guard place - start >= 3, place == text.count || !isSmallLetter(text[place]) else {
      return nil
    }
    offset = place
    return text.text(start..<place)
  }

  private static func code(_ text: Span<UInt8>, at offset: inout Int) -> Int64? {
    var place = offset
    _ = text.take(Byte.comma, at: &place)
    text.skip(Byte.space, at: &place)
    if let word = codeWords.first(where: { text.has($0, at: place) }) { place += word.count }
    let isNegative = text.take(Byte.minus, at: &place)
    guard place < text.count, text[place] &- 48 < 10,
      let value = TerminationText.number(text, from: place)
    else { return nil }
    while place < text.count, isNumber(text[place]) { place += 1 }
    offset = place
    return isNegative ? 0 - value : value
  }

  private static func isNamespace(_ byte: UInt8) -> Bool { byte &- 65 < 26 || byte == 95 }
  private static func isSmallLetter(_ byte: UInt8) -> Bool { byte &- 97 < 26 }
  private static func isNumber(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || (byte | 32) &- 97 < 6 || byte == 120
  }

  /// Copies a text with blanks for line breaks, real or written as `\n`, and without backslashes
  /// before blanks and punctuation.
  static func unescape(_ text: Span<UInt8>, to output: inout [UInt8]) {
    var offset = 0
    let end = min(text.count, ImportLimits.messageBytesMax)
    while offset < end {
      let byte = text[offset]
      offset += 1
      if byte == Byte.backslash, offset < end {
        let next = text[offset]
        offset += 1
        switch next {
        // `\n`, `\t` and `\r`
        case 110, 116, 114: output.append(Byte.space)
        default: output.append(next <= Byte.space ? Byte.space : next)
        }
      } else {
        output.append(byte < Byte.space ? Byte.space : byte)
      }
    }
  }
}
