import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

/// A client that was not written for this server: pyicloud from PyPI, whose models are of recorded
/// responses of Apple's.
@Suite(
  .enabled(
    if: Command.pythonHas("pyicloud.common.cloudkit"),
    "python3 has no module pyicloud: pip install pyicloud"))
struct PyicloudTests {
  @Test func `pyicloud queries, modifies, syncs and uploads, and validates every response`()
    async throws
  {
    let container = try MockContainer.inMemory(rules: .webServices)
    let handler = WebServicesHandler([try WebContainer(container)])
    let server = try WebServer(handler, port: 0)
    let task = Task { try await server.run() }
    let script = Place.inPackage("Tests/CloudWebServerTests/pyicloud_client.py")
    let address = server.address
    let result = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Command("python3", script, address) })
      }
    }
    task.cancel()
    try await task.value
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.components(separatedBy: ": ok").count == 7, "\(result.output)")
    #expect(handler.log.entries.allSatisfy { $0.status == 200 })
  }
}
