import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

@Suite struct ContainersTests {
  private func container(
    _ identifier: String?, _ environment: ContainerInfo.Environment? = nil, zone: String
  ) async throws -> WebContainer {
    let container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: identifier, environment: environment),
      rules: .webServices)
    try await container.privateCloudDatabase.save(RecordZone(zoneName: zone))
    return try WebContainer(container)
  }

  private func zones(
    _ handler: WebServicesHandler, _ identifier: String, _ environment: String
  ) async -> Answer {
    let request = WebRequest(
      "POST",
      "/database/1/\(identifier)/\(environment)/private/zones/list"
        + "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__")
    return Answer(await handler.respond(to: request))
  }

  private func zone(
    _ handler: WebServicesHandler, _ identifier: String, _ environment: String
  ) async -> String? {
    await zones(handler, identifier, environment).json["zones"][0]["zoneID"]["zoneName"].string
  }

  @Test func `a container is found by its identifier and environment`() async throws {
    let handler = WebServicesHandler([
      try await container(nil, zone: "Any"), try await container("iCloud.a", zone: "A"),
      try await container("iCloud.b", .development, zone: "Development"),
      try await container("iCloud.b", .production, zone: "Production"),
    ])
    let found = [
      await zone(handler, "iCloud.a", "development"),
      await zone(handler, "iCloud.a", "production"),
      await zone(handler, "iCloud.b", "development"),
      await zone(handler, "iCloud.b", "production"),
      await zone(handler, "iCloud.c", "production"),
    ]
    #expect(found == ["A", "A", "Development", "Production", "Any"])
  }

  @Test func `an address without a container names those that have one`() async throws {
    let handler = WebServicesHandler([
      try await container("iCloud.b", .production, zone: "B"),
      try await container("iCloud.a", zone: "A"),
    ])
    let answer = await zones(handler, "iCloud.b", "development")
    #expect(answer.status == 404)
    let reason = answer.json["reason"].string
    #expect(
      reason == "no container is served at this address; "
        + "it would be one of: iCloud.a/*, iCloud.b/production")
  }

  @Test func `a token of one environment is none of another`() async throws {
    let handler = WebServicesHandler([
      try await container("iCloud.a", .development, zone: "A"),
      try await container("iCloud.a", .production, zone: "B"),
    ])
    func answer(_ environment: String, _ token: String) async -> Answer {
      let target =
        "/database/1/iCloud.a/\(environment)/private/zones/list?ckAPIToken=t&ckWebAuthToken=\(token)"
      return Answer(await handler.respond(to: WebRequest("POST", target)))
    }
    let first = await answer("development", "__defaultOwner__")
    let token = try #require(first.response.headers["X-Apple-CloudKit-Web-Auth-Token"])
    let (same, other) = (await answer("development", token), await answer("production", token))
    #expect(same.status == 200)
    #expect(other.status == 401)
  }

  @Test func `a request does not wait for one of another container`() async throws {
    let (gate, isBusy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let busy = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.busy"), rules: .webServices,
      now: {
        isBusy.signal()
        gate.wait()
        return Date()
      })
    let handler = WebServicesHandler([
      try WebContainer(busy), try await container("iCloud.free", zone: "Free"),
    ])
    async let slow = handler.respond(
      to: WebRequestBox(
        "/database/1/iCloud.busy/development/private/zones/modify"
          + "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__",
        #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Busy"}}}]}"#
      ).request)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        isBusy.wait()
        continuation.resume()
      }
    }
    let found = await zone(handler, "iCloud.free", "development")
    #expect(found == "Free")
    for _ in 0..<10 { gate.signal() }
    let answer = Answer(await slow)
    #expect(answer.json["zones"][0]["zoneID"]["zoneName"] == "Busy")
  }
}
