import CloudInterface
import Foundation
import RecordCoding
import RecordModel

/// Writes results of single items: the identity, and what was returned or the error.
enum ItemJSON {
  static func records(
    _ results: [RecordID: Result<ResultRecord, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    try records(results.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, &assets)
  }

  static func records(
    _ results: [(RecordID, Result<ResultRecord, any Error>)], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    try items(results, "record", &assets) { record, assets in
      try assets.strip(record).jsonValue()
    }
  }

  static func zones(
    _ results: [ZoneID: Result<RecordZone, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    let sorted = results.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return try items(sorted, "zone", &assets) { zone, _ in try zone.jsonValue() }
  }

  static func subscriptions(
    _ results: [String: Result<CloudSubscription, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    let sorted = results.sorted { ExactString($0.key) < ExactString($1.key) }.map {
      ($0.key, $0.value)
    }
    return try items(sorted, "subscription", &assets) { subscription, _ in
      try subscription.jsonValue()
    }
  }

  static func participants(
    _ results: [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>],
    _ assets: inout AssetCollector
  ) throws -> JSONValue {
    let sorted = results.sortedByJSON(\.key).map { ($0.key, $0.value) }
    return try items(sorted, "participant", &assets) { participant, _ in
      try participant.jsonValue()
    }
  }

  static func metadatas(
    _ results: [URL: Result<ShareMetadata, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    let sorted = results.sortedByJSON(\.key).map { ($0.key, $0.value) }
    return try items(sorted, "metadata", &assets) { metadata, assets in
      try assets.strip(metadata).jsonValue()
    }
  }

  static func shares(
    _ results: [ShareMetadata: Result<ResultRecord, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    let sorted = results.map { (assets.strip($0.key), $0.value) }.sortedByJSON(\.0)
    return try items(sorted, "share", &assets) { share, assets in
      try assets.strip(share).jsonValue()
    }
  }

  /// Writes deletions. A deletion without an error succeeded.
  static func deletions<Key: JSONConvertible>(
    _ results: [Key: Result<Void, any Error>], _ assets: inout AssetCollector
  ) throws -> JSONValue {
    .array(
      try results.sortedByJSON(\.key).map { key, result in
        try item(try key.jsonValue(), result.map { nil as JSONValue? }, nil, &assets)
      })
  }

  private static func items<Key: JSONConvertible, Item>(
    _ results: [(Key, Result<Item, any Error>)], _ name: String, _ assets: inout AssetCollector,
    _ json: (Item, inout AssetCollector) throws -> JSONValue
  ) throws -> JSONValue {
    .array(
      try results.map { key, result in
        let written: Result<JSONValue?, any Error>
        switch result {
        case .success(let item): written = .success(try json(item, &assets))
        case .failure(let error): written = .failure(error)
        }
        return try Self.item(try key.jsonValue(), written, name, &assets)
      })
  }

  private static func item(
    _ id: JSONValue, _ result: Result<JSONValue?, any Error>, _ name: String?,
    _ assets: inout AssetCollector
  ) throws -> JSONValue {
    var members = [JSONValue.Member("id", id)]
    switch result {
    case .success(let json):
      if let name, let json { members.append(.init(name, json)) }
    case .failure(let error):
      members.append(.init("error", try ErrorJSON.json(error, &assets)))
    }
    return .object(members)
  }
}

/// Reads results of single items.
struct ItemReader {
  /// The contents of the assets.
  let contents: RecordedContents

  func records(_ json: JSONValue) throws -> [(RecordID, Result<ResultRecord, any Error>)] {
    try items(json, RecordID.self) { members in
      try members.required("record", ResultRecord.self).adding(contents.ofCall)
    }
  }

  func zones(_ json: JSONValue) throws -> [(ZoneID, Result<RecordZone, any Error>)] {
    try items(json, ZoneID.self) { members in try members.required("zone") }
  }

  func subscriptions(
    _ json: JSONValue
  ) throws -> [(String, Result<CloudSubscription, any Error>)] {
    try items(json, String.self) { members in try members.required("subscription") }
  }

  func participants(
    _ json: JSONValue
  ) throws -> [(UserIdentity.LookupInfo, Result<ShareParticipant, any Error>)] {
    try items(json, UserIdentity.LookupInfo.self) { try $0.required("participant") }
  }

  func metadatas(_ json: JSONValue) throws -> [(URL, Result<ShareMetadata, any Error>)] {
    try items(json, URL.self) { members in
      try members.required("metadata", ShareMetadata.self).adding(contents.ofCall)
    }
  }

  func shares(_ json: JSONValue) throws -> [(ShareMetadata, Result<ResultRecord, any Error>)] {
    let results = try items(json, ShareMetadata.self) { members in
      try members.required("share", ResultRecord.self).adding(contents.ofCall)
    }
    return results.map { ($0.adding(contents.ofCall), $1) }
  }

  func deletions<Key: JSONConvertible>(
    _ json: JSONValue
  ) throws -> [(Key, Result<Void, any Error>)] {
    try items(json, Key.self) { _ in }
  }

  private func items<Key: JSONConvertible, Item>(
    _ json: JSONValue, _: Key.Type, _ item: (inout MemberReader) throws -> Item
  ) throws -> [(Key, Result<Item, any Error>)] {
    try json.expectElements { json in
      var members = try MemberReader(json, "the result of an item")
      let id = try members.required("id", Key.self)
      let error = try members.read("error") { try ErrorJSON.error($0, contents) }
      return (id, try error.map { .failure($0) } ?? .success(try item(&members)))
    }
  }

  /// - Throws: `RecordCodingError` for an item with two results.
  func dictionary<Key: Hashable, Item>(
    _ items: [(Key, Result<Item, any Error>)]
  ) throws -> [Key: Result<Item, any Error>] {
    var results: [Key: Result<Item, any Error>] = [:]
    for (key, result) in items {
      guard results.updateValue(result, forKey: key) == nil else {
        throw RecordCodingError(found: "two results of an item", expected: "one")
      }
    }
    return results
  }
}
