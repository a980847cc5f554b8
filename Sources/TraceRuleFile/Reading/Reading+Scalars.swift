// Reads the small values of rules: texts, numbers, durations, words.

import TraceLifecycle
import TraceModel
import TraceRules

extension Reading {
  /// A text; nil, with a problem reported, for anything else.
  func text(_ value: YAMLValue, _ what: String) -> String? {
    if let text = value.text, !value.isEmpty { return text }
    error(.badType, at: value.place, "\(what) is \(value.description)", expected: "a text")
    return nil
  }

  func boolean(_ value: YAMLValue, _ what: String) -> Bool? {
    switch value.text {
    case "true"?: return true
    case "false"?: return false
    default:
      error(
        .badType, at: value.place, "\(what) is \(value.description)", expected: "true or false",
        suggestion: value.text.flatMap {
          ["yes", "on", "1"].contains($0.lowercased())
            ? "true"
            : ["no", "off", "0"].contains($0.lowercased())
              ? "false" : nearest(to: $0, among: ["true", "false"])
        })
      return nil
    }
  }

  func integer(_ value: YAMLValue, _ what: String) -> Int64? {
    if let text = value.text, let number = Int64(text) { return number }
    error(
      .badNumber, at: value.place, "\(what) is \(value.description)", expected: "a whole number")
    return nil
  }

  /// A number that is no duration: whole and not below zero.
  func count(
    _ value: YAMLValue, _ what: String, least: Int64 = 0, most: Int64 = .max
  ) -> Int64? {
    guard let number = integer(value, what) else { return nil }
    if (least...most).contains(number) { return number }
    reportRange(number, least, most, at: value.place, what)
    return nil
  }

  /// A duration in nanoseconds, not below zero.
  func duration(_ value: YAMLValue, _ what: String) -> Int64? {
    guard let text = text(value, what) else { return nil }
    return duration(text, at: value.place, what)
  }

  func duration(_ text: String, at place: Place, _ what: String) -> Int64? {
    let shown = PrintableScalars.shown(text)
    do throws(DurationWords.Failure) {
      let nanoseconds = try DurationWords.nanoseconds(text)
      if nanoseconds >= 0 { return nanoseconds }
      error(.badDuration, at: place, "\(what) is \(shown)", expected: "no less than 0s")
    } catch {
      report(error, shown, at: place, what)
    }
    return nil
  }

  private func report(
    _ failure: DurationWords.Failure, _ shown: String, at place: Place, _ what: String
  ) {
    switch failure {
    case .noUnit(let number, ""):
      error(
        .numberWithoutUnit, at: place, "\(what) is the number \(number) without a unit",
        expected: "a duration such as \(number)s or \(number)ms", suggestion: "\(number)s")
    case .noUnit(let number, let unit):
      let meant = Self.unit(meantBy: unit)
      error(
        .badDuration, at: place, "\(what) has the unknown unit '\(PrintableScalars.shown(unit))'",
        expected: "one of the units ns, us, ms, s, m, h", suggestion: meant.map { number + $0 })
    case .notANumber:
      error(
        .badDuration, at: place, "\(what) is '\(shown)'", expected: "a duration such as 5s or 500ms"
      )
    case .outOfRange:
      error(
        .badDuration, at: place, "\(what) is '\(shown)'",
        expected: "whole nanoseconds, and no more than 292 years")
    }
  }

  /// The unit that a word stands for in common language.
  private static func unit(meantBy word: String) -> String? {
    switch word.lowercased().drop(while: { $0 == " " }) {
    case "s", "sec", "secs", "second", "seconds": "s"
    case "ms", "msec", "millis", "millisecond", "milliseconds": "ms"
    case "us", "µs", "μs", "usec", "microsecond", "microseconds": "us"
    case "ns", "nsec", "nanosecond", "nanoseconds": "ns"
    case "m", "min", "mins", "minute", "minutes": "m"
    case "h", "hr", "hrs", "hour", "hours": "h"
    default: nil
    }
  }

  /// One of some words.
  func word<Value>(
    _ value: YAMLValue, _ what: String, among words: [(String, Value)],
    _ code: RuleFileProblem.Code = .badWord
  ) -> Value? {
    guard let text = text(value, what) else { return nil }
    if let known = words.first(where: { $0.0 == text }) { return known.1 }
    unknown(code, what, text, at: value.place, among: words.map(\.0))
    return nil
  }

  /// The elements of a list; a value that is no list is a list with one element.
  func elements(_ value: YAMLValue) -> [YAMLValue] {
    if case .list(let values) = value.content { values } else { [value] }
  }

  /// Texts, one or a list of them.
  func texts(_ value: YAMLValue, _ what: String) -> [String] {
    elements(value).compactMap { text($0, what) }
  }

  /// A number or a parameter where a duration is asked for.
  func durationAmount(_ value: YAMLValue, _ what: String) -> Amount? {
    guard let text = text(value, what) else { return nil }
    guard let named = namedAmount(text, value) else {
      return duration(text, at: value.place, what).map { .fixed($0) }
    }
    switch named.amount {
    case .parameter(let name)?: return isDuration(name, value, what) ? named.amount : nil
    case .argument? where what != "'within'":
      error(
        .unsupported, at: value.place, "\(what) can't be what each event says",
        expected: "a duration, or a parameter")
      return nil
    default: return named.amount
    }
  }

  /// Whether a parameter is a duration.
  private func isDuration(_ name: String, _ value: YAMLValue, _ what: String) -> Bool {
    guard let parameter = parameters[name], parameter.unit != .nanoseconds else { return true }
    let shown = PrintableScalars.shown(name)
    if let number = parameter.number {
      error(
        .numberWithoutUnit, at: number.place,
        "\(what) is '$\(shown)', which is a number without a unit",
        expected: "a duration such as \(number.text)s or \(number.text)ms",
        suggestion: "\(number.text)s")
    } else {
      error(
        .badDuration, at: value.place,
        "\(what) is '$\(shown)', whose unit is "
          + Names.word(parameter.unit, in: Names.parameterUnits),
        expected: "a parameter in nanoseconds")
    }
    return false
  }

