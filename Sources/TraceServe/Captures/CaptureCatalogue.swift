// What requests are answered from: the newest state of all captures, changed by the worker's news
// alone. This file must not know files or HTTP.

import TraceExport

/// The captures and their metrics, as they are known now.
///
/// An actor, because the worker changes it while requests read it.
actor CaptureCatalogue {
  private(set) var records: [CaptureRecord] = []
  private(set) var metrics = MetricSet()
  /// Whether all files that were there at the start have been looked at.
  private(set) var isReady = false
  /// Why the directory can't be looked at.
  private(set) var problem: String?
  /// Grows with every change, so that what was made of an older state is known as such.
  private(set) var number = 0
  private(set) var times = CheckTimes()
  private var places: [String: Int] = [:]

  /// When captures were checked, in seconds since 1970.
  struct CheckTimes: Sendable {
    var lastRunSeconds: Int64 = 0
    var lastSuccessSeconds: Int64?

    mutating func take(_ record: CaptureRecord) {
      lastRunSeconds = max(lastRunSeconds, record.checkedSeconds)
      if record.failure == nil {
        lastSuccessSeconds = max(lastSuccessSeconds ?? 0, record.checkedSeconds)
      }
    }
  }

  func take(_ news: FolderNews) {
    number += 1
    switch news {
    case .loaded(let records, let metrics):
      self.records = records.filter { !$0.isPassedOver }
      self.metrics = metrics
      for record in self.records { times.take(record) }
      index()
    case .checked(let record, let metrics):
      self.metrics = metrics
      if !record.isPassedOver { times.take(record) }
      if let place = places[record.path] {
        if record.isPassedOver { remove([record.path]) } else { records[place] = record }
      } else if !record.isPassedOver {
        places[record.path] = records.count
        records.append(record)
      }
    case .gone(let paths): remove(Set(paths))
    case .scanned(let isComplete, let problem):
      self.problem = problem
      isReady = isReady || isComplete
    case .warning: break
    }
  }

  /// The capture and the place in it of a trace.
  func trace(_ id: String) -> (record: CaptureRecord, place: Int)? {
    for record in records {
      if let place = record.traces.firstIndex(where: { $0.traceID == id }) {
        return (record, place)
      }
    }
    return nil
  }

  private func remove(_ paths: Set<String>) {
    records.removeAll { paths.contains($0.path) }
    index()
  }

  private func index() {
    places = Dictionary(
      records.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { $1 })
  }
}
