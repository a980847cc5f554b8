// Tests of arguments made fast: a text is compared once per batch, not once per event.

import TraceLifecycle
import TraceModel

/// A ``FieldTest`` that remembers, for each text of a batch, whether it is one of those wanted.
///
/// A class, because what it remembers is changed while a monitor that holds it is read.
final class CompiledTest {
  /// What is done, without what it is done with: that is read where it is needed only.
  private enum Form {
    case text, isTrue, isFalse, isPresent, not, all, any
    case compare(Comparison)
  }

  private let test: FieldTest
  private let form: Form
  /// The argument that is asked for; of no meaning for combinations.
  private let name: ArgumentName
  private let parts: [CompiledTest]
  /// The number that an argument is compared with.
  private let number: ExactNumber
  /// The texts of the header's field.
  private let list: [String]?
  @safe @exclusivity(unchecked) private var memo: [UInt8] = []
  @safe @exclusivity(unchecked) private var batchNumber = -1

  init(_ test: FieldTest, _ judge: Judge, _ ruleIndex: Int) {
    self.test = test
    (form, name) = Self.form(of: test)
    var number = ExactNumber.whole(0)
    var list: [String]?
    switch test {
    case .not(let inner): parts = [CompiledTest(inner, judge, ruleIndex)]
    case .all(let tests), .any(let tests):
      parts = tests.map { CompiledTest($0, judge, ruleIndex) }
    case .compare(_, _, let amount):
      parts = []
      if case .large(let large) = amount {
        number = ExactNumber(large)
      } else {
        number = .whole(judge.value(of: amount, ruleIndex))
      }
    case .isInHeader(_, let field), .isNotInHeader(_, let field):
      parts = []
      list = judge.strings(asked: field)
    default: parts = []
    }
    self.number = number
    self.list = list
  }

  private static func form(of test: FieldTest) -> (Form, ArgumentName) {
    switch test {
    case .isText(let name, _), .matches(let name, _), .isInHeader(let name, _),
      .isNotInHeader(let name, _):
      (.text, name)
    case .isTrue(let name): (.isTrue, name)
    case .isFalse(let name): (.isFalse, name)
    case .isPresent(let name): (.isPresent, name)
    case .compare(let name, let comparison, _): (.compare(comparison), name)
    case .not: (.not, ArgumentName(rawValue: 0))
    case .all: (.all, ArgumentName(rawValue: 0))
    case .any: (.any, ArgumentName(rawValue: 0))
    }
  }

  /// Lets go of what it remembers of a batch.
  func forgetTexts() {
    memo = []
    batchNumber = -1
    for part in parts { part.forgetTexts() }
  }

  /// Whether the event passes; arguments that a return lacks are those of its enter.
  func holds(for hearing: Hearing) -> Bool {
    switch form {
    case .text: return isText(hearing)
    case .isTrue: return boolean(name, hearing) == true
    case .isFalse: return boolean(name, hearing) == false
    case .isPresent:
      return hearing.batch.bits(name, of: hearing.event) != nil || hearing.said(name) != nil
    case .compare(let comparison):
      guard let value = numeric(name, hearing) else { return false }
      return comparison.holds(value, number)
    case .not: return !parts[0].holds(for: hearing)
    case .all:
      for part in parts where !part.holds(for: hearing) { return false }
      return true
    case .any:
      for part in parts where part.holds(for: hearing) { return true }
      return false
    }
  }

  /// Whether a text is one of those wanted; asked once per batch.
  private func matches(_ text: String) -> Bool {
    switch test {
    case .isText(_, let texts): texts.contains(text)
    case .matches(_, let pattern): Glob.matches(text, pattern)
    case .isInHeader: list?.contains(text) == true
    case .isNotInHeader: list?.contains(text) == false
    default: false
    }
  }

  private func isText(_ hearing: Hearing) -> Bool {
    guard let (type, bits) = hearing.batch.bits(name, of: hearing.event) else {
      guard case .text(let text)? = hearing.said(name) else { return false }
      return matches(text)
    }
    guard type == .string else { return false }
    if hearing.batchNumber != batchNumber {
      batchNumber = hearing.batchNumber
      memo.removeAll(keepingCapacity: true)
    }
    let text = Int(bits)
    while memo.count <= text { memo.append(0) }
    if memo[text] == 0 { memo[text] = matches(hearing.batch.strings[text]) ? 2 : 1 }
    return memo[text] == 2
  }

  private func boolean(_ name: ArgumentName, _ hearing: Hearing) -> Bool? {
    if let (type, bits) = hearing.batch.bits(name, of: hearing.event) {
      return type == .boolean ? bits != 0 : nil
    }
    guard case .boolean(let value)? = hearing.said(name) else { return nil }
    return value
  }

  private func numeric(_ name: ArgumentName, _ hearing: Hearing) -> ExactNumber? {
    if let (type, bits) = hearing.batch.bits(name, of: hearing.event) {
      switch type {
      case .integer: return .whole(Int64(bitPattern: bits))
      case .unsigned: return ExactNumber(bits)
      case .number: return .fraction(Double(bitPattern: bits))
      default: return nil
      }
    }
    switch hearing.said(name) {
    case .bits(let bits)?:
      // What an enter said is kept without its sign: a large number is meant if it is asked for.
      if case .large = number { return ExactNumber(bits) }
      return .whole(Int64(bitPattern: bits))
    case .fraction(let bits)?: return .fraction(Double(bitPattern: bits))
    default: return nil
    }
  }
}

/// Patterns in which `*` stands for any characters and `?` for one.
package enum Glob {
  /// Whether a text matches. Time is at most the product of the lengths.
  package static func matches(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text.unicodeScalars)
    let pattern = Array(pattern.unicodeScalars)
    var place = 0
    var wanted = 0
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if wanted < pattern.count, pattern[wanted] == "*" {
        star = (wanted, place)
        wanted += 1
      } else if wanted < pattern.count, pattern[wanted] == "?" || pattern[wanted] == text[place] {
        place += 1
        wanted += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        place = last.text + 1
        wanted = last.pattern + 1
      } else {
        return false
      }
    }
    while wanted < pattern.count, pattern[wanted] == "*" { wanted += 1 }
    return wanted == pattern.count
  }
}
