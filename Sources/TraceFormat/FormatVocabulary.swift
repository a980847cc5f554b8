// Which numbers of the vocabulary stand in blocks as they are. A reader of an older release must
// understand later blocks, so kinds and names that joined later are written by their text.

import TraceModel

/// The vocabulary as every reader of major version 1 knows it.
public enum FormatVocabulary {
  /// Kinds up to this number are written as numbers, later ones by name. Never changes.
  public static let kindNumberMax: UInt16 = 145
  /// Argument names up to this number are written as numbers, later ones by text. Never changes.
  public static let argumentNumberMax: UInt16 = 145

  /// The number of argument names that this reader knows.
  static let argumentNameCount: Int = {
    var count = 0
    while ArgumentName(rawValue: UInt16(count + 1)).knownText != nil { count += 1 }
    return count
  }()

  /// Makes a set of kinds right for this reader: a kind that it knows and the writer of the block
  /// didn't stands among the set's others.
  static func addLateKinds(to kinds: inout KindSet) {
    guard kinds.word3 >> 63 != 0 else { return }
    for description in Vocabulary.kinds where description.kind.rawValue > kindNumberMax {
      kinds.insert(description.kind)
    }
  }
}
