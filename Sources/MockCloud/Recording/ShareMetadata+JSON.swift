import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension ShareParticipant.Role: JSONWord {}
extension ShareParticipant.AcceptanceStatus: JSONWord {}
extension ShareParticipant.Permission: JSONWord {}

extension ShareMetadata: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "the metadata of a share", context)
    // The share has values that are not the user's own.
    members.context.mayShowValues = false
    self.init(
      containerIdentifier: try members.value("containerIdentifier"),
      share: try members.required("share"),
      hierarchicalRootRecordID: try members.value("hierarchicalRootRecordID"),
      ownerIdentity: try members.required("ownerIdentity"),
      participantRole: try members.required("participantRole"),
      participantStatus: try members.required("participantStatus"),
      participantPermission: try members.required("participantPermission"))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    members.add("containerIdentifier", containerIdentifier)
    try members.add("share", share)
    try members.add("hierarchicalRootRecordID", hierarchicalRootRecordID)
    try members.add("ownerIdentity", ownerIdentity)
    try members.add("participantRole", participantRole)
    try members.add("participantStatus", participantStatus)
    try members.add("participantPermission", participantPermission)
    return members.value
  }
}

extension URL: JSONConvertible {
  /// - Throws: `RecordCodingError` without the text: the link to a share contains a secret.
  package init(json: JSONValue, _: MappingContext) throws {
    guard let url = json.string.flatMap({ URL(string: $0) }) else {
      throw json.error(
        found: json.string == nil ? json.kind : "a string that is not a URL", expected: "a URL")
    }
    self = url
  }

  package func jsonValue(in _: ZoneID) -> JSONValue { .string(absoluteString) }
}

extension AssetCollector {
  /// Returns metadata without the contents of the share's assets.
  mutating func strip(_ metadata: ShareMetadata) -> ShareMetadata {
    var stripped = metadata
    stripped.share = strip(metadata.share)
    return stripped
  }
}

extension ShareMetadata {
  /// Returns metadata whose share has the contents of its assets.
  func adding(_ contents: [String: Data]) -> ShareMetadata {
    var metadata = self
    metadata.share = share.adding(contents)
    return metadata
  }
}
