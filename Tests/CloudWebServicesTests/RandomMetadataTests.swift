import Foundation
import MockCloud
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import CloudWebServices

/// Requests of random shape to every endpoint: whatever they store can be read again.
@Suite("Metadata of random shape")
struct RandomMetadataTests {
  @Test("never makes a container unreadable", arguments: SeededGenerator.seeds(6))
  func readable(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let client = try WebClient(page: .withServices)
    for user in ["_kenji", "_eve"] { _ = try client.container.account(user) }
    try await client.makeZone()
    let tag = try await client.create("a")["recordChangeTag"].string ?? ""
    let bodies = try RequestMemberTests.requests.map {
      try JSONParser.parse($0.body(tag: tag))
    }
    for _ in 0..<150 {
      let index = Int.random(in: bodies.indices, using: &random)
      let request = RequestMemberTests.requests[index]
      var body = bodies[index]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        body = body.mutated(&random, vocabulary: bodies.randomElement(using: &random) ?? .null)
      }
      let user = ["_anna", "_kenji", "_eve"].randomElement(using: &random) ?? ""
      let scope = ["public", "private", "shared"].randomElement(using: &random) ?? ""
      let sender = client.with(
        user: user, scope: Bool.random(using: &random) ? request.scope : scope)
      let answer = try await sender.post(request.path, body.compactText)
      #expect(answer.status != 500, "\(seed): \(request.path) \(body.compactText)\n\(answer.text)")
    }
    try await check(client, seed)
  }

  /// Opens, queries, exports and verifies the container, and reads all metadata.
  private func check(_ client: WebClient, _ seed: UInt64) async throws {
    let store = client.container.store
    var faults: [String] = []
    _ = try store.verify { faults.append("\($0.place): \($0.problem)") }
    #expect(faults.isEmpty, "\(seed): \(faults)")
    #expect(try store.snapshot { try $0.damagedMetadata() }.isEmpty)
    for user in ["_anna", "_kenji", "_eve"] {
      for scope in ["public", "private", "shared"] {
        let sender = client.with(user: user, scope: scope)
        for path in ["zones/list", "subscriptions/list", "users/current"] {
          #expect(try await sender.post(path).status == 200, "\(seed): \(user) \(scope) \(path)")
        }
      }
    }
    let found = try await client.post(
      "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
    #expect(found.status == 200)
    try withFolder { folder in
      let path = folder + "/a.recordpack"
      let exported = try Archiver().run(
        from: [.container(store)], into: .bundle(path: path, overwrite: false))
      #expect(exported.damage.isEmpty)
      let copy = try ContainerStore.open(path: folder + "/a.sqlite", mode: .create)
      _ = try Archiver().run(from: [.open([path])], into: .container(copy))
      #expect(try copy.verify { _ in }.isIntact)
      #expect(try copy.info().accounts == store.info().accounts)
    }
  }
}

extension RequestMemberTests.Request {
  fileprivate func body(tag: String) -> String {
    body.replacing("@Z@", with: #"{"zoneName":"Notes"}"#).replacing("TAG", with: tag)
  }
}

extension JSONValue {
  /// Returns the value with something in it replaced, removed, renamed or added.
  fileprivate func mutated(
    _ random: inout SeededGenerator, vocabulary: JSONValue
  ) -> JSONValue {
    switch content {
    case .object(var members) where !members.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let index = Int.random(in: members.indices, using: &random)
      let member = members[index]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: members.remove(at: index)
      case 1: members[index] = Member(member.name, .random(&random, vocabulary))
      case 2 where !members.contains { $0.name == "x" }:
        members.append(Member("x", .random(&random, vocabulary)))
      default:
        members[index] = Member(member.name, member.value.mutated(&random, vocabulary: vocabulary))
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let index = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index].mutated(&random, vocabulary: vocabulary))
      default: elements[index] = elements[index].mutated(&random, vocabulary: vocabulary)
      }
      return .array(elements)
    default: return .random(&random, vocabulary)
    }
  }

  private static func random(_ random: inout SeededGenerator, _ vocabulary: JSONValue) -> JSONValue
  {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2:
      return .number(
        text: ["0", "-1", "1.5", "1e300", "9223372036854775808"].randomElement(using: &random)
          ?? "0")
    case 3: return .array([])
    case 4: return .object([])
    case 5: return .object([.init("recordName", .string("x"))])
    case 6: return .object([.init("value", .null), .init("type", .string("X"))])
    case 7: return .array([.null, .string("")])
    case 8...9:
      let texts = ["", "_x", "\u{0}", "é", "_defaultZone", "Notes", "a", "cloudkit.share", "kind"]
      return .string(texts.randomElement(using: &random) ?? "")
    default:
      // A part of another request.
      var part = vocabulary
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let inner = part.members?.map(\.value) ?? part.elements ?? []
        part = inner.randomElement(using: &random) ?? part
      }
      return part
    }
  }
}
