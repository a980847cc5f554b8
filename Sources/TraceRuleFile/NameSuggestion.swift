// Finds the name that somebody probably meant.

/// Names that are near to one that nobody knows.
package enum NameSuggestion {
  /// Longer names than this are no slips of a finger, and would cost time.
  private static let nameLengthMax = 64

  /// The nearest of the known names by edit distance, letter case and the kind of dashes aside;
  /// nil if none is near. Near are names of which at most one letter in `divisor` is wrong, and
  /// names with one wrong letter; less than half of the letters of the longer one.
  package static func nearest(
    to name: String, among names: some Sequence<String>, divisor: Int = 3
  ) -> String? {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= nameLengthMax else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names {
      // Bytes are no fewer than letters: most names are put aside without a look at them.
      guard candidate.utf8.count >= wanted.count - max(1, wanted.count / divisor) else { continue }
      let known = folded(candidate)
      guard known.count <= nameLengthMax else { continue }
      let limit = max(1, min(wanted.count, known.count) / divisor)
      guard abs(known.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, known)
      guard distance * 2 < max(wanted.count, known.count) else { continue }
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }
  }

  /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
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
