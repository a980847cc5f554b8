// The correction of Benjamini and Hochberg: of many tests some look striking by chance.

import TraceModel

public enum FalseDiscoveries {
  /// Adjusts chances so that those below a level hold at most this share of false alarms.
  ///
  /// Benjamini and Hochberg, Controlling the false discovery rate (1995).
  public static func adjusted(_ chances: [Double]) -> [Double] {
    var adjusted = chances
    var smallest = 1.0
    let order = chances.indices.sorted { chances[$0] > chances[$1] }
    for (place, index) in order.enumerated() {
      let rank = Double(chances.count - place)
      smallest = min(smallest, chances[index] * Double(chances.count) / rank)
      adjusted[index] = smallest
    }
    return adjusted
  }
}
