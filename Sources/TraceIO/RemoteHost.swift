// What a client needs of the system beside sockets: a host's addresses, patience, and words.

/// Another machine, or this one, as a client reaches it.
public enum RemoteHost {
  /// Why a name leads nowhere; one sentence without a final dot.
  public struct LookupFailure: Error, Hashable, Sendable {
    public var text: String
  }

  /// Addresses of one host that are tried.
  public static let addressesMax = 4

  /// The addresses of a host in numbers, in the order in which they should be tried. This may take
  /// as long as the system's name service wants, up to half a minute or so.
  public static func addresses(of name: String) throws(LookupFailure) -> [String] {
    do throws(SystemCalls.LookupError) {
      let addresses = try SystemCalls.addresses(of: name, limit: addressesMax)
      if addresses.isEmpty { throw SystemCalls.LookupError(text: "it has no address") }
      return addresses
    } catch {
      throw LookupFailure(text: "the name can't be looked up: \(error.text)")
    }
  }

  /// Waits until a socket can be read or written, at most so long.
  ///
  /// - Returns: False if the time is over or a signal came.
  public static func wait(for descriptor: Int32, toWrite: Bool, milliseconds: Int32) -> Bool {
    SystemCalls.wait(for: descriptor, toWrite: toWrite, milliseconds: milliseconds) == .ready
  }

  /// Waits without anything to wait for; a signal ends it.
  public static func pause(milliseconds: Int32) { SystemCalls.sleep(milliseconds: milliseconds) }

  /// Whether a call failed because a signal came.
  public static func isInterruption(errorNumber: Int32) -> Bool {
    SystemError(number: errorNumber).isInterrupted
  }

  /// The system's words for an error of a socket.
  public static func text(errorNumber: Int32) -> String { SystemError(number: errorNumber).text }
}
