// Why an address can't be listened on is said in words that help.

import Testing

@testable import TraceServe

struct HTTPListenerTests {
  private func listen(_ host: String, port: UInt16) throws -> HTTPListener {
    try HTTPListener(
      HTTPListener.Address(host: host, port: port), hosts: AllowedHosts(listenHost: host)
    ) { _ in HTTPResponse(.ok, text: "") }
  }

  private func reason(_ host: String, port: UInt16) -> String? {
    do {
      _ = try listen(host, port: port)
      return nil
    } catch {
      return HTTPListener.reason(error)
    }
  }

  @Test func aPortThatIsInUseIsSaidToBe() throws {
    let port = try listen("127.0.0.1", port: 0).port
    #expect(reason("127.0.0.1", port: port) == "the port is in use by another program")
  }

  @Test func anAddressOfAnotherMachineIsSaidToBe() {
    #expect(reason("192.0.2.1", port: 0) == "the address isn't one of this machine's")
  }

  @Test(arguments: ["nowhere", "300.1.1.1", ":"])
  func whatIsNoAddressIsSaidToBe(host: String) {
    #expect(reason(host, port: 0) == "it is no address in numbers")
  }
}
