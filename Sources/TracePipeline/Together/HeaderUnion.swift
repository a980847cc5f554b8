// One header for several traces of one run. This file must not know events.

import TraceModel

enum HeaderUnion {
  /// Fields that tell how a trace is stored, and those that are joined in a way of their own.
  private static let ownFields: Set<HeaderField> = [
    .formatVersion, .endianness, .clockKind, .tickNumer, .tickDenom, .recorderVersion, .traceID,
    .timestampResolutionNanoseconds, .coverage, .logLevels, .appBundleID, .debuggerAttached,
    .simulator,
  ]

  /// Joins headers; what the first says counts, and what others say instead is remarked.
  ///
  /// - Parameter names: What the captures are called.
  static func header(
    of run: Run, names: [String]
  ) -> (header: TraceHeader, remarks: [CaptureRemark]) {
    let headers = run.members.map(\.survey.header)
    var header = headers[0]
    var remarks: [CaptureRemark] = []
    for (index, other) in headers.enumerated().dropFirst() {
      for field in HeaderField.allCases where !ownFields.contains(field) {
        guard let value = other[field] else { continue }
        guard let known = header[field] else {
          header[field] = value
          continue
        }
        if !agree(field, known, value) {
          let first = headers.firstIndex { $0[field] == known } ?? 0
          remarks.append(
            CaptureRemark(
              id: "TQ12",
              message: "\(names[first]) says \(field.name) is \(shown(known)), and"
                + " \(names[index]) says \(shown(value)); the former is used"))
        }
      }
    }
    // Everything has been read: nothing more becomes known.
    header.openCoverage = []
    joinApp(&header, headers)
    joinFlags(&header, headers)
    joinCoverage(&header, run)
    if !run.members[0].survey.isRecorded { header[.traceID] = nil }
    return (header, remarks)
  }

  /// Several spellings of one value are no contradiction.
  private static func agree(_ field: HeaderField, _ a: HeaderValue, _ b: HeaderValue) -> Bool {
    if a == b { return true }
    switch (a, b) {
    case (.strings(let a), .strings(let b)): return Set(a) == Set(b)
    case (.string(let a), .string(let b)):
      if field == .osVersion || field == .sdkLinked, let a = SystemVersion(a),
        let b = SystemVersion(b)
      {
        return a == b
      }
      // Reports print the build behind the version: `2.1 (40)`.
      return field == .appVersion && (a.hasPrefix(b + " (") || b.hasPrefix(a + " ("))
    default: return false
    }
  }

  /// A bundle says more than the name of a process.
  private static func joinApp(_ header: inout TraceHeader, _ headers: [TraceHeader]) {
    let names = headers.compactMap { $0.string(.appBundleID) }
    guard let name = names.first(where: { $0.contains(".") }) ?? names.first else { return }
    header[.appBundleID] = .string(name)
  }

  /// What one capture has seen of a debugger or a simulator holds for the run.
  private static func joinFlags(_ header: inout TraceHeader, _ headers: [TraceHeader]) {
    for field in [HeaderField.debuggerAttached, .simulator] {
      let values = headers.compactMap { $0.boolean(field) }
      if values.contains(true) {
        header[field] = .boolean(true)
      } else if values.contains(false) {
        header[field] = .boolean(false)
      }
    }
  }

  /// What any of the captures shows. A report shows nothing but an end, which needs no coverage:
  /// rules that conclude from silence must not run for its sake.
  private static func joinCoverage(_ header: inout TraceHeader, _ run: Run) {
    let shows = run.members.filter { !$0.survey.header.origin.isReport }
    let headers = (shows.isEmpty ? run.members : shows).map(\.survey.header)
    var coverage: Set<String> = []
    for header in headers { coverage.formUnion(header.strings(.coverage) ?? ["*"]) }
    header[.coverage] = .strings(coverage.contains("*") ? ["*"] : coverage.sorted())
    // A recorder that follows the tasks itself needs no lines of the system about them.
    let recordsTasks = run.members.contains {
      $0.survey.isRecorded && $0.survey.header.covers("bgtask")
    }
    let levels = Set(headers.flatMap { $0.strings(.logLevels) ?? [] })
    header[.logLevels] = recordsTasks || levels.isEmpty ? nil : .strings(levels.sorted())
    let resolution = run.members.filter { !$0.survey.header.origin.isReport }.map { member in
      max(
        member.survey.header.integer(.timestampResolutionNanoseconds) ?? 1,
        member.offset?.uncertaintyNanoseconds ?? 0)
    }.max()
    if let resolution, resolution > 1 {
      header[.timestampResolutionNanoseconds] = .integer(resolution)
    }
  }

  private static func shown(_ value: HeaderValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let text): "\"\(text)\""
    case .strings(let texts): "[\(texts.joined(separator: ","))]"
    case .json(let text): text
    }
  }
}
