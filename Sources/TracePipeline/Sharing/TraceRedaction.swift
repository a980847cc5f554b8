// Makes a trace that can be shown to strangers: names and free text become hashes.
// This file must not know which texts stay; `KeptTexts.swift` lists them.

public import TraceExport
import TraceLifecycle
public import TraceModel
import TraceRules

/// Replaces what a person or a company may have written in a trace by keyed hashes.
///
/// Equal texts have equal hashes, so that rules that compare them conclude the same. Times and
/// threads stay as they are, and so do numbers and truth values where the vocabulary says what
/// they are.
///
///     let redaction = TraceRedaction(hash: .random()) { $0.precomposedStringWithCanonicalMapping }
///     try writer.begin(redaction.header(header))
public struct TraceRedaction: Sendable {
  private let hash: KeyedHash
  private let normalised: @Sendable (String) -> String

  /// - Parameter normalised: Makes one text of those that are equal, however they are encoded: an
  ///   é may be one scalar or two.
  public init(hash: KeyedHash, normalised: @escaping @Sendable (String) -> String) {
    self.hash = hash
    self.normalised = normalised
  }

  // MARK: Header

  /// The header without names; it has no trace id, and nothing of where the trace came from.
  public func header(_ header: TraceHeader) -> TraceHeader {
    var redacted = header
    redacted.origin = TraceOrigin()
    for (field, value) in header.presentFields {
      redacted[field] = self.value(value, of: field)
    }
    redacted.openCoverage = header.openCoverage.map {
      KeptHeader.namespaces.contains($0) ? $0 : name($0)
    }
    redacted.unknownFields = header.unknownFields.map { field in
      TraceHeader.UnknownField(name: name(field.name), json: json(field.json, isKnown: false))
    }
    return redacted
  }

  private func value(_ value: HeaderValue, of field: HeaderField) -> HeaderValue? {
    let decision = KeptHeader.decision(field)
    switch value {
    // A number in the place of a text is the user's own.
    case .integer(let number): return field.type == .integer ? value : .string(token("\(number)"))
    case .boolean(let truth): return field.type == .boolean ? value : .string(token("\(truth)"))
    case .string(let text):
      if case .dropped = decision { return nil }
      return .string(keeps(text, decision) ? text : token(text))
    case .strings(let texts):
      return .strings(
        texts.map { text in
          if keeps(text, decision) { return text }
          if case .names = decision { return Self.isName(text) ? name(text) : token(text) }
          return token(text)
        })
    case .json(let text): return .json(json(text, isKnown: true))
    }
  }

  private func keeps(_ text: String, _ decision: KeptHeader.Decision) -> Bool {
    if KeptText.everywhere.contains(text) { return true }
    switch decision {
    case .words(let words), .names(let words): return words.contains(text)
    case .version: return KeptHeader.isVersion(text)
    case .model: return KeptHeader.isModel(text)
    case .build: return KeptHeader.isBuild(text)
    case .dropped, .hashed: return false
    }
  }

  /// Whether a text may be the name of a background mode: what is none stays none.
  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  // MARK: Events

  /// Hands over the events of a batch with names and texts hashed: mostly as one batch, as several
  /// where hashes of many short texts need more room than a batch has.
  public func redact(
    _ batch: EventBatch, _ body: (EventBatch) throws(CaptureFailure) -> Void
  ) throws(CaptureFailure) {
    let redacted = redacted(batch)
    guard redacted.strings.bytes.count > BatchLimits.stringPoolBytesMax else {
      return try body(redacted)
    }
    var merger = BatchMerger()
    var numbers = redacted.threads.map(\.firstSequence)
    let middle = redacted.count / 2
    try merger.add(redacted, 0..<middle, numbers: &numbers, body)
    try merger.add(redacted, middle..<redacted.count, numbers: &numbers, body)
    try merger.flush(body)
  }

