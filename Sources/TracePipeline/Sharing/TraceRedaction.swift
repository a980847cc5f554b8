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
    case .json(let text):
      let isNumber = field.type == .integer || field.type == .boolean
      return .json(json(text, isKnown: isNumber))
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
    var treatments: [Treatment] = []
    for (place, template) in batch.templates.enumerated() {
      redacted.templates[place].firstSlot = UInt32(redacted.slots.count)
      for var slot in batch.slots(of: template) {
        let treatment = Self.treatment(of: slot, template)
        treatments.append(treatment)
        if treatment != .kept, slot.type != .json { slot.type = .string }
        redacted.slots.append(slot)
      }
    }
    redacted.strings = StringPool()
    var memo: [TreatedValue: UInt64] = [:]
    for index in 0..<batch.count {
      let place = Int(batch.templateIndices[index])
      let template = batch.templates[place]
      let firstTreatment = Int(redacted.templates[place].firstSlot)
      let start = Int(batch.argumentStarts[index])
      for (offset, slot) in batch.slots(of: template).enumerated() {
        let treatment = treatments[firstTreatment + offset]
        if treatment == .kept { continue }
        let bits = batch.argumentBits[start + offset]
        let treated = TreatedValue(
          name: treatment == .hashed ? nil : slot.name, treatment: treatment, type: slot.type,
          bits: bits)
        if let known = memo[treated] {
          redacted.argumentBits[start + offset] = known
          continue
        }
        let kept = treatment == .hashed ? KeptText.nothing : .of(slot.name)
        let told =
          switch batch.value(bits, as: slot.type) {
          case .json(let text): json(text, isKnown: treatment == .number)
          case .string(let text): self.text(text, keeping: kept)
          case .integer(let number): self.text("\(number)", keeping: kept)
          case .unsigned(let number): self.text("\(number)", keeping: kept)
          case .number(let number): self.text("\(number)", keeping: kept)
          case .boolean(let value): self.text("\(value)", keeping: kept)
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
    var treatment: Treatment
    var type: ArgumentType
    var bits: UInt64
  }

  /// What is done with the values of an argument.
  private enum Treatment: Hashable {
    /// They stay as they are.
    case kept
    /// The vocabulary has a number or truth value there: of a text what is listed stays, and of
    /// JSON what is a number.
    case number
    /// The vocabulary has a text there, and a number in its place is the user's own: a customer's.
    case text
    /// The vocabulary doesn't know it: nothing stays.
    case hashed
  }

  private static func treatment(
    of slot: ArgumentSlot, _ template: EventTemplate
  ) -> Treatment {
    guard template.kind.isKnown, slot.name.isKnown else { return .hashed }
    let isText = slot.type == .string || slot.type == .json
    guard KeptText.isText(slot.name, of: template.kind) else { return isText ? .number : .kept }
    // Where all texts that are numbers stay, so do the numbers.
    return !isText && KeptText.of(slot.name).alsoKeeps("0") ? .kept : .text
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
