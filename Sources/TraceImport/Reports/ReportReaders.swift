// Who reads which kind of report: the only place that lists them.

extension ReportHead.Kind {
  /// What reads reports of this kind; nil if there are none.
  var reader: (any ReportReading.Type)? {
    switch self {
    case .none: nil
    case .crashText: CrashTextReader.self
    case .crashJSON, .other: CrashJSONReader.self
    case .resource: ResourceReportReader.self
    case .stackshot: StackshotReader.self
    case .jetsam: JetsamReader.self
    case .metrics: MetricPayloadReader.self
    }
  }
}