  /// A number or a parameter where a count is asked for.
  func countAmount(
    _ value: YAMLValue, _ what: String, least: Int64 = 0, most: Int64 = .max
  ) -> Amount? {
    guard let text = text(value, what) else { return nil }
    guard let named = namedAmount(text, value) else {
      return count(value, what, least: least, most: most).map { .fixed($0) }
    }
    switch named.amount {
    case .parameter(let name)?:
      guard let parameter = parameters[name] else { return named.amount }
      if parameter.unit == .nanoseconds {
        error(
          .badNumber, at: value.place,
          "\(what) is '$\(PrintableScalars.shown(name))', which is a duration",
          expected: "a number, or a parameter without a unit")
        return nil
      }
      guard let number = parameter.value, !(least...most).contains(number) else {
        return named.amount
      }
      reportRange(number, least, most, at: value.place, what)
      return nil
    case .argument?:
      error(
        .unsupported, at: value.place, "\(what) can't be what each event says",
        expected: "a number, or a parameter")
      return nil
    default: return named.amount
    }
  }

  /// The number of an amount that the rule states; nil for others.
  func fixed(_ amount: Amount) -> Int64? {
    switch amount {
    case .fixed(let number): number
    case .parameter(let name): parameters[name]?.value
    case .large, .argument: nil
    }
  }

  private func reportRange(
    _ number: Int64, _ least: Int64, _ most: Int64, at place: Place, _ what: String
  ) {
    error(
      .badNumber, at: place, "\(what) is \(number)",
      expected: number < least ? "no less than \(least)" : "at most \(most)")
  }

  /// `$limit`, or `argument(limit_s, 1s)`. The amount inside is nil if it is wrong.
  private func namedAmount(_ text: String, _ value: YAMLValue) -> (amount: Amount?, Void)? {
    if text.hasPrefix("$") {
      return (parameter(String(text.dropFirst()), at: value.place), ())
    }
    guard text.hasPrefix("argument("), text.hasSuffix(")") else { return nil }
    let parts = text.dropFirst(9).dropLast().split(separator: ",").map { part in
      String(part.filter { $0 != " " })
    }
    guard parts.count == 2 else {
      error(
        .badNumber, at: value.place, "'\(PrintableScalars.shown(text))' is no amount",
        expected: "an argument and the length of its unit, such as argument(limit_s, 1s)")
      return (nil, ())
    }
    guard let name = argument(parts[0], at: place(of: value, at: 9)),
      let unit = duration(parts[1], at: value.place, "the unit of '\(name.knownText ?? "")'")
    else { return (nil, ()) }
    return (.argument(name, unitNanoseconds: unit), ())
  }

  /// A parameter of the rule.
  func parameter(_ name: String, at place: Place) -> Amount? {
    usedParameters.insert(name)
    if parameterNames.contains(name) { return .parameter(name) }
    let names = parameterNames
    error(
      .unknownParameter, at: place,
      "the rule has no parameter '\(PrintableScalars.shown(name))'",
      expected: names.isEmpty ? "a parameter that 'parameters' declares" : "",
      suggestion: nearest(to: name, among: names).map { "$" + $0 })
    return nil
  }

  /// An argument of the vocabulary.
  func argument(_ name: String, at place: Place, among near: [String] = []) -> ArgumentName? {
    if let known = ArgumentName.known(name) { return known }
    let nearest =
      nearest(to: name, among: near)
      ?? nearest(to: name, among: Names.arguments)
    error(
      .unknownArgument, at: place, "no argument '\(PrintableScalars.shown(name))'",
      expected: near.isEmpty || nearest != nil ? "" : "one of \(near.joined(separator: ", "))",
      suggestion: nearest)
    return nil
  }

  /// The length of a time, with a clock of its own or the one that the clause says.
  func time(_ value: YAMLValue, _ what: String, on clock: Clock = .run) -> Time? {
    guard value.entries != nil else {
      return durationAmount(value, what).map { Time($0, on: clock) }
    }
    guard var map = MapReader(value, what, self) else { return nil }
    let amount = map.required("time").flatMap { durationAmount($0, what) }
    let ownClock = map.value("clock").flatMap { word($0, "clock", among: Names.clocks) }
    var states: Set<LifecycleState>?
    if let list = map.value("phases") {
      states = Set(
        elements(list).compactMap { word($0, "phase", among: Names.states, .unknownState) })
    }
    map.finish()
    return amount.map { Time($0, on: ownClock ?? clock, in: states) }
  }

  /// The fields that tell one key from another.
  func keyFields(_ value: YAMLValue, among near: [String] = []) -> [KeyField] {
    let elements = elements(value)
    if elements.count > Self.keyFieldsMax {
      error(
        .tooMany, at: elements[Self.keyFieldsMax].place, "a key has \(elements.count) fields",
        expected: "at most \(Self.keyFieldsMax)")
    }
    return elements.compactMap { element in
      guard let text = text(element, "'key'") else { return nil }
      return keyField(text, at: element.place, among: near)
    }
  }

  /// As many fields as the engine tells keys by.
  static let keyFieldsMax = 2

  func keyField(_ text: String, at place: Place, among near: [String] = []) -> KeyField? {
    if text == "thread" { return .thread }
    let name = text.hasPrefix("arg.") ? String(text.dropFirst(4)) : text
    return argument(name, at: place, among: near).map { .argument($0) }
  }
}
