// All patterns of a user, made ready to be tried on every line of a log.
// This file must not know line formats, nor what becomes of the events.

import TraceModel

/// The patterns for an import, the strongest first.
///
/// A line is looked at in two steps: bytes that every match holds are looked for first, and only a
/// line that has them is matched.
public struct CapturePatterns: Sendable {
  public let all: [CapturePattern]
  /// The app of lines whose capture doesn't name one.
  public var fallbackApp: String?

  /// The patterns whose text begins with a byte; index: the byte. Empty without patterns.
  private var byFirstByte: [[Int]] = []
  /// Patterns that begin with a wildcard, and the longest text of each.
  private var anywhere: [(pattern: Int, literal: LiteralSearch)] = []

  public init(_ patterns: [CapturePattern] = [], fallbackApp: String? = nil) {
    all = patterns
    self.fallbackApp = fallbackApp
    guard !patterns.isEmpty else { return }
    byFirstByte = [[Int]](repeating: [], count: 256)
    for (index, pattern) in patterns.enumerated() {
      if let first = pattern.message.prefix.first {
        byFirstByte[Int(first)].append(index)
      } else {
        anywhere.append((index, LiteralSearch(pattern.message.literal)))
      }
    }
  }

  public var isEmpty: Bool { all.isEmpty }

  /// One text of each pattern that every line which fits it holds, for filters in front of the
  /// matching. Logs may print an escape inside of it.
  var literals: [[UInt8]] { all.map(\.message.literal) }

  /// The places of the patterns that may fit a message: those whose text it holds.
  func candidates(_ message: Span<UInt8>, into places: inout [Int]) {
    places.removeAll(keepingCapacity: true)
    guard !byFirstByte.isEmpty, !message.isEmpty else { return }
    for index in byFirstByte[Int(message[0])]
    where message.has(all[index].message.prefix, at: 0) {
      places.append(index)
    }
    guard !anywhere.isEmpty else { return }
    for row in anywhere where row.literal.first(in: message, from: 0) != nil {
      places.append(row.pattern)
    }
    if places.count > 1 { places.sort() }
  }

  // MARK: What the patterns show

  /// Kinds of which one alone tells half a story, so that nothing follows from silence about the
  /// other.
  static let companions: [[EventKind]] = [
    [.bgtaskBegin, .bgtaskEnd], [.procSuspend, .procResume],
    [
      .delegateDidBecomeActive, .delegateWillResignActive, .delegateDidEnterBackground,
      .delegateWillEnterForeground,
    ],
    [
      .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground,
      .sceneWillEnterForeground,
    ],
    [.workQueueSuspend, .workQueueResume], [.workTimerStart, .workTimerStop],
    [.workQueryStart, .workQueryStop], [.dataDirty, .dataSave], [.gamePause, .gameResume],
    [.moviePlay, .moviePause], [.metalCommit, .metalComplete], [.uiAlertShow, .uiAlertDismiss],
    [.uiSensitiveShow, .uiSensitiveHide], [.locStart, .locStop], [.fileOpen, .fileClose],
    [.voipKeepaliveSet, .voipKeepaliveClear], [.bgschedRun, .bgschedComplete],
  ]

  /// Why the namespace of a pattern isn't covered by the patterns for an app; nil if it is.
  public func reasonNotCovering(_ namespace: String, app: String?) -> String? {
    let own = all.filter { $0.event.namespace == namespace && $0.isFor(app: app) }
    if own.contains(where: { $0.coversNamespace == false }) { return "the patterns say so" }
    if own.contains(where: { $0.coversNamespace == true }) { return nil }
    let kinds = Set(own.map(\.event.kind))
    for group in Self.companions where group.contains(where: kinds.contains) {
      if let missing = group.first(where: { !kinds.contains($0) }) {
        return "no pattern is for \(Vocabulary.description(of: missing)?.name ?? "the others")"
      }
    }
    for pattern in own where pattern.phase == .enter {
      let returns = own.contains { $0.event.kind == pattern.event.kind && $0.phase == .return }
      if !returns { return "no pattern is for the return of \(pattern.event.name)" }
    }
    return Self.missingOperation(own)
  }

  /// An operation whose opposite has no pattern, as `acquire` without `release`.
  private static func missingOperation(_ patterns: [CapturePattern]) -> String? {
    for pattern in patterns {
      guard let operation = pattern.arguments.first(where: { $0.name == .op }),
        let word = operation.template.constant, let other = opposites[word],
        case .words(let words) = operation.reading, words.contains(other)
      else { continue }
      let isThere = patterns.contains { candidate in
        guard candidate.event.kind == pattern.event.kind,
          let found = candidate.arguments.first(where: { $0.name == .op })
        else { return false }
        return found.template.constant.map { $0 == other } ?? true
      }
      if !isThere { return "no pattern is for op=\(other) of \(pattern.event.name)" }
    }
    return nil
  }

  private static let opposites = [
    "acquire": "release", "release": "acquire", "open": "close", "close": "open", "start": "stop",
    "stop": "start", "activate": "deactivate", "deactivate": "activate", "hold": "drop",
    "drop": "hold",
  ]
}
