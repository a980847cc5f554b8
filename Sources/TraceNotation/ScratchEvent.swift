// The event of one line while it is read. It is reused from line to line.

import TraceModel

/// An event that has been read and is not yet in a batch.
struct ScratchEvent: Sendable {
  struct Argument: Sendable {
    /// The number of a known name; 0 for others, whose text is `nameText`.
    var name: UInt16
    /// A name that was written in a way that says it is no synonym.
    var isLiteral: Bool
    var nameText: Range<Int>
    var type: ArgumentType
    /// The bits of the value; of no meaning for texts, which are `valueText`.
    var bits: UInt64
    var valueText: Range<Int>
  }

  /// The number of a known kind; 0 for others, whose name is `kindText`.
  var kind: UInt16 = 0
  var kindText = 0..<0
  var phase = Phase.instant
  var thread: Int64 = 1
  var timeNanoseconds: Int64 = 0
  /// When the return of a whole span comes; nil if the event is no whole span.
  var returnNanoseconds: Int64?
  private(set) var arguments: [Argument] = []
  /// The texts that the ranges refer to.
  var texts: [UInt8] = []

  mutating func reset() {
    kind = 0
    kindText = 0..<0
    phase = .instant
    thread = 1
    timeNanoseconds = 0
    returnNanoseconds = nil
    if !arguments.isEmpty { arguments.removeAll(keepingCapacity: true) }
    if !texts.isEmpty { texts.removeAll(keepingCapacity: true) }
  }

  /// Keeps a text.
  @inline(__always)
  mutating func append(_ text: Span<UInt8>) -> Range<Int> {
    let start = texts.count
    texts.append(addingCapacity: text.count) { span in
      for index in text.indices { span.append(text[index]) }
    }
    return start..<texts.count
  }

  /// Sets the kind from the bytes of its name, which stand at the end of the texts.
  mutating func setKind(textFrom start: Int, in kinds: NameTable) {
    kindText = start..<texts.count
    kind = kinds.number(of: texts.span, kindText)
    if kind != 0 { texts.removeSubrange(kindText) }
  }

  /// Whether an argument of this name is there already.
  @inline(__always)
  func hasArgument(_ name: UInt16, text: Range<Int>) -> Bool {
    var index = 0
    while index < arguments.count {
      if arguments[index].name == name,
        name != 0 || isSameText(arguments[index].nameText, text)
      {
        return true
      }
      index += 1
    }
    return false
  }

  private func isSameText(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    a.count == b.count && texts[a].elementsEqual(texts[b])
  }

  /// Whether another argument fits.
  var canAddArgument: Bool { arguments.count < BatchLimits.argumentsPerEventMax }

  @inline(__always)
  mutating func add(_ argument: Argument) { arguments.append(argument) }

  /// Gives the argument `id` its proper name where the kind has another for it.
  @inline(__always)
  mutating func resolveSynonym(_ argumentByKind: [UInt16]) {
    let index = Int(kind)
    guard index < argumentByKind.count, argumentByKind[index] != 0 else { return }
    let name = argumentByKind[index]
    var place: Int?
    for index in arguments.indices {
      if arguments[index].name == name { return }
      if arguments[index].name == ArgumentName.id.rawValue, !arguments[index].isLiteral {
        place = index
      }
    }
    if let place { arguments[place].name = name }
  }
}
