// The identity of an argument's name: a small number.
// This file must not know which names exist; `ArgumentName+Known.swift` lists them.

/// The name of an argument, for example `token`.
///
/// Names of the vocabulary have stable numbers from 1 to 1,023. Another name gets a number from
/// 1,024 up, valid only inside the ``EventBatch`` that holds it.
public struct ArgumentName: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16

  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let firstUnknownNumber: UInt16 = 1024

  @inlinable
  public var isKnown: Bool { rawValue < 1024 }

  /// The text of a name of the vocabulary; nil for others.
  public var knownText: String? {
    let index = Int(rawValue) - 1
    return index >= 0 && index < Self.knownTexts.count ? Self.knownTexts[index] : nil
  }

  /// All names of the vocabulary with their numbers, in their order.
  public static var known: [(number: UInt16, text: String)] {
    knownTexts.enumerated().map { (UInt16($0.offset + 1), $0.element) }
  }

  /// The name of the vocabulary with this text; nil if there is none.
  public static func known(_ text: String) -> ArgumentName? { numbersByText[text] }

  private static let numbersByText: [String: ArgumentName] = {
    var names: [String: ArgumentName] = [:]
    for (index, text) in knownTexts.enumerated() {
      names[text] = ArgumentName(rawValue: UInt16(index + 1))
    }
    return names
  }()
}

/// How the 64 bits of an argument are to be read.
public enum ArgumentType: UInt8, Hashable, Sendable, CaseIterable {
  /// A signed 64-bit integer.
  case integer = 0
  /// An unsigned 64-bit integer above `Int64.max`.
  case unsigned = 1
  /// A finite double.
  case number = 2
  /// 0 or 1.
  case boolean = 3
  /// The number of a text in the batch's string pool.
  case string = 4
  /// The number of a JSON text (null, array, object, a number that no other type holds exactly)
  /// in the batch's string pool, in the shortest form without white space.
  case json = 5
}

/// The value of an argument, on its own.
public enum ArgumentValue: Hashable, Sendable {
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case boolean(Bool)
  case string(String)
  case json(String)
}
