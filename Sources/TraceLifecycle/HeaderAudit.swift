// Finds what a header says that can't be right, or doesn't say although it must.
// This file must not know how the findings are reported.

public import TraceModel

/// Looks for contradictions in a header.
public enum HeaderAudit {
  /// A missing detail and a wrong one in a sentence each, without a final dot, in a fixed order.
  public static func contradictions(_ header: TraceHeader) -> [String] {
    var found: [String] = []
    for field in header.contradictoryFields {
      found.append("\(field.name) has another type than \(article(field.type))")
    }
    auditVersions(header, &found)
    auditWords(header, &found)
    if let modes = header.strings(.backgroundModes), modes.contains(where: { !isMode($0) }) {
      found.append("background_modes holds a text that can't be the name of a mode")
    }
    if let resolution = header.integer(.timestampResolutionNanoseconds), resolution < 1 {
      found.append("timestamp_resolution_ns is not positive")
    }
    return found
  }

  private static func auditVersions(_ header: TraceHeader, _ found: inout [String]) {
    let system = header.version(.osVersion)
    if header[.osVersion] == nil {
      found.append("os_version is missing")
    } else if system == nil, header.string(.osVersion) != nil {
      found.append("os_version is not a version")
    }
    let sdk = header.version(.sdkLinked)
    if sdk == nil, header.string(.sdkLinked) != nil {
      found.append("sdk_linked is not a version")
    }
    if let system, let sdk, sdk.major > system.major + 1 {
      found.append(
        "sdk_linked \(sdk.major).\(sdk.minor) is newer than os_version "
          + "\(system.major).\(system.minor) by more than one major version")
    }
  }

  private static func auditWords(_ header: TraceHeader, _ found: inout [String]) {
    let words: [(HeaderField, [String])] = [
      (.refreshStatus, ["available", "denied", "restricted"]),
      (.appKind, ["app", "game", "voip", "audio", "navigation", "newsstand"]),
      (.clockKind, ["continuous", "uptime"]),
    ]
    for (field, known) in words {
      if let word = header.string(field), !known.contains(word) {
        found.append("\(field.name) is none of \(known.joined(separator: ", "))")
      }
    }
  }

  /// Names of modes are words of letters, digits and joining signs; new ones come every few years.
  private static func isMode(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static func article(_ type: HeaderType) -> String {
    switch type {
    case .integer: "an integer"
    case .boolean: "true or false"
    case .string: "a text"
    case .strings: "a list of texts"
    }
  }
}