  /// The batch with its dictionary replaced; places, times and threads stay.
  private func redacted(_ batch: EventBatch) -> EventBatch {
    var redacted = batch
    redacted.lines.removeAll()
    redacted.kindNames = StringPool()
    for place in 0..<batch.kindNames.count {
      redacted.kindNames.append(Array(kind(batch.kindNames[place]).utf8).span)
    }
    redacted.argumentNames = StringPool()
    for place in 0..<batch.argumentNames.count {
      redacted.argumentNames.append(Array(name(batch.argumentNames[place]).utf8).span)
    }
    redacted.slots.removeAll()
    for (place, template) in batch.templates.enumerated() {
      redacted.templates[place].firstSlot = UInt32(redacted.slots.count)
      for var slot in batch.slots(of: template) {
        if !Self.isKnown(slot, of: template), slot.type != .json { slot.type = .string }
        redacted.slots.append(slot)
      }
    }
    redacted.strings = StringPool()
    var memo: [TreatedValue: UInt64] = [:]
    for index in 0..<batch.count {
      let template = batch.templates[Int(batch.templateIndices[index])]
      let start = Int(batch.argumentStarts[index])
      for (offset, slot) in batch.slots(of: template).enumerated() {
        let isKnown = Self.isKnown(slot, of: template)
        guard !isKnown || slot.type == .string || slot.type == .json else { continue }
        let bits = batch.argumentBits[start + offset]
        let treated = TreatedValue(name: isKnown ? slot.name : nil, type: slot.type, bits: bits)
        if let known = memo[treated] {
          redacted.argumentBits[start + offset] = known
          continue
        }
        let told =
          switch batch.value(bits, as: slot.type) {
          case .json(let text): json(text, isKnown: isKnown)
          case .string(let text): self.text(text, keeping: isKnown ? .of(slot.name) : .nothing)
          case .integer(let number): token("\(number)")
          case .unsigned(let number): token("\(number)")
          case .number(let number): token("\(number)")
          case .boolean(let value): token("\(value)")
          }
        let place = UInt64(redacted.strings.intern(told))
        memo[treated] = place
        redacted.argumentBits[start + offset] = place
      }
    }
    return redacted
  }

  /// A value of an argument, and what decides how it is hashed.
  private struct TreatedValue: Hashable {
    /// Nil for an argument that the vocabulary doesn't know.
    var name: ArgumentName?
    var type: ArgumentType
    var bits: UInt64
  }

  /// Whether the vocabulary says what an argument is.
  private static func isKnown(_ slot: ArgumentSlot, of template: EventTemplate) -> Bool {
    template.kind.isKnown && slot.name.isKnown
  }

  /// What becomes of the text of an argument.
  func text(_ text: String, keeping kept: KeptText) -> String {
    if KeptText.everywhere.contains(text) || kept.words.contains(text) || kept.alsoKeeps(text) {
      return text
    }
    var words: [String] = []
    if let beginning = Self.longest(kept.beginnings.filter { Glob.matches(text, $0 + "*") }) {
      words.append(beginning)
    }
    words.append(token(text))
    words += kept.parts.filter { Glob.matches(text, "*\($0)*") }
    if let end = Self.longest(kept.ends.filter { Glob.matches(text, "*" + $0) }) {
      words.append(end)
    }
    return words.joined(separator: " ")
  }

  private static func longest(_ texts: [String]) -> String? {
    texts.max { $0.utf8.count < $1.utf8.count }
  }

  /// A kind outside the vocabulary: a namespace of the vocabulary stays, as rules ask what is
  /// covered.
  private func kind(_ text: String) -> String {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.enumerated().map { place, part in
      let text = String(part)
      return place == 0 && KeptHeader.namespaces.contains(text) ? text : name(text)
    }.joined(separator: ".")
  }

  // MARK: Hashes

  /// The hash of a text. As much of it counts as most rules compare.
  private func token(_ text: String) -> String {
    let whole = text.utf8.allSatisfy { $0 < 0x80 } ? text : normalised(text)
    return "r:" + hash.letters(whole.utf8.prefix(ArgumentKey.textBytesMax))
  }

  /// The hash of a name, which is a name itself.
  private func name(_ text: String) -> String { "r_" + hash.letters(text.utf8) }

  /// A JSON text of the same kind; null stays, and what the vocabulary knows but for texts.
  private func json(_ text: String, isKnown: Bool) -> String {
    let quoted = "\"r:\(hash.letters(text.utf8))\""
    switch text.utf8.first {
    case UInt8(ascii: "{"): return "{\"r\":\(quoted)}"
    case UInt8(ascii: "["): return "[\(quoted)]"
    case UInt8(ascii: "\""), nil: return quoted
    default: return isKnown || text == "null" ? text : quoted
    }
  }
}
