import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Synchronization

/// A container with sharing calls only: one user who can be found, some shares, and a log of what
/// it was asked.
final class SharingContainer: CallHandlingContainer {
  let containerIdentifier: String? = "iCloud.test"
  private let state = Mutex((calls: [CloudCall](), accepted: [RecordID]()))

  static let anna = UserIdentity.LookupInfo(emailAddress: "anna@example.com")
  static let nobody = UserIdentity.LookupInfo(phoneNumber: "+49 151 234567")
  static let tripLink = link("0trip")
  static let noLink = link("0nothing")
  /// Parts of what no message may show.
  static let personalData = [
    "anna", "@", "+49", "Vogel", "Mira", "Okafor", "https", "0trip", "0nothing", "Summer",
  ]

  static func link(_ name: String) -> URL {
    URL(string: "https://www.icloud.com/share/\(name)#Summer") ?? URL(filePath: "/")
  }

  /// What a user may know about a share of Mira's, whose link has the share's name.
  static func metadata(
    _ name: String, title: String = "Summer", owner: String = "Mira"
  ) throws -> ShareMetadata {
    let owner = UserIdentity(
      userRecordName: "_mira",
      nameComponents: .init(givenName: owner, familyName: "Okafor"),
      lookupInfo: .init(emailAddress: "mira@example.com"))
    var draft = DraftRecord(recordType: Share.recordType, recordID: id(name))
    draft[Share.titleKey] = title
    draft["guide"] = Reference(recordID: id(title))
    draft.shareInfo = Share(
      participants: [
        ShareParticipant(role: .owner, acceptanceStatus: .accepted, userIdentity: owner),
        ShareParticipant(userIdentity: UserIdentity(lookupInfo: anna)),
      ], shortGUID: "0\(name)", url: link("0\(name)"))
    var share = ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
    if name == "photos" {
      share = ResultRecord(
        systemFields: draft.systemFields,
        fields: draft.fields + [
          Field(name: "photo", value: .asset(Asset(data: Data("a photo".utf8))))
        ])
    }
    return ShareMetadata(
      containerIdentifier: "iCloud.test", share: share, hierarchicalRootRecordID: id("root"),
      ownerIdentity: owner, participantPermission: .readWrite)
  }

  /// One call of each kind, with results and errors of items.
  static func calls() throws -> [CloudCall] {
    let trip = try metadata("trip")
    let mira = UserIdentity.LookupInfo(userRecordName: "_mira")
    return [
      CloudCall(
        .shareParticipants(lookupInfos: [anna, nobody, mira])),
      CloudCall(.shareMetadatas(urls: [tripLink, noLink])),
      CloudCall(.accept([trip, try metadata("full")])),
    ]
  }

  /// The calls that have reached the server.
  var calls: [CloudCall] { state.withLock { $0.calls } }
  /// The names of the shares that were accepted.
  var accepted: [String] { state.withLock { $0.accepted.map(\.recordName) } }

  func accountChanges() -> AsyncStream<AccountStatus> {
    AsyncStream {
      $0.yield(.noAccount)
      $0.yield(.available)
      $0.finish()
    }
  }

  func handle(_ call: CloudCall) async throws -> CloudResponse {
    state.withLock { $0.calls.append(call) }
    switch call.request {
    case .shareParticipants(let lookupInfos):
      return CloudResponse(
        results(lookupInfos, CloudItem.user) { lookupInfo in
          guard lookupInfo == Self.anna else { throw CloudError(.unknownItem) }
          return .participant(
            ShareParticipant(
              userIdentity: UserIdentity(
                userRecordName: "_anna",
                nameComponents: .init(givenName: "Anna", familyName: "Vogel"),
                lookupInfo: lookupInfo)))
        })
    case .shareMetadatas(let urls):
      return CloudResponse(
        results(urls, CloudItem.link) { url in
          guard url != Self.noLink else { throw CloudError(.unknownItem) }
          return .metadata(try Self.metadata(String(url.lastPathComponent.dropFirst())))
        })
    case .accept(let metadatas):
      return CloudResponse(
        results(metadatas, { .record($0.share.recordID) }) { metadata in
          let share = metadata.share
          guard share.recordID != id("full") else { throw CloudError(.tooManyParticipants) }
          state.withLock { $0.accepted.append(share.recordID) }
          return .record(share)
        })
    default: throw CloudError(.internalError, "not part of the test")
    }
  }

  private func results<Key>(
    _ keys: [Key], _ item: (Key) -> CloudItem, _ value: (Key) throws -> CloudResponse.Value
  ) -> [CloudResponse.Entry] {
    keys.map { key in .init(item(key), Result { try value(key) }) }
  }
}

/// Whether a text has a part of an identity, of a link, or of the values of a share.
func hasPersonalData(_ text: String) -> Bool {
  SharingContainer.personalData.contains { text.localizedCaseInsensitiveContains($0) }
}
