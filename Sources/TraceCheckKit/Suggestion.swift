// Finds the name that somebody probably meant.

enum Suggestion {
  /// Longer names than this are no slips of a finger, and would cost time.
  private static let nameLengthMax = 64

  /// The nearest of the known names by edit distance, letter case aside; nil if none is near.
  static func nearest(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= nameLengthMax else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names {
      let known = Array(candidate.lowercased().unicodeScalars)
      guard known.count <= nameLengthMax else { continue }
      let distance = distance(wanted, known)
      if distance <= max(1, min(wanted.count, known.count) / 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.name
  }

  /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in 0..<b.count {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
