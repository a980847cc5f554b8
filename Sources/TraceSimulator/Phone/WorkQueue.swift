// What is to happen later: work of the app's threads and of the system, by virtual time.
// This file must not know what the work does.

/// Work that waits for its time.
struct Work {
  var timeNanoseconds: Int64
  /// The order in which work was handed in; decides between equal times.
  var order: UInt64
  /// 0 is the system, 1 the app's main thread, others are threads of the app.
  var thread: Int64
  var action: () -> Void

  var isOfApp: Bool { thread != WorkQueue.systemThread }
}

/// Who can run at the moment.
enum RunningThreads {
  case all
  /// The main thread is inside a call; the system waits for it.
  case othersThanMain
  /// The app is suspended.
  case systemOnly

  func include(_ work: Work) -> Bool {
    switch self {
    case .all: true
    case .othersThanMain: work.thread > 1
    case .systemOnly: !work.isOfApp
    }
  }
}

/// Work ordered by time, then by the order in which it was handed in.
struct WorkQueue {
  static let systemThread: Int64 = 0

  /// Descending, so that the next one is the last. A simulation has a few dozen at a time.
  private var waiting: [Work] = []
  private var orders: UInt64 = 0

  mutating func add(
    at timeNanoseconds: Int64, thread: Int64, _ action: @escaping () -> Void
  ) {
    orders += 1
    insert(
      Work(
        timeNanoseconds: timeNanoseconds, order: orders, thread: thread, action: action))
  }

  private mutating func insert(_ work: Work) {
    var low = 0
    var high = waiting.count
    while low < high {
      let middle = (low + high) / 2
      let other = waiting[middle]
      if (other.timeNanoseconds, other.order) > (work.timeNanoseconds, work.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    waiting.insert(work, at: low)
  }

  /// When the next work of some threads is due; nil if there is none.
  func nextTime(of threads: RunningThreads) -> Int64? {
    waiting.last { threads.include($0) }?.timeNanoseconds
  }

  /// Takes the next work of some threads that is due at a time.
  mutating func take(until timeNanoseconds: Int64, of threads: RunningThreads) -> Work? {
    guard let place = waiting.lastIndex(where: { threads.include($0) }),
      waiting[place].timeNanoseconds <= timeNanoseconds
    else { return nil }
    return waiting.remove(at: place)
  }

  /// Forgets the app's work, as its process ends.
  mutating func removeApp() { waiting.removeAll(where: \.isOfApp) }

  /// Moves the app's work by a time in which the app didn't run.
  mutating func delayApp(by nanoseconds: Int64) {
    let moved = waiting.filter(\.isOfApp)
    waiting.removeAll(where: \.isOfApp)
    for var work in moved {
      work.timeNanoseconds += nanoseconds
      insert(work)
    }
  }
}
