// Swift code without its comments and texts, line by line, as far as tests of words need it.

/// The code of a file.
struct SourceCode {
  /// As many as the file has; comments are gone, and of texts the quotes are left and what is
  /// interpolated.
  let lines: [String]

  /// That of all files of the product.
  static let ofProduct = Repository.swiftFiles(below: "Sources").map {
    (file: $0, code: SourceCode($0.lines.joined(separator: "\n")))
  }

  init(_ text: String) {
    var reader = CodeReader(Array(text.utf8))
    reader.read()
    lines = reader.output.split(separator: CodeReader.newline, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Reads code byte by byte.
private struct CodeReader {
  static let newline = UInt8(ascii: "\n")

  private enum State {
    case code(parentheses: Int)
    case text(quotes: Int, hashes: Int)
  }

  private let bytes: [UInt8]
  private var place = 0
  private var states: [State] = [.code(parentheses: 0)]
  private(set) var output: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() {
    while place < bytes.count {
      switch states[states.count - 1] {
      case .code(let parentheses): readCode(parentheses)
      case .text(let quotes, let hashes): readText(quotes, hashes)
      }
    }
  }

  /// How many of these bytes stand at a place.
  private func count(_ byte: Character, at start: Int, max: Int = .max) -> Int {
    var end = start
    while end < bytes.count, end - start < max, bytes[end] == byte.asciiValue { end += 1 }
    return end - start
  }

  private mutating func readCode(_ parentheses: Int) {
    let byte = bytes[place]
    if byte == UInt8(ascii: "/"), count("/", at: place, max: 2) == 2 {
      while place < bytes.count, bytes[place] != Self.newline { place += 1 }
      return
    }
    if byte == UInt8(ascii: "/"), count("*", at: place + 1) > 0 {
      while place < bytes.count,
        count("*", at: place, max: 1) + count("/", at: place + 1, max: 1) < 2
      {
        if bytes[place] == Self.newline { output.append(Self.newline) }
        place += 1
      }
      place += 2
      return
    }
    let hashes = count("#", at: place)
    let quotes = count("\"", at: place + hashes, max: 3)
    if quotes > 0 {
      // Two quotes are a text without anything.
      let length = quotes == 3 ? 3 : 1
      states.append(.text(quotes: length, hashes: hashes))
      output.append(UInt8(ascii: "\""))
      place += hashes + length
      return
    }
    place += 1
    output.append(byte)
    guard states.count > 1 else { return }
    if byte == UInt8(ascii: "(") {
      states[states.count - 1] = .code(parentheses: parentheses + 1)
    } else if byte == UInt8(ascii: ")") {
      states.removeLast()
      if parentheses > 0 { states.append(.code(parentheses: parentheses - 1)) }
    }
  }

  private mutating func readText(_ quotes: Int, _ hashes: Int) {
    let byte = bytes[place]
    if byte == UInt8(ascii: "\""), count("\"", at: place, max: quotes) == quotes,
      count("#", at: place + quotes, max: hashes) == hashes
    {
      states.removeLast()
      output.append(byte)
      place += quotes + hashes
    } else if byte == UInt8(ascii: "\\"), count("#", at: place + 1, max: hashes) == hashes {
      if count("(", at: place + 1 + hashes) > 0 {
        states.append(.code(parentheses: 0))
        output.append(UInt8(ascii: "("))
      }
      place += 2 + hashes
    } else {
      if byte == Self.newline { output.append(byte) }
      place += 1
    }
  }
}
