// Makes texts of strangers harmless inside the languages that reports are written in.
// This file must not know what is reported. Every text is made printable first, so that no control,
// invisible or direction-changing character is left to escape.

/// Escapes texts for one language each.
enum ReportEscapes {
  /// For content and quoted attributes of XML and HTML.
  static func markup(_ text: String, scalarsMax: Int = PrintableText.scalarsMax) -> String {
    replaced(PrintableText.printable(text, scalarsMax: scalarsMax)) { scalar, _ in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }

  /// For running text of GitHub's and GitLab's Markdown: no emphasis, link, image, HTML, mention,
  /// reference, formula or emoji can come out of it, nor a list, a line or code where it begins.
  static func markdown(_ text: String, scalarsMax: Int = PrintableText.scalarsMax) -> String {
    let printable = PrintableText.printable(text, scalarsMax: scalarsMax)
    let (start, rest) = MarkdownStart.split(printable)
    return start + markdownWords(String(rest))
  }

  private static func markdownWords(_ text: String) -> String {
    replaced(text) { scalar, before in
      switch scalar {
      case "&", "<", ">", "\"", "'", "\\", "`", "*", "_", "{", "}", "[", "]", "#", "+", "!", "|",
        "~", "@", "$", ":", "^", "=":
        return "&#\(scalar.value);"
      // A name of a host becomes a link behind this.
      case "." where before == "w" || before == "W": return "&#46;"
      // Numbers of issues and merge requests in short forms.
      case "%": return "&#37;"
      default: return nil
      }
    }
  }

  /// For the message of a GitHub workflow command.
  static func commandData(_ text: String) -> String {
    replaced(text) { scalar, _ in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// For a property of a GitHub workflow command.
  static func commandProperty(_ text: String) -> String {
    replaced(commandData(text)) { scalar, _ in
      switch scalar {
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }

  /// For plain text of SARIF, in which `[words](address)` is a link.
  static func sarif(_ text: String) -> String {
    let printable = PrintableText.printable(text)
    guard printable.utf8.contains(UInt8(ascii: "]")) else { return printable }
    return replaced(printable) { scalar, _ in scalar == "[" ? "\\[" : nil }
  }

  /// A path as part of an address: everything but letters, digits and a few signs is encoded.
  static func uri(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  private static func replaced(
    _ text: String, _ replacement: (Unicode.Scalar, _ before: Unicode.Scalar?) -> String?
  ) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if let words = replacement(scalar, before) {
        result += words
      } else {
        result.unicodeScalars.append(scalar)
      }
      before = scalar
    }
    return result
  }
}
