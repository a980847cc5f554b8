// Sends requests to one receiver and reads its answers, with a time limit on everything. Used by
// one thread, which waits: a sender has nothing else to do. This file must not know what is sent.

import FlyingSocks
import Foundation
import TraceIO
import TraceModel

/// Why a request has no answer; one sentence without a final dot.
struct RemoteFailure: Error, Equatable {
  var text: String
  /// Whether the receiver said nothing at all on a connection that had been used before: it may
  /// have closed it meanwhile.
  var isStale = false
}

/// A connection to a receiver, opened when it is needed.
struct RemoteClient: ~Copyable {
  private static let second: Int64 = 1_000_000_000
  /// For each address of the receiver.
  static let connectNanosecondsMax = 5 * second
  /// From the first byte of a request to the last one of the answer: what Prometheus waits.
  static let requestNanosecondsMax = 30 * second
  /// For the rest of an answer whose status is known.
  static let bodyNanosecondsMax = 2 * second
  /// After so long it is looked whether the sender has to end.
  private static let sliceMilliseconds: Int64 = 100

  let target: RemoteTarget
  private let agent: String
  private var socket: Socket?

  /// - Parameter version: The program's version, told to the receiver.
  init(_ target: RemoteTarget, version: String) {
    self.target = target
    agent = "tracecheck/\(version)"
  }

  deinit { try? socket?.close() }

  /// Sends a body and waits for the answer.
  ///
  /// - Parameter limit: When it must be over at the latest, by the monotonic clock; it is asked
  ///   again and again.
  mutating func post(
    _ body: [UInt8], limit: () -> Int64
  ) throws(RemoteFailure) -> RemoteAnswer {
    do throws(RemoteFailure) {
      return try postOnce(body, limit)
    } catch {
      if !error.isStale { throw error }
      return try postOnce(body, limit)
    }
  }

  private mutating func postOnce(
    _ body: [UInt8], _ limit: () -> Int64
  ) throws(RemoteFailure) -> RemoteAnswer {
    let open = self.socket
    let isReused = open != nil
    // Kept only after an answer that says so.
    self.socket = nil
    let socket: Socket
    if let open { socket = open } else { socket = try connected(limit) }
    do throws(RemoteFailure) {
      let answer = try exchange(body, socket, limit)
      if answer.keepsAlive { self.socket = socket } else { try? socket.close() }
      return answer
    } catch {
      try? socket.close()
      var failure = error
      failure.isStale = failure.isStale && isReused
      throw failure
    }
  }

  // MARK: Connecting

  private func connected(_ limit: () -> Int64) throws(RemoteFailure) -> Socket {
    let addresses: [String]
    do throws(RemoteHost.LookupFailure) {
      addresses = try RemoteHost.addresses(of: target.host)
    } catch {
      throw RemoteFailure(text: error.text)
    }
    var last = RemoteFailure(text: "it has no address")
    for address in addresses {
      do throws(RemoteFailure) {
        return try connected(to: address, limit)
      } catch {
        last = error
      }
    }
    throw last
  }

  private func connected(
    to address: String, _ limit: () -> Int64
  ) throws(RemoteFailure) -> Socket {
    let deadline = ProcessEnvironment.monotonicNanoseconds() + Self.connectNanosecondsMax
    var opened: Socket?
    do {
      let isIPv6 = address.contains(":")
      let storage: any SocketAddress =
        isIPv6
        ? try sockaddr_in6.inet6(ip6: address, port: target.port)
        : try sockaddr_in.inet(ip4: address, port: target.port)
      let socket = try Socket(
        domain: Int32(isIPv6 ? sockaddr_in6.family : sockaddr_in.family))
      opened = socket
      try socket.setFlags(.nonBlocking)
      while true {
        do {
          try socket.connect(to: storage)
          return socket
        } catch let error where Self.isPassing(error) {
          try Self.wait(
            socket, toWrite: true, deadline, limit, "no connection came about within 5 s")
        }
      }
    } catch {
      try? opened?.close()
      if let failure = error as? RemoteFailure { throw failure }
      throw RemoteFailure(text: "can't connect: \(Self.reason(error))")
    }
  }

  // MARK: Talking

