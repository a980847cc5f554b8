// Which thread is the main thread, and how well that is known.

import TraceModel

/// What says which thread is the main thread.
enum MainThreadSource: Hashable, Sendable {
  /// Nothing: it is thread 1.
  case assumed
  /// Nothing in this process; in an earlier one it was another thread than 1.
  case assumedAfterAnother
  /// `proc.main` of this process.
  case mainFunction
  /// `trace.thread` of this process, and of an earlier one.
  case named, namedEarlier
}

extension LifecycleModel {
  /// Whether a thread is the main thread; nil if it may be: an event without a thread counts as on
  /// thread 1, whichever thread `proc.main` ran on.
  public func isMain(thread: Int64) -> Bool? {
    switch mainThreadSource {
    case .assumed, .named, .namedEarlier: return thread == mainThread
    case .mainFunction: return thread == mainThread ? true : thread == 1 ? nil : false
    case .assumedAfterAnother: return nil
    }
  }

  /// Another process begins: its threads have numbers of their own, but what was said of the
  /// recording may hold.
  mutating func forgetMainThread() {
    switch mainThreadSource {
    case .assumed, .assumedAfterAnother: break
    case .mainFunction:
      mainThreadSource = mainThread == 1 ? .assumed : .assumedAfterAnother
      mainThread = 1
    case .named, .namedEarlier: mainThreadSource = .namedEarlier
    }
  }

  /// The main function runs on a thread. What names the main thread in this process is surer.
  mutating func noteMain(onThread thread: Int64) {
    switch mainThreadSource {
    case .named: return
    case .namedEarlier where thread == 1: return
    case .assumed, .assumedAfterAnother, .mainFunction, .namedEarlier: break
    }
    mainThread = thread
    mainThreadSource = .mainFunction
  }
}
