// Text of strangers inside a page: nothing of it is markup, and nothing of it changes how the rest
// is read.

import TraceExport

extension String {
  /// The text as content or as a quoted attribute of HTML. Control characters, and those that turn
  /// the direction of writing, are shown as what they are.
  var asHTML: String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in PrintableText.printable(self, scalarsMax: Self.shownScalarsMax).unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// A longer text says nothing more in a table.
  private static var shownScalarsMax: Int { 400 }

  /// The text as one part of a path, or as a value in a query.
  var asURLPart: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(UnicodeScalar(byte))
      default:
        // Dots too: a name of dots would go upwards.
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
