// Writes the spans of one trace, as timelines draw them.

import TraceLifecycle
import TraceModel
import TraceQuery

/// Finds the spans of a trace and writes each when it has ended.
struct QuerySpans {
  private var intervals: LifeIntervals
  private var sink: Sink

  init(trace: Int64, header: TraceHeader, profile: Profile?, rows: RowWriter) {
    intervals = LifeIntervals(header: header, profile: profile)
    sink = Sink(trace: trace, rows: rows)
  }

  var clock: QueryClock { sink.clock }

  mutating func consume(_ batch: EventBatch) throws(QueryError) {
    sink.readClock(batch)
    intervals.consume(batch, into: &sink)
    if let failure = sink.failure { throw failure }
  }

  mutating func finish() throws(QueryError) {
    intervals.finish(into: &sink)
    if let failure = sink.failure { throw failure }
  }

  private struct Sink: LifeSink {
    let trace: Int64
    let rows: RowWriter
    var names: [String] = []
    var tracks: [LifeTrack] = []
    /// What was added to times since the device was restarted. No span crosses a restart.
    var shiftNanoseconds: Int64 = 0
    var clock = QueryClock()
    var failure: QueryError?

    init(trace: Int64, rows: RowWriter) {
      self.trace = trace
      self.rows = rows
    }

    mutating func name(_ number: Int, _ text: String) { names.append(text) }
    mutating func track(_ track: LifeTrack) { tracks.append(track) }
    mutating func rename(_ track: LifeTrack) { tracks[track.number] = track }

    mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
      follow(event, batch)
    }

    mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
      follow(event, batch)
    }

    mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
      follow(event, batch)
      end(span)
    }

    mutating func end(_ span: LifeSpan) {
      let track = tracks[span.track]
      if failure != nil || track.group == .launches || track.group == .state { return }
      let start = span.startNanoseconds.minus(shiftNanoseconds)
      rows.add(trace)
      rows.add(span.number)
      rows.add("\(track.group)")
      rows.add(track.name.isEmpty ? track.group.title : track.name)
      rows.add(names[span.name])
      rows.add(track.thread)
      rows.add(span.depth)
      rows.add(start)
      rows.add(clock.wall(at: start))
      rows.add(span.endNanoseconds.minus(shiftNanoseconds))
      rows.add(span.durationNanoseconds)
      rows.add(span.startOrdinal)
      rows.add(span.isCut)
      rows.add(span.isInterrupted)
      do throws(QueryError) { try rows.insert() } catch { failure = error }
    }

    private mutating func follow(_ event: Event, _ batch: EventBatch) {
      guard event.index < batch.count else { return }
      shiftNanoseconds = event.timeNanoseconds.minus(batch.timesNanoseconds[event.index])
    }

    /// Reads what the events say of the clock on the wall, before their spans are written.
    mutating func readClock(_ batch: EventBatch) {
      let tellers: [EventKind] = [.traceStart, .traceClockSync, .traceClockStep]
      guard batch.templates.contains(where: { tellers.contains($0.kind) }) else { return }
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        guard tellers.contains(event.kind) else { continue }
        let name: ArgumentName = event.kind == .traceClockStep ? .newWallNs : .wallNs
        if let wall = batch.integer(name, of: event) {
          clock.add(wall, at: event.timeNanoseconds)
        }
      }
    }
  }
}
