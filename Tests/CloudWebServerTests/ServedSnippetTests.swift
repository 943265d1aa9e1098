import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The code in the articles and comments about serving.
struct ServedSnippetTests {
  @Test func `a test serves a container`() async throws {
    let container = try MockContainer.inMemory(rules: .webServices)
    try await withServedContainer(container) { served in
      try served.add(.error(.throttled, retryAfter: 1).on("records/query", times: 1))
      let url = served.address + "/database/1/iCloud.app/development/private/zones/list"
      let request = URLRequest(url: URL(string: url + served.credentials())!)
      let (zones, _) = try await URLSession.shared.data(for: request)
      #expect(String(decoding: zones, as: UTF8.self).contains("_defaultZone"))
      #expect(served.log.entries.count == 1)
    }
  }

  @Test func `a server closes with its object`() async throws {
    let served = try await ServedContainer(.inMemory(rules: .webServices))
    let target = "/database/1/iCloud.app/development/private/zones/list"
    let url = URL(string: served.address + target + served.credentials())!
    let (data, _) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: data, as: UTF8.self).contains("_defaultZone"))
  }

  @Test func `a handler answers without a server`() async throws {
    let container = try MockContainer.inMemory(rules: .webServices)
    let handler = WebServicesHandler([try WebContainer(container)])
    let request = WebRequest(
      "POST",
      "/database/1/iCloud.app/development/private/zones/list"
        + "?ckAPIToken=test&ckWebAuthToken=__defaultOwner__",
      body: Data("{}".utf8))
    let response = await handler.respond(to: request)
    print(response.status, String(decoding: response.body, as: UTF8.self))
    #expect(response.status == 200)
  }

  @Test func `a fault is for some requests`() {
    let fault = WebFault.error(.throttled, retryAfter: 3).on("records/modify", times: 2)
    let page = WebFault.response(#"{"records":[]}"#).on("records/query", recordType: "Note")
    #expect(fault.times == 2)
    #expect(page.response?.status == 200)
    let album = WebFault.response(#"{"records":[],"continuationMarker":"more"}"#)
      .on("records/query", zone: "PrimarySync", recordType: "CPLAlbumByPositionLive", times: 1)
    #expect(album.recordType == "CPLAlbumByPositionLive")
    let conflict = WebFault.partialFailure(with: .conflict).on("records/modify", record: "milk")
    let limit = WebFault.limitExceeded(over: 100)
    let expired = WebFault.changeTokenExpired.on("changes/zone", times: 1)
    #expect(conflict.isOfItems && limit.maxItems == 100 && expired.needsToken)
  }

  @Test func `a container is served for some lines`() async throws {
    struct NotesClient {
      let server: String
      func sync() async throws { _ = server }
    }
    let container = try MockContainer.inMemory(rules: .webServices)
    try await withServedContainer(container) { served in
      let client = NotesClient(server: served.address)
      try await client.sync()
    }
  }
}
