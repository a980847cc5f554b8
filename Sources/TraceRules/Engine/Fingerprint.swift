// Names for faults that stay the same over captures: never a time, a number or an address.

import TraceModel

/// Fingerprints of findings.
package enum Fingerprint {
  /// `v1:` and 16 hexadecimal digits of a hash over the parts and the ordinal among equals.
  package static func make(
    app: String, rule: String, reason: String?, subject: String, ordinal: Int
  ) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ text: String) {
      for byte in text.utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      }
      hash = (hash ^ 0xff) &* 0x0000_0100_0000_01b3
    }
    mix(app)
    mix(rule)
    mix(reason ?? "")
    mix(normalised(subject))
    mix(String(ordinal))
    hash ^= hash >> 32
    hash = hash &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash >> 29
    let digits = String(hash, radix: 16)
    return "v1:" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The subject without what changes from run to run: hexadecimal numbers, UUIDs, mangled
  /// names and digits.
  package static func normalised(_ subject: String) -> String {
    subject.split(whereSeparator: { $0 == " " }).compactMap { word -> String? in
      if word.hasPrefix("$s") || word.hasPrefix("_$s") || word.hasPrefix("_T") { return nil }
      let bytes = Array(word.utf8)
      if bytes.starts(with: Array("0x".utf8)) { return nil }
      let isHexadecimal = bytes.allSatisfy {
        (48...57).contains($0) || (97...102).contains($0) || (65...70).contains($0) || $0 == 45
      }
      if isHexadecimal && bytes.count >= 8 && bytes.contains(where: { (48...57).contains($0) }) {
        return nil
      }
      let kept = bytes.filter { !(48...57).contains($0) }
      return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
    }.joined(separator: " ")
  }
}
