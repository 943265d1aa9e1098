import CloudInterface
import Foundation
import RecordModel
import Testing

/// The sharing calls for one item are calls for several, with the result or the error of the one.
struct SharingTests {
  private let metadata = EchoContainer.metadata(named: "secret")
  private var link: URL {
    get throws { try #require(URL(string: "https://www.icloud.com/share/secret")) }
  }

  @Test("a user is found by record name, e-mail address or phone number")
  func participants() async throws {
    let container: any CloudContainer = EchoContainer()
    let byName = try await container.shareParticipant(
      forUserRecordID: UserRecord.recordID(named: "_anna"))
    let byAddress = try await container.shareParticipant(forEmailAddress: "anna@example.com")
    let byNumber = try await container.shareParticipant(forPhoneNumber: "+49151")
    #expect(byName.userIdentity.lookupInfo == .init(userRecordName: "_anna"))
    #expect(byAddress.userIdentity.lookupInfo == .init(emailAddress: "anna@example.com"))
    #expect(byNumber.userIdentity.lookupInfo == .init(phoneNumber: "+49151"))
  }

  @Test("a call for one share returns its metadata, or accepts it")
  func shares() async throws {
    let container: any CloudContainer = EchoContainer()
    #expect(try await container.shareMetadata(for: link) == metadata)
    #expect(try await container.accept(metadata) == metadata.share)
  }

  @Test("a sharing call for one item throws its error")
  func failure() async throws {
    let error = CloudError(.unknownItem)
    let container = EchoContainer(database: EchoDatabase(error: error))
    await #expect(throws: error) {
      try await container.shareParticipant(forEmailAddress: "anna@example.com")
    }
    await #expect(throws: error) { try await container.shareMetadata(for: link) }
    await #expect(throws: error) { try await container.accept(metadata) }
  }

  @Test("a missing result is an internalError, which does not name the user or the link")
  func missing() async throws {
    let container = EchoContainer(database: EchoDatabase(isSilent: true))
    var errors: [CloudError?] = []
    errors.append(
      await error { _ = try await container.shareParticipant(forEmailAddress: "secret@a.org") })
    errors.append(await error { _ = try await container.shareMetadata(for: link) })
    errors.append(await error { try await container.accept(metadata) })
    #expect(errors.map(\.?.code) == [.internalError, .internalError, .internalError])
    #expect(errors.allSatisfy { $0?.message.contains("secret") == false })
  }

  private func error(_ body: () async throws -> Void) async -> CloudError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? CloudError
    }
  }
}
