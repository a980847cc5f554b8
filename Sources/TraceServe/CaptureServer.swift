// The server as a whole: a listener, a worker, and the catalogue between them.

import Foundation
import TraceExport
import TraceIO
public import TracePipeline

/// How a directory is served.
public struct ServerSettings: Sendable {
  /// The directory with the captures.
  public var directory: String
  /// The address to listen on, in numbers.
  public var host = "127.0.0.1"
  /// 0 takes any free port.
  public var port: UInt16 = 9_477
  /// More names under which requests may address the server; `*` allows all.
  public var allowedHosts: [String] = []
  /// Everything that decides what is found in a capture, in any words: results that were kept on
  /// other terms are found anew.
  public var terms = ""
  /// Where results are kept over restarts; nil keeps them in memory.
  public var stateDirectory: String?
  /// The version that metrics name.
  public var toolVersion = ""
  /// Where metrics are sent; nil if they are only shown.
  public var remoteWrite: RemoteWriteSettings?
  /// Makes the check that every capture goes through.
  public var makeRun: @Sendable () -> CheckRun

  public init(directory: String, makeRun: @escaping @Sendable () -> CheckRun) {
    self.directory = directory
    self.makeRun = makeRun
  }
}

/// Why a server didn't start.
public struct ServerFailure: Error, Sendable {
  /// One sentence without a final dot.
  public var message: String
  public var advice: String
}

/// Serves a directory of captures over HTTP.
public enum CaptureServer {
  /// Serves until an end signal comes; ``TraceIO/Interrupt/catchNext()`` must have been called. The
  /// calling thread looks after the directory.
  ///
  /// - Parameters:
  ///   - started: Called once with the port that is listened on.
  ///   - warn: Called with sentences for the terminal.
  /// - Throws: ``ServerFailure`` if the address or the state directory can't be used, or if the
  ///   system takes the listening socket away.
  public static func run(
    _ settings: ServerSettings, started: (UInt16) -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) throws(ServerFailure) {
    let folder = ServedFolder(settings.directory)
    let state = try openState(settings, folder, warn)
    let catalogue = CaptureCatalogue()
    let pusher = settings.remoteWrite.map { remoteWrite in
      RemotePusher(remoteWrite, version: settings.toolVersion, catalogue: catalogue, warn: warn)
    }
    let listener = try listener(settings, folder, catalogue, pusher)
    let (news, teller) = AsyncStream.makeStream(of: FolderNews.self)
    let end = ServerEnd()
    Task {
      await serve(listener, catalogue, news, warn, end)
    }
    started(listener.port)
    pusher?.start()
    var worker = FolderWorker(
      folder: folder, state: state, terms: StateDigest.text(of: settings.terms.utf8),
      makeRun: settings.makeRun,
      isStopped: { Interrupt.isRaised || end.hasCome }, tell: { teller.yield($0) })
    worker.run()
    teller.finish()
    pusher?.finish(worker.metrics)
    if let problem = end.wait() {
      throw ServerFailure(message: "the server can't go on: \(problem)", advice: "start it again")
    }
  }

  private static func openState(
    _ settings: ServerSettings, _ folder: ServedFolder, _ warn: @escaping @Sendable (String) -> Void
  ) throws(ServerFailure) -> StateStore? {
    guard let path = settings.stateDirectory else { return nil }
    do throws(FileError) {
      return try StateStore(path: path, served: folder.path, warn: warn)
    } catch {
      throw ServerFailure(
        message: "\(error.path): \(error.message)",
        advice: "name a directory with --state that can be written to and is no other server's")
    }
  }

  private static func listener(
    _ settings: ServerSettings, _ folder: ServedFolder, _ catalogue: CaptureCatalogue,
    _ pusher: RemotePusher?
  ) throws(ServerFailure) -> HTTPListener {
    var counts: (@Sendable () -> RemoteWriteCounts)?
    if let pusher { counts = { pusher.counts } }
    let routes = Routes(
      catalogue: catalogue, folder: folder,
      timelines: TimelineMaker(toolVersion: settings.toolVersion, makeRun: settings.makeRun),
      metrics: MetricsPage(toolVersion: settings.toolVersion, remoteWrite: counts))
    do {
      return try HTTPListener(
        HTTPListener.Address(host: settings.host, port: settings.port),
        hosts: AllowedHosts(listenHost: settings.host, others: settings.allowedHosts)
      ) { await routes.respond(to: $0) }
    } catch {
      throw ServerFailure(
        message: "can't listen on \(settings.host):\(settings.port): \(HTTPListener.reason(error))",
        advice: "choose another address with --listen; port 0 takes any that is free")
    }
  }

  private static func serve(
    _ listener: HTTPListener, _ catalogue: CaptureCatalogue, _ news: AsyncStream<FolderNews>,
    _ warn: @Sendable @escaping (String) -> Void, _ end: ServerEnd
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await item in news {
          if case .warning(let text) = item { warn(text) }
          await catalogue.take(item)
        }
      }
      group.addTask {
        while !Interrupt.isRaised, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(100))
        }
        await listener.stop()
      }
      var problem: String?
      do {
        try await listener.run()
      } catch {
        problem = HTTPListener.reason(error)
      }
      group.cancelAll()
      end.come(problem)
    }
  }
}

/// Tells the worker's thread that nothing is served any more.
///
/// A class, because a task and a thread share it; the lock guards both properties.
private final class ServerEnd: @unchecked Sendable {
  private let lock = NSCondition()
  private var isHere = false
  private var problem: String?

  var hasCome: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isHere
  }

  func come(_ problem: String?) {
    lock.lock()
    self.problem = problem
    isHere = true
    lock.broadcast()
    lock.unlock()
  }

  /// Waits for the end, and returns what went wrong.
  func wait() -> String? {
    lock.lock()
    defer { lock.unlock() }
    while !isHere { lock.wait() }
    return problem
  }
}
