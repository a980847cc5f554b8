// The content of a block from its columns: the template column, and times and arguments if asked.

import TraceModel

/// What of a block's events is read.
public struct BlockParts: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Dictionary and template column: always read.
  public static let templates: BlockParts = []
  public static let times = BlockParts(rawValue: 1)
  public static let arguments = BlockParts(rawValue: 2)
  public static let all: BlockParts = [.times, .arguments]
  /// What the others need, which are read later.
  static let toBeContinued = BlockParts(rawValue: 4)
}

/// Reads blocks of columns. Reused from block to block.
struct ColumnBlockReader: Sendable {
  /// The value of the template column that says that the template stands behind all events.
  static let escapeByte: UInt8 = 255

  private var plan = ColumnPlan()
  private var times = TimeReader()
  private var arguments = ArgumentReader()
  private var dictionary: [UInt8] = []
  private var column: [UInt8] = []
  private var groups: [UInt8] = []
  /// The column template of each event.
  private var templates: [UInt16] = []

  init() {}

  /// Reads a block into an empty batch. Times stay in ticks.
  ///
  /// - Parameters:
  ///   - chunk: All columns as they stand in the file.
  ///   - frames: Opens the columns.
  mutating func read(
    _ chunk: Span<UInt8>, _ summary: BlockSummary, parts: BlockParts,
    _ frames: inout FrameReader, into batch: inout EventBatch
  ) throws(FormatDamage) {
    let columns = summary.columns
    guard ColumnLayout.range(of: columns.count - 1, columns).upperBound == chunk.count else {
      throw FormatDamage("it holds \(chunk.count) bytes of columns, and declares others")
    }
    let streams = Column.symbols..<columns.count
    var symbolCount = 0
    for stream in streams { symbolCount += columns[stream].rawByteCount }
    // Each event has a byte in the template column and one in a stream, so that the columns that
    // are reserved follow bytes that are really there.
    guard columns[Column.templates].rawByteCount >= summary.eventCount,
      symbolCount == summary.eventCount
    else { throw FormatDamage("it declares more or fewer events than its columns hold") }

    dictionary.removeAll(keepingCapacity: true)
    try frames.append(chunk, Column.dictionary, columns, summary.codec, to: &dictionary)
    var offset = 0
    let bytes = dictionary
    try BlockDictionary.read(bytes.span, &offset, into: &batch)
    try BlockReader.check(batch, summary)
    try plan.read(
      bytes.span, &offset, batch, streamCount: streams.count,
      argumentByteCount: columns[Column.arguments].rawByteCount)
    guard offset == bytes.count else { throw FormatDamage("bytes follow its dictionary") }

    column.removeAll(keepingCapacity: true)
    try frames.append(chunk, Column.templates, columns, summary.codec, to: &column)
    try readTemplates(eventCount: summary.eventCount, keepsAll: !parts.isEmpty, into: &batch)
    try readRest(chunk, summary, parts: parts, &frames, into: &batch)
  }

  /// Reads other parts of the block that was read last.
  mutating func readRest(
    _ chunk: Span<UInt8>, _ summary: BlockSummary, parts: BlockParts,
    _ frames: inout FrameReader, into batch: inout EventBatch
  ) throws(FormatDamage) {
    let columns = summary.columns
    if parts.contains(.times) { try readTimes(chunk, summary, &frames, into: &batch) }
    if parts.contains(.arguments) {
      column.removeAll(keepingCapacity: true)
      try frames.append(chunk, Column.arguments, columns, summary.codec, to: &column)
      // Second references, so that reading them isn't an access to the whole reader; no copies.
      let (bytes, templates) = (column, templates)
      try arguments.read(bytes.span, plan, templates.span, into: &batch)
    }
  }

