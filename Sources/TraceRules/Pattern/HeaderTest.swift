// Tests of what the header declares. A silent header leaves a test undecided.

public import TraceLifecycle
public import TraceModel

/// A test of the trace's header.
public indirect enum HeaderTest: Hashable, Sendable {
  case isTrue(HeaderField)
  case isFalse(HeaderField)
  case isText(HeaderField, [String])
  /// The list of the field has the text.
  case has(HeaderField, String)
  /// The header has the field. Never undecided.
  case isSet(HeaderField)
  /// The header has the field; undecided if not.
  case declares(HeaderField)
  /// The system is of this version or later: major and minor.
  case system(Int, Int)
  /// The SDK that the app was linked against is of this version or later.
  case sdk(Int, Int)
  /// The profile in force is one of these. Never undecided.
  case profile([Profile])
  /// `background_modes` has a mode that is newer than the system, or that no system knows.
  case hasUnknownMode
  case not(HeaderTest)
  case all([HeaderTest])
  case any([HeaderTest])

  /// Whether the header passes; nil where it is silent.
  public func holds(for header: TraceHeader, _ profile: Profile) -> Bool? {
    switch self {
    case .isTrue(let field): return header.boolean(field)
    case .isFalse(let field): return header.boolean(field).map { !$0 }
    case .isText(let field, let texts): return header.string(field).map { texts.contains($0) }
    case .has(let field, let text): return header.strings(field).map { $0.contains(text) }
    case .isSet(let field):
      if case .string(let text)? = header[field] { return !text.isEmpty && text != "none" }
      return header[field] != nil
    case .declares(let field): return header[field] == nil ? nil : true
    case .system(let major, let minor):
      return Self.version(header.string(.osVersion), isAtLeast: major, minor)
    case .sdk(let major, let minor):
      return Self.version(header.string(.sdkLinked), isAtLeast: major, minor)
    case .profile(let profiles): return profiles.contains(profile)
    case .hasUnknownMode: return BackgroundMode.hasUnknown(header)
    case .not(let test): return test.holds(for: header, profile).map { !$0 }
    case .all(let tests):
      return Kleene.all(tests) { $0.holds(for: header, profile) }
    case .any(let tests):
      return Kleene.any(tests) { $0.holds(for: header, profile) }
    }
  }

  /// The fields that the answer depends on, besides those that decide on the profile.
  var fields: Set<HeaderField> {
    switch self {
    case .isTrue(let field), .isFalse(let field), .isText(let field, _), .has(let field, _),
      .isSet(let field), .declares(let field):
      [field]
    case .system: [.osVersion]
    case .sdk: [.sdkLinked]
    case .profile: []
    case .hasUnknownMode: [.backgroundModes, .osVersion]
    case .not(let test): test.fields
    case .all(let tests), .any(let tests):
      tests.reduce(into: []) { $0.formUnion($1.fields) }
    }
  }

  private static func version(_ text: String?, isAtLeast major: Int, _ minor: Int) -> Bool? {
    guard let text, let version = SystemVersion(text) else { return nil }
    return (version.major, version.minor) >= (major, minor)
  }
}

/// Logic with three values: true, false, and nil for what isn't known.
public enum Kleene {
  /// False if one part is, else nil if one isn't known, else true.
  public static func all<Part>(_ parts: [Part], _ value: (Part) -> Bool?) -> Bool? {
    var isKnown = true
    for part in parts {
      switch value(part) {
      case false?: return false
      case nil: isKnown = false
      case true?: continue
      }
    }
    return isKnown ? true : nil
  }

  /// True if one part is, else nil if one isn't known, else false.
  public static func any<Part>(_ parts: [Part], _ value: (Part) -> Bool?) -> Bool? {
    all(parts) { value($0).map { !$0 } }.map { !$0 }
  }
}
