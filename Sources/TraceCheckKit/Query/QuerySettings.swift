// What the rows of an index depend on beside the captures, as one text that is compared.

import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TraceRules

/// The settings that captures are read and judged by.
struct QuerySettings {
  let text: String

  /// - Parameter files: The files that the configuration was read from.
  init(
    _ input: InputOptions, _ rules: RuleOptions, _ configuration: EffectiveConfiguration,
    files: [String]
  ) {
    var json = JSONBuilder()
    json.beginObject()
    json.key("version")
    json.string(TraceCheck.version)
    let lists: [(name: String, values: [String])] = [
      ("from", [input.from].compactMap { $0 }), ("header", input.headerFields),
      ("only", rules.only), ("skip", rules.skip), ("threshold", rules.thresholds),
      ("severity", rules.severities), ("profile", [rules.profile].compactMap { $0 }),
      ("watchdog", [rules.watchdog].compactMap { $0 }), ("files", files.map(Self.content)),
      ("expired", Self.expired(configuration)),
    ]
    for (name, values) in lists where !values.isEmpty {
      json.key(name)
      json.beginArray()
      for value in values { json.string(value) }
      json.endArray()
    }
    // Rules are a part of the program: one that was built anew may have others.
    json.key("rules")
    json.string(Self.digest(of: configuration.rules.map { "\($0.id) \($0.summary)" }))
    json.endObject()
    text = String(decoding: json.bytes, as: UTF8.self)
  }

  /// Suppressions end with a day, and what they hid counts from then on.
  private static func expired(_ configuration: EffectiveConfiguration) -> [String] {
    configuration.configuration.suppressions.enumerated()
      .filter { $0.element.isExpired(today: configuration.today) }.map { "\($0.offset)" }
  }

  /// A file of the configuration, by its name and content.
  private static func content(_ path: String) -> String {
    var bytes: [UInt8] = []
    do throws(FileError) {
      bytes = try RuleFileLoader.bytes(of: path, max: contentBytesMax)
    } catch {
      return path
    }
    return "\(path) \(digest(of: [String(decoding: bytes, as: UTF8.self)]))"
  }

  /// More than any file that a configuration is read from.
  private static let contentBytesMax = 16 << 20

  static func digest(of texts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in texts {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    return String(hash, radix: 16)
  }
}
