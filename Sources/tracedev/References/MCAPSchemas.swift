// What the channels of an MCAP file say of their messages, and the messages themselves.
// This file must not know the file around them.

import TraceModel

/// A channel for each kind; its messages have the arguments of all events of the kind.
struct MCAPSchemas {
  struct Channel {
    var topic: String
    var message: String
    var fields: [ReferenceTrace.Field] = []
    /// The message as a set of file descriptors.
    var descriptor: [UInt8] = []
  }

  static let package = "workload"
  private static let threadField = 1
  private static let phaseField = 2
  private static let firstArgument = 3

  private(set) var channels: [Channel] = []
  private(set) var channelOfShape: [Int] = []
  /// The number of each argument's field in its message.
  private var fieldNumbers: [[Int]] = []
  private let shapes: [ReferenceTrace.Shape]

  init(_ trace: ReferenceTrace) {
    shapes = trace.shapes
    for shape in shapes {
      let number = self.number(of: shape.name)
      channelOfShape.append(number)
      var numbers: [Int] = []
      for field in shape.fields { numbers.append(add(field, to: number)) }
      fieldNumbers.append(numbers)
    }
    for number in channels.indices {
      channels[number].descriptor = Self.descriptor(of: channels[number])
    }
  }

  private mutating func number(of topic: String) -> Int {
    if let number = channels.firstIndex(where: { $0.topic == topic }) { return number }
    let message = String(topic.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    channels.append(Channel(topic: topic, message: message))
    return channels.count - 1
  }

  private mutating func add(_ field: ReferenceTrace.Field, to number: Int) -> Int {
    if let place = channels[number].fields.firstIndex(of: field) {
      return place + Self.firstArgument
    }
    channels[number].fields.append(field)
    return channels[number].fields.count - 1 + Self.firstArgument
  }

  /// The numbers that descriptors give to types.
  private enum FieldType: UInt64 {
    case double = 1
    case int64 = 3
    case uint64 = 4
    case int32 = 5
    case boolean = 8
    case string = 9

    init(_ type: ArgumentType) {
      self =
        switch type {
        case .integer: .int64
        case .unsigned: .uint64
        case .number: .double
        case .boolean: .boolean
        case .string, .json: .string
        }
    }
  }

  private static func descriptor(of channel: Channel) -> [UInt8] {
    var names: Set = ["thread", "phase"]
    func add(
      _ name: String, _ number: Int, _ type: FieldType, to message: inout ReferenceBytes
    ) {
      message.field(2) {
        $0.field(1, name)
        $0.field(3, UInt64(number))
        $0.field(4, 1)
        $0.field(5, type.rawValue)
      }
    }
    var message = ReferenceBytes()
    message.field(1, channel.message)
    add("thread", threadField, .int64, to: &message)
    add("phase", phaseField, .int32, to: &message)
    for (place, field) in channel.fields.enumerated() {
      var name = field.name
      while !names.insert(name).inserted { name += "_" }
      add(name, place + firstArgument, FieldType(field.type), to: &message)
    }
    var set = ReferenceBytes()
    set.field(1) {
      $0.field(1, "\(channel.message).proto")
      $0.field(2, package)
      $0.field(4, bytes: message.bytes)
      $0.field(12, "proto3")
    }
    return set.bytes
  }

  /// The message of an event. Zeros and empty texts are left out, as generated code does.
  func append(_ entry: ReferenceTrace.Entry, to message: inout ReferenceBytes) {
    let shape = shapes[entry.shape]
    if entry.thread != 0 {
      message.field(Self.threadField, UInt64(bitPattern: entry.thread))
    }
    if shape.phase != .instant { message.field(Self.phaseField, UInt64(shape.phase.rawValue)) }
    for (place, field) in shape.fields.enumerated() {
      let number = fieldNumbers[entry.shape][place]
      let bits = entry.bits(place)
      switch field.type {
      case .string, .json:
        let text = entry.text(place)
        if !text.isEmpty { message.field(number, bytes: text) }
      case .number: if bits != 0 { message.field(number, double: bits) }
      case .integer, .unsigned, .boolean: if bits != 0 { message.field(number, bits) }
      }
    }
  }
}