  /// Reads the template of each event.
  private mutating func readTemplates(
    eventCount: Int, keepsAll: Bool, into batch: inout EventBatch
  ) throws(FormatDamage) {
    // What each byte stands for. Bytes without a template are noticed behind the loop.
    var known = [UInt16](repeating: .max, count: 256)
    let escape = Int(Self.escapeByte)
    for index in 0..<min(plan.templates.count, escape) {
      known[index] = plan.templates[index].template
    }
    var indices: [UInt16] = []
    swap(&indices, &batch.templateIndices)
    defer { swap(&indices, &batch.templateIndices) }
    indices.appendZeros(eventCount)
    templates.removeAll(keepingCapacity: true)
    if keepsAll { templates.appendZeros(eventCount) }
    let hasUnknown: Bool
    do {
      var span = indices.mutableSpan
      hasUnknown = Self.expand(column.span, known.span, &span)
      if keepsAll { Self.widen(column, &templates) }
    }
    var place = eventCount
    if hasUnknown {
      for event in 0..<eventCount where indices[event] == .max {
        guard column[event] == Self.escapeByte, column.count - place >= 2 else { throw unknown }
        let template = escape + Int(column[place]) + Int(column[place + 1]) << 8
        guard template < plan.templates.count else { throw unknown }
        place += 2
        indices[event] = plan.templates[template].template
        if keepsAll { templates[event] = UInt16(template) }
      }
    }
    guard place == column.count else { throw FormatDamage("bytes follow its templates") }
  }

  private var unknown: FormatDamage { FormatDamage("an event names a template that isn't there") }

  private static func widen(_ bytes: [UInt8], _ templates: inout [UInt16]) {
    let bytes = bytes.span
    var templates = templates.mutableSpan
    precondition(bytes.count >= templates.count)
    for event in templates.indices { templates[event] = UInt16(bytes[event]) }
  }

  /// Looks up every byte; whether one is unknown.
  private static func expand(
    _ bytes: Span<UInt8>, _ known: Span<UInt16>, _ indices: inout MutableSpan<UInt16>
  ) -> Bool {
    var highest: UInt16 = 0
    precondition(known.count == 256 && bytes.count >= indices.count)
    for event in 0..<indices.count {
      let template = known[Int(bytes[event])]
      highest = max(highest, template)
      indices[event] = template
    }
    return highest == .max
  }

  private mutating func readTimes(
    _ chunk: Span<UInt8>, _ summary: BlockSummary, _ frames: inout FrameReader,
    into batch: inout EventBatch
  ) throws(FormatDamage) {
    let columns = summary.columns
    groups.removeAll(keepingCapacity: true)
    try frames.append(chunk, Column.groups, columns, summary.codec, to: &groups)
    column.removeAll(keepingCapacity: true)
    var starts = [0]
    for stream in Column.symbols..<columns.count {
      try frames.append(chunk, stream, columns, summary.codec, to: &column)
      starts.append(column.count)
    }
    column.appendZeros(TimeKernel.symbolPaddingBytes)
    // Second references, so that reading them isn't an access to the whole reader; no copies.
    let (groups, column, templates) = (groups, column, templates)
    // Taken out and put back, so that it can be filled while the batch is read.
    var ticks: [Int64] = []
    swap(&ticks, &batch.timesNanoseconds)
    defer { swap(&ticks, &batch.timesNanoseconds) }
    try times.read(
      groups: groups.span,
      lowBits: chunk.extracting(ColumnLayout.range(of: Column.lowBits, columns)),
      symbols: column.span, streamStarts: starts, plan, batch, templates.span,
      from: summary.earliestTicks, into: &ticks)
  }
}

/// Opens the frames of columns with the codecs at hand.
struct FrameReader: Sendable {
  private var codec: ChunkCodec
  private var storedCodec = ChunkCodec.stored

  init(codec: ChunkCodec) { self.codec = codec }

  /// Appends the content of one column. Its size has been compared with its bound.
  mutating func append(
    _ chunk: Span<UInt8>, _ column: Int, _ columns: [ColumnSize], _ codec: UInt8,
    to output: inout [UInt8]
  ) throws(FormatDamage) {
    try append(
      chunk.extracting(ColumnLayout.range(of: column, columns)),
      rawByteCount: columns[column].rawByteCount, codec, to: &output)
  }

  /// Appends the content of a frame, with the codec of this number.
  mutating func append(
    _ frame: Span<UInt8>, rawByteCount: Int, _ identifier: UInt8, to output: inout [UInt8]
  ) throws(FormatDamage) {
    do throws(CodecError) {
      if identifier == storedCodec.identifier {
        try storedCodec.decompress(frame, rawByteCount: rawByteCount, into: &output)
      } else if identifier == codec.identifier {
        try codec.decompress(frame, rawByteCount: rawByteCount, into: &output)
      } else {
        let name = identifier == 2 ? "zstd" : "number \(identifier)"
        throw CodecError(
          .refused, at: 0, "it needs the codec \(name), which this reader doesn't have")
      }
    } catch { throw FormatDamage(error.message) }
  }
}
