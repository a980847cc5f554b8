// The text of a file of rules, made harmless for the library that reads YAML.
// This file must not know what rules are.

/// The characters of a file, and how they are handed to the YAML library.
///
/// Some characters are handed over as characters that no file has, and put back in every text
/// that comes out: `&` and `*`, so that there are no aliases and nothing can grow; `?`, so that
/// keys are short texts; and `>` before a letter, which would begin a block. Places stay the same.
struct SourceText {
  /// The file as it was written, one entry for each line, without line breaks.
  let lines: [[Unicode.Scalar]]
  /// What the library reads.
  private(set) var scalars: [Unicode.Scalar]
  private let standIns: [Unicode.Scalar: Unicode.Scalar]
  private let blockMark: Unicode.Scalar
  private let repeatedMark: Unicode.Scalar
  private var lineStarts: [Int]
  /// The first characters of keys that are there twice, which were replaced.
  private var repeatedStarts: [Place: Unicode.Scalar] = [:]

  /// Private-use characters of which some are free in any file but a hostile one.
  private static let candidates: ClosedRange<UInt32> = 0xF0000...0xF00FF

  /// Nil if the file uses the private-use characters that are needed here.
  init?(_ text: String) {
    // A mark of the order of bytes is no part of the text.
    let all = text.unicodeScalars
    let written = Array(all.first == "\u{FEFF}" ? all.dropFirst() : all[...])
    var taken: Set<UInt32> = []
    for index in written.indices {
      let value = Self.escaped(in: written, at: index) ?? written[index].value
      if Self.candidates.contains(value) { taken.insert(value) }
    }
    let free = Self.candidates.filter { !taken.contains($0) }.compactMap(Unicode.Scalar.init)
    guard free.count >= 5 else { return nil }
    blockMark = free[3]
    repeatedMark = free[4]
    standIns = [free[0]: "&", free[1]: "*", free[2]: "?", free[3]: ">"]
    scalars = written
    for index in scalars.indices {
      switch scalars[index] {
      case "&": scalars[index] = free[0]
      case "*": scalars[index] = free[1]
      case "?": scalars[index] = free[2]
      case ">":
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        if ("a"..."z").contains(next) || ("A"..."Z").contains(next) { scalars[index] = free[3] }
      default: break
      }
    }
    var lines: [[Unicode.Scalar]] = []
    lineStarts = [0]
    var index = 0
    while index < written.count {
      let scalar = written[index]
      index += 1
      guard Self.isBreak(scalar) else { continue }
      lines.append(Array(written[lineStarts[lines.count]..<(index - 1)]))
      if scalar == "\r", index < written.count, written[index] == "\n" { index += 1 }
      lineStarts.append(index)
    }
    lines.append(Array(written[lineStarts[lines.count]...]))
    self.lines = lines
  }

  /// The character that an escape of eight digits stands for; nil if there is none at a place.
  private static func escaped(in text: [Unicode.Scalar], at index: Int) -> UInt32? {
    guard text[index] == "U", index > 0, text[index - 1] == "\\", index + 8 < text.count else {
      return nil
    }
    var value: UInt32 = 0
    for scalar in text[(index + 1)...(index + 8)] {
      guard let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// What YAML takes for the end of a line.
  static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// The text that the library reads.
  var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// The place of the first character that YAML doesn't allow.
  var forbidden: Place? {
    for (number, line) in lines.enumerated() {
      for (column, scalar) in line.enumerated() where Self.isForbidden(scalar) {
        return Place(line: number + 1, column: column + 1)
      }
    }
    return nil
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x20...0x7E, 0xA0...0xFFFD, 0x10000...0x10_FFFF: false
    default: true
    }
  }

  /// The character at a place; nil at the end of a line.
  func scalar(at place: Place) -> Unicode.Scalar? {
    guard lines.indices.contains(place.line - 1),
      lines[place.line - 1].indices.contains(place.column - 1)
    else { return nil }
    return lines[place.line - 1][place.column - 1]
  }

  /// A line as it was written.
  func line(_ number: Int) -> String {
    guard lines.indices.contains(number - 1) else { return "" }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: lines[number - 1])
    return String(view)
  }

  /// A text as it was written.
  func restored(_ text: String, at place: Place) -> String {
    var view = String.UnicodeScalarView()
    var isFirst = true
    for scalar in text.unicodeScalars {
      if isFirst, scalar == repeatedMark {
        let start = repeatedStarts[place] ?? repeatedStarts[place.moved(by: 1)]
        view.append(start ?? scalar)
      } else {
        view.append(standIns[scalar] ?? scalar)
      }
      isFirst = false
    }
    return String(view)
  }

  /// What a text that isn't quoted begins with, if YAML would take it for something else.
  func reservedStart(of text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first.flatMap { standIns[$0] }
  }

  /// Makes the key at a place different from all others; false if that isn't possible.
  mutating func markRepeatedKey(at place: Place) -> Bool {
    guard var index = index(of: place) else { return false }
    var start = place
    if scalars[index] == "\"" || scalars[index] == "'" {
      index += 1
      start = place.moved(by: 1)
    }
    guard index < scalars.count, repeatedStarts[start] == nil,
      !Self.isBreak(scalars[index]), !"[]{},:#\\!\"'".unicodeScalars.contains(scalars[index])
    else { return false }
    repeatedStarts[start] = standIns[scalars[index]] ?? scalars[index]
    scalars[index] = repeatedMark
    return true
  }

  /// Empties the item of the list of rules that has a line in it; false if there is none. Lines
  /// keep their numbers.
  mutating func removeItem(around line: Int) -> Bool {
    guard let indentation = itemIndentation else { return false }
    let last = min(line, lines.count)
    guard
      let first = (1...max(1, last)).last(where: { isItem($0, indentation) && !isRemoved($0) })
    else { return false }
    let end =
      ((first + 1)..<(lines.count + 1)).first {
        isItem($0, indentation) || isOutside($0, indentation)
      } ?? lines.count + 1
    for number in first..<end {
      let start = lineStarts[number - 1]
      for index in start..<(start + lines[number - 1].count) { scalars[index] = " " }
    }
    return true
  }

  /// The indentation of the dashes below `rules:`.
  private var itemIndentation: Int? {
    let key = Array("rules:".unicodeScalars)
    guard let header = lines.firstIndex(where: { $0.starts(with: key) }) else { return nil }
    for line in lines[(header + 1)...] {
      let indentation = line.prefix { $0 == " " }.count
      if line.dropFirst(indentation).starts(with: ["-", " "]) { return indentation }
      if let first = line.dropFirst(indentation).first, first != "#" { return nil }
    }
    return nil
  }

  private func isItem(_ number: Int, _ indentation: Int) -> Bool {
    let line = lines[number - 1]
    return line.prefix { $0 == " " }.count == indentation
      && line.dropFirst(indentation).starts(with: ["-", " "])
  }

  private func isOutside(_ number: Int, _ indentation: Int) -> Bool {
    let line = lines[number - 1]
    let own = line.prefix { $0 == " " }.count
    return own == 0 && own <= indentation && own < line.count && line[own] != "-"
      && line[own] != "#"
  }

  private func isRemoved(_ number: Int) -> Bool {
    let start = lineStarts[number - 1]
    return scalars[start..<(start + lines[number - 1].count)].allSatisfy { $0 == " " }
  }

  private func index(of place: Place) -> Int? {
    guard lines.indices.contains(place.line - 1),
      lines[place.line - 1].indices.contains(place.column - 1)
    else { return nil }
    return lineStarts[place.line - 1] + place.column - 1
  }
}