  private func exchange(
    _ body: [UInt8], _ socket: Socket, _ limit: () -> Int64
  ) throws(RemoteFailure) -> RemoteAnswer {
    let deadline = ProcessEnvironment.monotonicNanoseconds() + Self.requestNanosecondsMax
    do {
      try write(Data(head(byteCount: body.count).utf8) + Data(body), socket, deadline, limit)
    } catch SocketError.disconnected {
      // It may have said why before it closed the connection.
    } catch let failure as RemoteFailure {
      throw failure
    } catch {
      throw RemoteFailure(text: "sending failed: \(Self.reason(error))", isStale: true)
    }
    return try read(socket, deadline, limit)
  }

  private func head(byteCount: Int) -> String {
    var text = "POST \(target.path) HTTP/1.1\r\nHost: \(target.hostField)\r\n"
    text += "User-Agent: \(agent)\r\nContent-Type: application/x-protobuf\r\n"
    text += "Content-Encoding: snappy\r\nX-Prometheus-Remote-Write-Version: 0.1.0\r\n"
    if let authorization = target.authorization { text += "Authorization: \(authorization)\r\n" }
    return text + "Content-Length: \(byteCount)\r\n\r\n"
  }

  private func write(
    _ data: Data, _ socket: Socket, _ deadline: Int64, _ limit: () -> Int64
  ) throws {
    var index = data.startIndex
    while index < data.endIndex {
      do {
        index = try socket.write(data, from: index)
      } catch let error where Self.isPassing(error) {
        try Self.wait(
          socket, toWrite: true, deadline, limit, "it didn't take the request within 30 s")
      }
    }
  }

  private func read(
    _ socket: Socket, _ deadline: Int64, _ limit: () -> Int64
  ) throws(RemoteFailure) -> RemoteAnswer {
    var reader = RemoteAnswerReader()
    var deadline = deadline
    // Silence may be an answer that is late, and not a connection that was closed before.
    var mayBeStale = true
    while true {
      do throws(RemoteAnswerReader.Failure) {
        switch Self.piece(of: socket) {
        case .bytes(let bytes):
          mayBeStale = false
          let wasKnown = reader.answer != nil
          try reader.take(bytes)
          if !wasKnown, reader.answer != nil {
            let now = ProcessEnvironment.monotonicNanoseconds()
            deadline = min(deadline, now + Self.bodyNanosecondsMax)
          }
        case .end: try reader.end()
        case .nothing:
          do throws(RemoteFailure) {
            try Self.wait(socket, toWrite: false, deadline, limit, "no answer came within 30 s")
          } catch {
            mayBeStale = false
            if reader.answer == nil { throw RemoteAnswerReader.Failure(text: error.text) }
            reader.giveUp()
          }
        case .failed(let text):
          if reader.answer == nil { throw RemoteAnswerReader.Failure(text: text) }
          reader.giveUp()
        }
      } catch {
        throw RemoteFailure(text: error.text, isStale: mayBeStale)
      }
      if reader.isComplete, let answer = reader.answer { return answer }
    }
  }

  private enum Piece {
    case bytes([UInt8])
    case end
    case nothing
    case failed(String)
  }

  private static func piece(of socket: Socket) -> Piece {
    do {
      return .bytes(try socket.read(atMost: 4_096))
    } catch SocketError.disconnected {
      return .end
    } catch let error where isPassing(error) {
      return .nothing
    } catch {
      return .failed("reading its answer failed: \(reason(error))")
    }
  }

  // MARK: Waiting

  private static func wait(
    _ socket: Socket, toWrite: Bool, _ deadline: Int64, _ limit: () -> Int64, _ text: String
  ) throws(RemoteFailure) {
    while true {
      let now = ProcessEnvironment.monotonicNanoseconds()
      let end = min(deadline, limit())
      if now >= end {
        throw RemoteFailure(text: end < deadline ? "it didn't answer in time" : text)
      }
      let rest = min((end - now) / 1_000_000 + 1, sliceMilliseconds)
      let descriptor = socket.file.rawValue
      if RemoteHost.wait(for: descriptor, toWrite: toWrite, milliseconds: Int32(rest)) { return }
    }
  }

  /// Whether a call is to be made again.
  private static func isPassing(_ error: any Error) -> Bool {
    switch error as? SocketError {
    case .blocked: true
    case .failed(_, let number, _): RemoteHost.isInterruption(errorNumber: number)
    default: false
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? SocketError {
    case .failed(_, let number, _): RemoteHost.text(errorNumber: number)
    case .disconnected: "it ended the connection"
    default: "\(error)"
    }
  }
}
