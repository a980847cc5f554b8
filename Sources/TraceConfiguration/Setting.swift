// A value together with where it was said. This file must not know what is configured.

/// Where a setting's value comes from.
public enum SettingOrigin: Hashable, Sendable {
  /// Nobody said anything.
  case standard
  case file(String, line: Int)
  /// A section of a file that is for some apps only.
  case app(String, line: Int, pattern: String)
  case commandLine

  /// The origin for people: `.tracecheck.yml:4`.
  public var description: String {
    switch self {
    case .standard: "default"
    case .file(let file, let line), .app(let file, let line, _): "\(file):\(line)"
    case .commandLine: "command line"
    }
  }

  /// The word for the kind of origin, for machines.
  public var kind: String {
    switch self {
    case .standard: "default"
    case .file: "file"
    case .app: "app"
    case .commandLine: "command_line"
    }
  }
}

/// A value, and where it was said.
public struct Setting<Value: Sendable>: Sendable {
  public var value: Value
  public var origin: SettingOrigin

  public init(_ value: Value, _ origin: SettingOrigin) {
    self.value = value
    self.origin = origin
  }
}

extension Setting: Equatable where Value: Equatable {}
extension Setting: Hashable where Value: Hashable {}
