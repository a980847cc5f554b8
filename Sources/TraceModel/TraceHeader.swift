// What a trace says of its app, device and clock. Absent fields are unknown, never assumed.

/// The header of a trace.
public struct TraceHeader: Hashable, Sendable {
  private var values = [HeaderValue?](repeating: nil, count: HeaderField.allCases.count)

  /// Fields that this version doesn't know, in the order in which they were read. The values are
  /// JSON texts.
  public var unknownFields: [UnknownField] = []
  /// Which process the trace is of, and when; known while it is read, and never stored.
  public var origin = TraceOrigin()

  /// A field that this version doesn't know.
  public struct UnknownField: Hashable, Sendable {
    public var name: String
    public var json: String

    public init(name: String, json: String) {
      self.name = name
      self.json = json
    }
  }

  /// Namespaces that may turn out to be covered while the trace is read, as lines of a log show
  /// what is logged. It is no field and not written down.
  public var openCoverage: [String] = []

  public init() {}

  /// The header as it may turn out: with everything covered that may be.
  public var opened: TraceHeader {
    guard !openCoverage.isEmpty, let coverage = strings(.coverage) else { return self }
    var header = self
    header[.coverage] = .strings(coverage + openCoverage.filter { !coverage.contains($0) })
    header.openCoverage = []
    return header
  }

  /// The value of a field; nil if it is absent.
  public subscript(field: HeaderField) -> HeaderValue? {
    get { values[field.rawValue - 1] }
    set { values[field.rawValue - 1] = newValue }
  }

  /// The fields that are present, in the order of their numbers.
  public var presentFields: [(field: HeaderField, value: HeaderValue)] {
    HeaderField.allCases.compactMap { field in self[field].map { (field, $0) } }
  }

  /// Known fields whose value has another type than the field's.
  public var contradictoryFields: [HeaderField] {
    HeaderField.allCases.filter { if case .json = self[$0] { true } else { false } }
  }

  /// A text field; nil if it is absent or of another type.
  public func string(_ field: HeaderField) -> String? {
    if case .string(let value) = self[field] { value } else { nil }
  }

  public func boolean(_ field: HeaderField) -> Bool? {
    if case .boolean(let value) = self[field] { value } else { nil }
  }

  public func integer(_ field: HeaderField) -> Int64? {
    if case .integer(let value) = self[field] { value } else { nil }
  }

  public func strings(_ field: HeaderField) -> [String]? {
    if case .strings(let value) = self[field] { value } else { nil }
  }

  /// A version field; nil if it is absent or no version.
  public func version(_ field: HeaderField) -> SystemVersion? {
    string(field).flatMap { SystemVersion($0) }
  }

  /// Whether the recorder instruments a namespace such as `bgtask`; true where the header is
  /// silent.
  public func covers(_ namespace: String) -> Bool {
    guard let coverage = strings(.coverage) else { return true }
    return coverage.contains("*") || coverage.contains(namespace)
  }
}
