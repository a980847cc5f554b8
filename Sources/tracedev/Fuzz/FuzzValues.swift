// Values of options that a person would give, and values that nobody would.
// This file must not know of single commands: an option's own help says what it takes.

import TraceCatalogue
import TraceRules
import TraceTestSupport

/// Chooses values.
enum FuzzValues {
  static let numbers = [
    "0", "-1", "1", "2", "3", "80", "65535", "65536", "4294967295", "4294967296",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "99999999999999999999999999", "1e999", "1e308", "-1e308", "1e-320",
    "nan", "inf", "-inf", "0.5", "-0", "0x10", "007", "+1", "1.5e3", "9007199254740993", "",
  ]
  static let durations = [
    "0s", "-1s", "1ns", "20ms", "1s", "1m", "1.5s", "9223372036854775807ns",
    "9223372036854775808ns", "9223372037s", "1e300s", "2562047h", "2562048h", "nan s", "infs",
    "-5ms", "0.0000000001s", "999999999999999999999h", "5", "s", "1 s",
  ]
  static let texts: [[UInt8]] =
    [
      "", "-", "--", "%", "%s%n%d", "\u{1b}[31m", "é", "*", "?", "\n", "\"", "'", "\\", "=", "a=b",
      ",", ",,,", "{", "[[", "{name}", "none", "all", "null", "true", "<x>", "&amp;", "]]>",
      "\u{202e}", "\u{1f9e8}", "#", "#0", "~", "$(id)", ";", "|", " ", "\t", "0",
    ].map { Array($0.utf8) } + [
      [0xff], [0xc3], [0xed, 0xa0, 0x80], [1, 2, 3], Array(repeating: 97, count: 70_000),
      Array(repeating: 42, count: 300), Array(repeating: 0xcc, count: 200),
    ]
  private static let questions = [
    "select * from captures", "select * from traces", "select * from events",
    "select * from findings", "select * from launches",
    "select count(*), min(time_ns) from events",
    "select 1/0, 9223372036854775807 + 1, -9223372036854775808, 1e999, -1e999, 0.1",
    "select randomblob(10), zeroblob(1000000), x'ff', char(0, 27, 55296)", "select", "",
    "; select 1", "select hex(zeroblob(900000))", "create table x(y)", "drop table events",
    "pragma user_version = 9", "attach 'other' as o", "select * from nothing", "select '", "/* ",
    "values (1), ('a', 2)", "select 1 as a, 2 as a, 3 as \"\"",
    "with r(n) as (select 1) select * from r", "explain select 1",
    "select printf('%.*c', 100000, 'x')", "select null",
  ]

  /// A rule, by one of the names that it has, or a family.
  private static func rule(_ random: inout SeededGenerator) -> String {
    guard let rule = Catalogue.all.randomElement(using: &random) else { return "" }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return String(rule.slug.prefix { $0 != "/" })
    case 1: return rule.slug
    case 2: return rule.id.lowercased()
    case 3: return rule.id + ".grace"
    default: return rule.id
    }
  }

  private static func one(_ texts: [String], _ random: inout SeededGenerator) -> String {
    texts.randomElement(using: &random) ?? ""
  }

  /// Something that nobody would give.
  static func odd(_ argument: FuzzArgument, _ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return Array(one(numbers, &random).utf8)
    case 1: return Array(one(durations, &random).utf8)
    case 2: return Array(one(argument.words, &random).utf8) + text(&random)
    default: return text(&random)
    }
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    texts.randomElement(using: &random) ?? []
  }

  /// Something that has the form of what is asked for; nil if that form isn't known.
  ///
  /// - Parameter oddity: How often, of eight times, a number or a duration is an extreme one.
  static func fitting(_ argument: FuzzArgument, oddity: Int, _ random: inout SeededGenerator)
    -> String?
  {
    func isOdd() -> Bool { Int.random(in: 0..<8, using: &random) < oddity }
    func number() -> String { one(isOdd() ? numbers : ["1", "2", "3", "80"], &random) }
    func duration() -> String { one(isOdd() ? durations : ["20ms", "1s", "1.5s", "1m"], &random) }
    switch argument.value {
    case "n", "number", "columns": return number()
    case "duration": return duration()
    case "i/n": return number() + "/" + number()
    case "list", "rule":
      let count = Int.random(in: 1...3, using: &random)
      return (0..<count).map { _ in rule(&random) }.joined(separator: ",")
    case "rule=value":
      return rule(&random) + "=" + (Bool.random(using: &random) ? number() : duration())
    case "rule=level":
      return rule(&random) + "="
        + one(isOdd() ? ["off", ""] : ["error", "warning", "note"], &random)
    case "field=value":
      let sound = [
        "8.1", "true", "audio", "[audio]", "[*]", "com.example.notes", "continuous", "1",
      ]
      return one(argument.words, &random) + "=" + one(isOdd() ? numbers : sound, &random)
    case "glob": return one(["*", "bg*", "????", "*a*b*c*d*e*", "ui.touch", "[a"], &random)
    case "sql": return one(questions, &random)
    case "launch|kind[#n]":
      let moment = one(["launch", "proc.start", "ui.touch", "*"], &random)
      return Bool.random(using: &random) ? moment : moment + "#" + number()
    case "duration.statistic=limit":
      let statistic = one(["p95", "max", "median", "p" + number()], &random)
      return one(["launch", "background_task", "enter_background"], &random) + "." + statistic
        + "=" + duration()
    case "address": return one(["http://x/{name}", "{name}", "javascript:{name}", "%"], &random)
    case "bundle-id": return one(["com.example.notes", "*", ""], &random)
    default: return nil
    }
  }
}
