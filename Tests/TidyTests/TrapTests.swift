// Nothing on the way of input may end the program, whatever numbers a capture holds.
//
// Sums, differences, products and conversions of 64-bit numbers and of floating point saturate by
// type where `TraceModel` is imported, see its `SaturatingArithmetic.swift`. These tests see to it
// that they do everywhere, and that nothing goes around them.

import Foundation
import Testing

struct TrapTests {
  /// Targets that see nothing of a capture: they make lives up, or test.
  private static let others: Set = [
    "tracedev", "notesdemo", "TraceSimulator", "TraceRecorder", "TraceRecorderTesting",
    "TraceCatalogue", "tracecheck", "CTraceAtomics", "CZstd", "CZlib",
  ]

  private static let files = SourceCode.ofProduct.filter { !others.contains($0.file.target) }

  /// Code that may do what others may not, by file, with the reason.
  private static let allowed: [String: String] = [
    "Sources/TraceModel/SaturatingArithmetic.swift":
      "makes the numbers that saturate, from those of the standard library",
    "Sources/TraceFormat/ByteCoding.swift":
      "appends the bytes of a number of any width, and calculates with none",
    "Sources/TraceExport/JSONBuilder.swift": "prints a number of any width",
    "Sources/TraceExport/DisplayColumns.swift":
      "cuts a text to a width in columns or in parts of a page, which it is given",
  ]

  /// The lines that a pattern matches, of those that hold one of some texts: few, as matching is
  /// slow.
  private static func places(of pattern: String, with texts: [String]) throws -> [String] {
    let regex = try Regex(pattern)
    return files.filter { allowed[$0.file.path] == nil }.flatMap { file, code in
      code.lines.enumerated().filter { line in
        texts.contains { line.element.contains($0) } && line.element.firstMatch(of: regex) != nil
      }.map { "\(file):\($0.offset + 1): \($0.element)" }
    }
  }

  /// Whoever calculates with 64-bit numbers or floating point sees the operators that saturate.
  @Test func numbersOfInputSaturate() throws {
    #expect(Self.files.count > 500)
    let number = try Regex(#"\b(U?Int64|Double|Float|[a-z][A-Za-z]*Nanoseconds)\b"#)
    for (file, code) in Self.files where file.target != "TraceModel" {
      if file.imports.contains("TraceModel") { continue }
      #expect(
        !code.lines.contains { $0.firstMatch(of: number) != nil },
        "\(file) has numbers and doesn't import TraceModel")
    }
  }

  /// In generic code the standard library's operators are called, which trap.
  @Test func nothingCalculatesWithNumbersOfAnyType() throws {
    let found = try Self.places(
      of:
        #"BinaryInteger|FixedWidthInteger|SignedInteger|UnsignedInteger|SignedNumeric|Numeric\b|BinaryFloatingPoint|Strideable|AdditiveArithmetic"#,
      with: ["Integer", "Numeric", "FloatingPoint", "Strideable", "AdditiveArithmetic"])
    #expect(found.isEmpty, "\(found)")
  }

  /// Numbers of widths that don't saturate come from none that do without a word on what doesn't
  /// fit; `Int` has all that `Int64` has.
  @Test func narrowNumbersAreMadeOfKnownOnes() throws {
    let found = try Self.places(
      of:
        #"\b(Int8|Int16|Int128|UInt128|Float16|Float80)\((?!exactly|clamping|truncatingIfNeeded)"#,
      with: ["Int8(", "Int16(", "Int128(", "Float16(", "Float80("])
    #expect(found.isEmpty, "\(found)")
  }

  @Test func nothingIsUnwrappedByForce() throws {
    // Also `try!` and `as!`, and types that are unwrapped wherever they are used.
    let found = try Self.places(of: #"[\w)\]}"?]!(?!=)"#, with: ["!"])
    #expect(found.isEmpty, "\(found)")
  }

  @Test func nothingGivesUp() throws {
    let found = try Self.places(
      of: #"\b(fatalError|abort|_exit)\(|\.unsafelyUnwrapped\b"#,
      with: ["fatalError", "abort", "_exit", "unsafelyUnwrapped"])
    #expect(found.isEmpty, "\(found)")
  }

  @Test func everythingThatIsAllowedIsThere() {
    for path in Self.allowed.keys {
      #expect(Self.files.contains { $0.file.path == path }, "\(path) is gone")
    }
  }

  @Test func codeIsSeenWithoutCommentsAndTexts() {
    let text = ##"""
      let a = "x! \(b!) // no" // c!
      /* d! */ let e = #"f! \(g!) \#(h!)"#
      let i = """
        j! \(k[l("m")]!)
        """ + n!
      """##
    let code = SourceCode(text).lines.map { $0.filter { $0 != " " } }
    #expect(
      code == [
        #"leta="(b!)""#, #"lete="(h!)""#, "leti=\"", #"(k[l("")]!)"#, "\"+n!",
      ])
  }
}
