import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// What a request needs to be answered, beside its body.
struct EndpointCall: Sendable {
  /// The container, as it is served.
  let served: WebContainer
  /// The container and environment in the address.
  let place: WebPlace
  let caller: WebCaller
  /// The container as the caller sees it.
  let container: any CallerContainer
  /// The database in the address.
  let scope: DatabaseScope
  /// The scheme and host under which the client reaches the handler, for addresses in responses.
  let baseURL: String
  let method: String
  /// The items of the query of the address that are `true`.
  let flags: Set<String>
  let signer: TokenSigner
  let uploads: UploadInbox
  let devices: WebDevices
  let notes: RequestNotes
  let now: Date

  var database: MockDatabase { container.database(with: scope) }

  /// The rules for what the caller saves. Requests of servers do not extend a development schema
  /// (seen by MistKit, `no_schema_autocreate`), as those of clients do. A container without a schema
  /// has none that they would extend.
  var rules: ServerRules {
    get throws {
      var rules = served.container.rules
      if case .server = caller, try served.container.store.info().schema != nil {
        rules.justInTimeSchema = .refused
      }
      return rules
    }
  }

  /// The error of a request that needs a user, if there is none.
  ///
  /// - Throws: `CloudError`: `notAuthenticated`.
  @discardableResult
  func requireUser() async throws -> RecordID { try await container.userRecordID() }

  /// Throws the error of a request to a database that needs an account, if there is none.
  func checkAccount() async throws {
    if scope != .public { try await requireUser() }
  }

  // MARK: Tokens

  /// Reads a sync token.
  ///
  /// - Throws: `CloudError`: `invalidArguments` for what is not base64.
  static func serverToken(_ text: String?) throws -> ServerChangeToken? {
    guard let text, !text.isEmpty else { return nil }
    guard let data = Data(base64Encoded: text) else {
      throw CloudError(.invalidArguments, "the syncToken is not one that this server made")
    }
    return ServerChangeToken(data: data)
  }

  static func text(of token: ServerChangeToken) -> JSONValue {
    .string(token.data.base64EncodedString())
  }

  // MARK: Addresses

  /// Returns the address of a file of a container, for a time.
  ///
  /// - Parameter words: what the address leads to.
  func address(_ folder: String, _ purpose: TokenSigner.Purpose, _ words: [String]) -> String {
    "\(baseURL)/\(folder)/\(signer.token(purpose, words))"
  }
}

extension JSONValue {
  /// Returns a value in which zones of the user have the owner `__defaultOwner__`. Clients may name
  /// the owner of a zone by the record name, as the server does.
  func replacingOwner(_ userRecordName: String) -> JSONValue {
    switch content {
    case .array(let elements):
      return JSONValue(
        .array(elements.map { $0.replacingOwner(userRecordName) }), offset: offset)
    case .object(let members):
      let isZone = members.contains { $0.name == "zoneName" }
      let replaced = members.map { member in
        let isOwner = isZone && (member.name == "ownerRecordName" || member.name == "ownerName")
        guard isOwner, member.value.string?.sameScalars(as: userRecordName) == true else {
          return Member(member.name, member.value.replacingOwner(userRecordName))
        }
        return Member(
          member.name,
          JSONValue(.string(ZoneID.currentUserOwnerName), offset: member.value.offset))
      }
      return JSONValue(.object(replaced), offset: offset)
    default: return self
    }
  }
}
