import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

/// A client that was not written for this server: pyicloud from PyPI, whose models are of recorded
/// responses of Apple's.
@Suite(
  .enabled("python3 has no module pyicloud: pip install pyicloud") {
    await Command.pythonHas("pyicloud.common.cloudkit")
  })
struct PyicloudTests {
  /// Runs a script against a served container.
  ///
  /// - Returns: what the script has printed, and the statuses of the responses.
  private func run(
    _ script: String, admin: WebAdmin? = nil
  ) async throws -> (result: Command, statuses: Set<Int>) {
    let container = try MockContainer.inMemory(rules: .webServices)
    let handler = WebServicesHandler([try WebContainer(container)], admin: admin)
    let result = try await runScript(script, against: handler)
    return (result, Set(handler.log.entries.map(\.status)))
  }

  @Test func `pyicloud queries, modifies, syncs and uploads, and validates every response`()
    async throws
  {
    let (result, statuses) = try await run("pyicloud_client.py")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.components(separatedBy: ": ok").count == 7, "\(result.output)")
    #expect(statuses == [200])
  }

  @Test(
    .enabled("pyicloud is older than its photo library for CloudKit") {
      await Command.pythonHas("pyicloud.services.photos_cloudkit")
    })
  func `pyicloud lists and downloads photos, with responses that are set up`() async throws {
    let (result, statuses) = try await run("pyicloud_photos.py", admin: WebAdmin { _ in Data() })
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.components(separatedBy: ": ok").count == 8, "\(result.output)")
    #expect(statuses == [200])
  }
}
