import CloudInterface
import Foundation
import RecordCoding
import RecordModel

/// The links of shares in requests, by their short identifiers.
struct ShortGUIDs {
  private struct Item {
    var value: String
    var fetchesRoot: Bool
    var desiredKeys: [String]?

    var url: URL? {
      let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
      return value.addingPercentEncoding(withAllowedCharacters: allowed)
        .flatMap { URL(string: "https://www.icloud.com/share/" + $0) }
    }
  }

  private let items: [Item]

  init(_ body: inout RequestBody) throws {
    items = try body.objects("shortGUIDs") { item in
      Item(
        value: try item.required("value"),
        fetchesRoot: try item.value("shouldFetchRootRecord") ?? false,
        desiredKeys: try item.value("rootRecordDesiredKeys"))
    }
  }

  /// Returns a response with what the user may know about each share, or an error.
  ///
  /// - Parameter accepts: whether the user accepts the shares.
  func answer(_ call: EndpointCall, accepts: Bool) async throws -> JSONValue {
    let container = call.container
    let found = try await container.shareMetadatas(for: items.compactMap(\.url))
    var results: [JSONValue] = []
    for item in items {
      do {
        guard let url = item.url, let result = found[url] else {
          throw WebError(.notFound, "no share of the container has that short identifier")
        }
        var metadata = try result.get()
        if accepts {
          if let accepted = try await container.accept([metadata])[metadata] {
            metadata.share = try accepted.get()
          }
          metadata.participantStatus = .accepted
        }
        results.append(try await json(metadata, item, call))
      } catch {
        results.append(WebError(error).item([.init("shortGUID", .string(item.value))]))
      }
    }
    return .object([.init("results", .array(results))])
  }

  /// Source: Apple's *CloudKit Web Services Reference*, "Accepting Share Records".
  private func json(
    _ metadata: ShareMetadata, _ item: Item, _ call: EndpointCall
  ) async throws -> JSONValue {
    let writer = ServedRecords(call)
    let zoneID = metadata.share.recordID.zoneID
    var members = JSONObjectWriter()
    members.add("shortGUID", item.value)
    members.add("containerIdentifier", metadata.containerIdentifier ?? call.place.identifier)
    members.add("environment", call.place.environment.rawValue)
    let isOwner = metadata.participantRole == .owner
    members.add("databaseScope", isOwner ? "PRIVATE" : "SHARED")
    members.add("zoneID", try ServedRecords.zoneID(zoneID))
    members.add("share", try writer.record(metadata.share))
    members.add("ownerIdentity", try ServedUser.json(metadata.ownerIdentity))
    members.add("participantType", metadata.participantRole.rawValue)
    members.add("participantStatus", metadata.participantStatus.rawValue)
    members.add("participantPermission", metadata.participantPermission.rawValue)
    if let root = metadata.hierarchicalRootRecordID {
      members.add("rootRecordName", root.recordName)
      if item.fetchesRoot {
        let database = call.container.database(with: isOwner ? .private : .shared)
        let record = try? await database.records(for: [root], desiredKeys: item.desiredKeys)[root]?
          .get()
        members.add("rootRecord", try record.map(writer.record))
      }
    }
    return members.value
  }
}
