// Takes connections and answers requests on them. FlyingSocks waits for the sockets; reading is
// done here, because a server for strangers must bound what a head may take, in bytes and in time,
// before it knows what is asked. This file must not know what is served.

import FlyingSocks
import Foundation
import TraceIO
import TraceModel

/// An HTTP server of GET and HEAD.
///
/// An actor, because all connections share the table of who may live how long.
actor HTTPListener {
  /// Where connections are taken.
  struct Address: Sendable {
    var host: String
    /// 0 takes any free port.
    var port: UInt16
  }

  typealias Responder = @Sendable (HTTPRequest) async -> HTTPResponse

  nonisolated let port: UInt16
  private let listening: Socket
  private let pool: any AsyncSocketPool
  private let parser: HTTPHeadParser
  private let respond: Responder
  private var connections = ConnectionTable()
  private var isStopping = false

  /// Begins to listen.
  ///
  /// - Parameter hosts: The names under which requests may address the server.
  /// - Throws: `SocketError` if the address isn't this machine's or is taken.
  init(_ address: Address, hosts: AllowedHosts, respond: @escaping Responder) throws {
    let isIPv6 = address.host.contains(":")
    let storage: any SocketAddress =
      isIPv6
      ? try sockaddr_in6.inet6(ip6: address.host, port: address.port)
      : try sockaddr_in.inet(ip4: address.host, port: address.port)
    let socket = try Socket(domain: Int32(isIPv6 ? sockaddr_in6.family : sockaddr_in.family))
    do {
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: storage)
      try socket.listen()
      try socket.setFlags(.nonBlocking)
      switch try socket.sockname() {
      case .ip4(_, let port), .ip6(_, let port): self.port = port
      case .unix: self.port = 0
      }
    } catch {
      try? socket.close()
      throw error
    }
    listening = socket
    pool = .make(maxEvents: 64)
    parser = HTTPHeadParser(hosts: hosts)
    self.respond = respond
  }

  /// Answers until ``stop()``; then lets answers that were begun end for a moment.
  func run() async throws {
    let pool = pool
    try await pool.prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask { try await self.accept() }
      try await self.sweep()
      group.cancelAll()
      while let result = await group.nextResult() { _ = result }
    }
    try? listening.close()
  }

  /// Takes no more connections, and lets ``run()`` return.
  func stop() { isStopping = true }

  /// Ends connections whose time is up, until the server stops.
  private func sweep() async throws {
    while !isStopping {
      try await Task.sleep(for: .milliseconds(200))
      connections.end(expiredAt: ProcessEnvironment.monotonicNanoseconds())
    }
    let limit = ProcessEnvironment.monotonicNanoseconds() + ConnectionTable.stopNanosecondsMax
    while connections.hasAnswers, ProcessEnvironment.monotonicNanoseconds() < limit {
      try await Task.sleep(for: .milliseconds(20))
    }
    connections.endAll()
  }

  private func accept() async throws {
    while !isStopping {
      do {
        let socket = try AsyncSocket(socket: Socket(file: listening.accept().file), pool: pool)
        if connections.isFull, !connections.endOldestWaiting() {
          try? socket.close()
        } else {
          begin(socket)
        }
        // Many who connect at once mustn't keep those who are connected waiting.
        await Task.yield()
      } catch SocketError.blocked {
        try await pool.suspendSocket(listening, untilReadyFor: .connection)
      } catch is CancellationError {
        return
      } catch {
        // The client is gone already, or descriptors have run out: who waits longest makes room.
        connections.endOldestWaiting()
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func begin(_ socket: AsyncSocket) {
    let id = connections.nextID()
    let task = Task {
      await self.converse(id, socket)
      try? socket.close()
      self.connections.remove(id)
    }
    connections.insert(id, task, now: ProcessEnvironment.monotonicNanoseconds())
  }

  /// Reads requests and answers them, until one side has enough.
  private func converse(_ id: Int, _ socket: AsyncSocket) async {
    var buffer: [UInt8] = []
    var requestCount = 0
    do {
      while true {
        switch parser.parse(buffer) {
        case .incomplete:
          let bytes = try await socket.read(atMost: 4_096)
          if buffer.isEmpty { enter(.head, id) }
          buffer += bytes
        case .request(let request, let byteCount):
          buffer.removeFirst(byteCount)
          requestCount += 1
          enter(.answering, id)
          let response = await respond(request)
          let keepsAlive =
            request.keepsAlive && response.status.rawValue < 500 && !isStopping
            && requestCount < ConnectionTable.requestsMax
          try await send(
            response, onlyHead: request.method == .head, keepsAlive: keepsAlive, id, socket)
          guard keepsAlive else { return }
          enter(buffer.isEmpty ? .idle : .head, id)
        case .refused(let refusal):
          try await send(
            HTTPResponse(refusal), onlyHead: refusal.isToHead, keepsAlive: false, id, socket)
          try await drain(socket, id)
          return
        }
      }
    } catch {
      // The client left, or its time was up: nobody is there to be told.
    }
  }

  private func send(
    _ response: HTTPResponse, onlyHead: Bool, keepsAlive: Bool, _ id: Int,
    _ socket: AsyncSocket
  ) async throws {
    var response = response
    if !connections.hasRoom(for: response.shared, byteCount: response.body.count) {
      response = HTTPResponse(.unavailable, text: "too many answers are on their way\n")
    }
    enter(.writing(response.shared, byteCount: response.body.count), id)
    try await socket.write(response.head(keepsAlive: keepsAlive))
    if !onlyHead { try await socket.write(response.body) }
  }

  /// Reads what a refused client still sends, so that it sees the answer instead of a reset.
  private func drain(_ socket: AsyncSocket, _ id: Int) async throws {
    enter(.draining, id)
    var byteCount = 0
    while byteCount < ConnectionTable.drainedBytesMax {
      byteCount += try await socket.read(atMost: 4_096).count
    }
  }

  private func enter(_ phase: ConnectionTable.Phase, _ id: Int) {
    connections.enter(phase, id, now: ProcessEnvironment.monotonicNanoseconds())
  }
}
