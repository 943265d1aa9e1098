import CloudWebServices
import Foundation
import MockCloud
import Testing

@testable import CloudWebServer

@Suite struct ListeningTests {
  private let handler: WebServicesHandler

  init() throws {
    handler = WebServicesHandler([try WebContainer(MockContainer.inMemory(rules: .webServices))])
  }

  @Test(arguments: ["nowhere", "", "1.2.3", "256.0.0.1", "::g", "[::1]"])
  func `a host that is not an address is told as it is`(host: String) {
    let error = #expect(throws: ListeningError.self) {
      try WebServer(handler, host: host, port: 0)
    }
    #expect(error?.description == "'\(host)' is not an IP address")
  }

  @Test func `a server listens on both loopback addresses, or on one`() async throws {
    let both = try WebServer(handler, port: 0)
    #expect(both.address == "http://127.0.0.1:\(both.port)")
    do {
      let other = try WebServer(handler, host: "::1", port: 0)
      #expect(other.address == "http://[::1]:\(other.port)")
    } catch ListeningError.cannotListen {
      // The machine has no IPv6.
      return
    }
    let error = #expect(throws: ListeningError.self) {
      try WebServer(handler, host: "::1", port: both.port)
    }
    #expect(error?.description == "cannot listen on ::1, port \(both.port): the port is in use")
  }

  @Test func `a port in use is told in words`() throws {
    let server = try WebServer(handler, port: 0)
    let error = #expect(throws: ListeningError.self) {
      try WebServer(handler, port: server.port)
    }
    let text = "cannot listen on 127.0.0.1, port \(server.port): the port is in use"
    #expect(error?.description == text)
  }

  @Test func `an address of another machine is told in words`() throws {
    // 192.0.2.0/24 is for documentation (RFC 5737).
    let error = #expect(throws: ListeningError.self) {
      try WebServer(handler, host: "192.0.2.1", port: 0)
    }
    #expect(error?.description.hasSuffix("the address is not one of this machine") == true)
  }

  @Test func `a port that only privileged processes may open is told in words`() {
    #expect(ListeningError.reason(EACCES) == "the port is only for privileged processes")
    #expect(ListeningError.reason(ENOENT) == nil)
  }
}
