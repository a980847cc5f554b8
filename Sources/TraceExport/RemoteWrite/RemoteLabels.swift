// The labels that a sender adds to all its series, since nobody scrapes it and gives them to it.

import TraceModel

/// Labels beside those that metrics have of their own.
public struct RemoteLabels: Hashable, Sendable {
  /// More say nothing about a sender.
  public static let labelsMax = 16
  /// Bytes of a label's name and of its value: what receivers take unless told otherwise.
  static let nameBytesMax = 128
  static let valueBytesMax = 1_024

  /// Sorted by name.
  private(set) var labels: [(name: String, value: String)] = []

  public init() {}

  /// Why a label can't be added; one sentence without a final dot.
  public struct Refusal: Error, Hashable, Sendable {
    public var text: String
  }

  /// Adds a label, written `NAME=VALUE`.
  public mutating func add(_ text: String) throws(Refusal) {
    guard let sign = text.firstIndex(of: "=") else {
      throw Refusal(text: "a label is written NAME=VALUE")
    }
    let name = String(text[..<sign])
    let value = String(text[text.index(after: sign)...])
    let isName =
      name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      } && name.utf8.first.map { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") } == true
    guard isName, !name.hasPrefix("__"), name.utf8.count <= Self.nameBytesMax else {
      throw Refusal(
        text: "the name of a label has letters, digits and _, and doesn't begin with a digit or __")
    }
    guard !Self.taken.contains(name) else {
      throw Refusal(text: "'\(name)' is a label that metrics have of their own")
    }
    guard !value.isEmpty, value.utf8.count <= Self.valueBytesMax else {
      throw Refusal(
        text: "the value of a label has between 1 and \(Self.valueBytesMax) bytes")
    }
    guard !labels.contains(where: { $0.name == name }) else {
      throw Refusal(text: "the label '\(name)' is given twice")
    }
    guard labels.count < Self.labelsMax else {
      throw Refusal(text: "there are more than \(Self.labelsMax) labels")
    }
    labels.append((name, value))
    labels.sort { $0.name < $1.name }
  }

  private static let taken = Set(
    MetricLabel.allCases.map(\.rawValue) + ["le", "version", MetricFamily.appState.name])

  public static func == (a: RemoteLabels, b: RemoteLabels) -> Bool {
    a.labels.elementsEqual(b.labels) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    for label in labels {
      hasher.combine(label.name)
      hasher.combine(label.value)
    }
  }
}

/// The labels of one key's series, sorted once, to be written for each of its series.
struct SeriesLabels {
  private let labels: [(name: String, value: String)]

  init(_ key: SeriesKey, _ added: RemoteLabels) {
    var labels = added.labels
    // A label without a value is one that isn't there.
    for (label, value) in zip(key.family.labels, key.values) where !value.isEmpty {
      labels.append((label.rawValue, value))
    }
    self.labels = labels.sorted { $0.name < $1.name }
  }

  /// Writes the labels with the metric's name and at most one more in their order.
  func append(
    name: String, extra: (name: String, value: String)?, to bytes: inout [UInt8]
  ) {
    let metric = (name: "__name__", value: name)
    var hasMetric = false
    var hasExtra = extra == nil
    for label in labels {
      if !hasMetric, metric.name < label.name {
        Self.append(metric, to: &bytes)
        hasMetric = true
      }
      if !hasExtra, let extra, extra.name < label.name {
        if !hasMetric { Self.append(metric, to: &bytes) }
        hasMetric = true
        Self.append(extra, to: &bytes)
        hasExtra = true
      }
      Self.append(label, to: &bytes)
    }
    if !hasMetric { Self.append(metric, to: &bytes) }
    if !hasExtra, let extra { Self.append(extra, to: &bytes) }
  }

  /// A label of a series: a message of two texts.
  private static func append(_ label: (name: String, value: String), to bytes: inout [UInt8]) {
    let (name, value) = (label.name.utf8.count, label.value.utf8.count)
    bytes.append(1 << 3 | 2)
    let byteCount =
      2 + WireBytes.count(UInt64(name)) + name + WireBytes.count(UInt64(value)) + value
    WireBytes.append(UInt64(byteCount), to: &bytes)
    WireBytes.append(label.name, field: 1, to: &bytes)
    WireBytes.append(label.value, field: 2, to: &bytes)
  }
}
