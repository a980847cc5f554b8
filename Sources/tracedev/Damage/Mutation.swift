// The damages that a capture gets. This file must not know what a capture is.

/// One damage.
enum Mutation: Sendable, Hashable {
  /// A byte is set to a value.
  case byte(Int, UInt8)
  /// Only so many bytes are left.
  case cut(Int)
  /// Two blocks have changed places.
  case swapped(Int, Int)
  /// A copy of the first block stands behind the second, or in the place of it.
  case doubled(Int, at: Int)
  /// Both blocks are gone; one, if they are the same.
  case dropped(Int, Int)

  var name: String {
    switch self {
    case .byte(let place, let value): "byte-\(place)-\(value)"
    case .cut(let count): "cut-\(count)"
    case .swapped(let first, let second): "swapped-\(first)-\(second)"
    case .doubled(let block, let place): "doubled-\(block)-\(place)"
    case .dropped(let first, let second): "dropped-\(first)-\(second)"
    }
  }
}

/// All damages of some bytes: each byte set to 16 other values, each cut, and each pair of blocks
/// swapped, doubled and dropped. They are made one by one: of a journal there are millions.
struct Mutations: Sendable {
  static let valueCount = 16
  /// Of places that nothing is written to so many are passed over for each cut.
  private static let sparedCutDistance = 16

  private let bytes: [UInt8]
  /// Places that get all values, and places that get one.
  private let places: [Int]
  private let sparedPlaces: [Int]
  private let cuts: [Int]
  private let pairs: [Mutation]

  /// - Parameter isSpared: Whether a place gets one value, and few cuts.
  init(_ bytes: [UInt8], blockCount: Int, isSpared: (Int) -> Bool = { _ in false }) {
    self.bytes = bytes
    places = bytes.indices.filter { !isSpared($0) }
    sparedPlaces = bytes.indices.filter(isSpared)
    cuts = bytes.indices.filter { $0 % Self.sparedCutDistance == 0 || !isSpared($0) }
    var pairs: [Mutation] = []
    for first in 0..<blockCount {
      for second in 0..<blockCount {
        if first < second { pairs.append(.swapped(first, second)) }
        pairs.append(.doubled(first, at: second))
        if first <= second { pairs.append(.dropped(first, second)) }
      }
    }
    self.pairs = pairs
  }

  private var flipCount: Int { places.count * Self.valueCount }
  /// Damages of the bytes and cuts.
  private var ordinaryCount: Int { flipCount + sparedPlaces.count + cuts.count }

  var count: Int { ordinaryCount + pairs.count }

  var summary: String {
    let spared =
      sparedPlaces.isEmpty
      ? "" : ", \(sparedPlaces.count) that nothing is written to set to one value"
    return "\(places.count) bytes set to \(Self.valueCount) values\(spared), \(cuts.count) cuts, "
      + "\(pairs.count) pairs of blocks swapped, doubled and dropped"
  }

  subscript(number: Int) -> Mutation {
    if number < flipCount {
      let place = places[number / Self.valueCount]
      return .byte(place, Self.values(insteadOf: bytes[place])[number % Self.valueCount])
    }
    var rest = number - flipCount
    if rest < sparedPlaces.count {
      let place = sparedPlaces[rest]
      return .byte(place, bytes[place] ^ 1 << UInt8(place % 8))
    }
    rest -= sparedPlaces.count
    return rest < cuts.count ? .cut(cuts[rest]) : pairs[rest - cuts.count]
  }

  /// The numbers of some damages, in equal distances: of the bytes and cuts so many, and of the
  /// pairs.
  func sample(count: Int) -> [Int] {
    // An odd step, so that all of the values have their turn.
    Array(stride(from: 0, to: ordinaryCount, by: max(1, ordinaryCount / count) | 1))
      + Array(stride(from: ordinaryCount, to: self.count, by: max(1, pairs.count / count)))
  }

  /// What a byte is set to: each of its bits turned over, all of them, one more and one less, its
  /// halves exchanged, and values that mean something to the formats: nothing, the end of a number,
  /// the beginning of a record and of a file. Where two of these are the same another value stands
  /// in.
  static func values(insteadOf byte: UInt8) -> [UInt8] {
    var values: [UInt8] = []
    let bits = (0..<8).map { byte ^ 1 << UInt8($0) }
    let others = [~byte, byte &+ 1, byte &- 1, byte << 4 | byte >> 4, 0, 0xFF, 0xFE, 0x89]
    for value in bits + others + (2...).prefix(valueCount).map({ byte &+ $0 })
    where value != byte && !values.contains(value) && values.count < valueCount {
      values.append(value)
    }
    return values
  }
}
