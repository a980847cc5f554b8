// What requests are answered from: the newest state of all captures, changed by the worker's news
// alone. This file must not know files or HTTP.

import TraceExport
import TraceModel

/// The captures and their metrics, as they are known now.
///
/// An actor, because the worker changes it while requests read it.
actor CaptureCatalogue {
  private(set) var records: [CaptureRecord] = []
  private var metrics = MetricSet()
  /// Whether all files that were there at the start have been looked at.
  private(set) var isReady = false
  /// Why the directory can't be looked at.
  private(set) var problem: String?
  /// Which parts of it couldn't be looked at last.
  private(set) var unseen = UnseenPaths()
  private var number = 0
  /// When the directory was last looked at in full, as far as it can be seen, in seconds since
  /// 1970, and when it then held no unreadable capture.
  private var lastRunSeconds: Int64?
  private var lastSuccessSeconds: Int64?
  /// Series that an earlier run may have shown; nil until that is known.
  private var shown: SeenSeries?
  private var places: [String: Int] = [:]

  /// What a page of metrics is made of.
  struct Numbers: Sendable {
    /// Grows with every change.
    var number: Int
    var metrics: MetricSet
    var lastRunSeconds: Int64?
    var lastSuccessSeconds: Int64?
    /// Nil until the directory was looked at in full.
    var unseenPathCount: Int?
    var shown: SeenSeries?

    /// What metrics say of the server itself.
    func run(version: String, remoteWrite: RemoteWriteCounts?) -> MetricRun {
      MetricRun(
        version: version, endSeconds: lastRunSeconds, lastSuccessSeconds: lastSuccessSeconds,
        unseenPathCount: unseenPathCount, remoteWrite: remoteWrite)
    }
  }

  var numbers: Numbers {
    Numbers(
      number: number, metrics: metrics, lastRunSeconds: lastRunSeconds,
      lastSuccessSeconds: lastSuccessSeconds,
      unseenPathCount: lastRunSeconds == nil ? nil : unseen.count, shown: shown)
  }

  func take(_ news: FolderNews) {
    number += 1
    switch news {
    case .loaded(let records, let metrics):
      self.records = records.filter { !$0.isPassedOver }
      self.metrics = metrics
      shown = SeenSeries(metrics)
      index()
    case .checked(let record, let metrics):
      self.metrics = metrics
      if let place = places[record.path] {
        if record.isPassedOver { remove([record.path]) } else { records[place] = record }
      } else if !record.isPassedOver {
        places[record.path] = records.count
        records.append(record)
      }
    case .gone(let paths, let metrics):
      self.metrics = metrics
      remove(Set(paths))
    case .looked(let look):
      problem = look.problem
      if look.problem == nil { unseen = look.unseen }
      guard look.isComplete else { return }
      isReady = true
      lastRunSeconds = look.endSeconds
      if !look.hasUnreadable { lastSuccessSeconds = look.endSeconds }
    case .warning: break
    }
  }

  /// The capture and the place in it of a trace, by its id or by what links call it.
  func trace(_ id: String) -> (record: CaptureRecord, place: Int)? {
    first { $0.traceID == id } ?? first { $0.link == id }
  }

  private func first(
    where isIt: (TraceRecord) -> Bool
  ) -> (record: CaptureRecord, place: Int)? {
    for record in records {
      if let place = record.traces.firstIndex(where: isIt) { return (record, place) }
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
