import CloudInterface
import Foundation
import RecordModel

/// One of several things that a call asks for or changes.
public enum CloudItem: Sendable, Hashable {
  /// A record. A share that is accepted is one, too.
  case record(RecordID)
  /// A zone.
  case zone(ZoneID)
  /// A subscription.
  case subscription(String)
  /// A user to invite to a share.
  case user(UserIdentity.LookupInfo)
  /// The link to a share.
  case link(URL)

  /// The zone itself, or the zone that contains the item.
  var enclosingZoneID: ZoneID? { zoneID ?? recordID?.zoneID }

  var recordID: RecordID? { if case .record(let id) = self { id } else { nil } }
  var zoneID: ZoneID? { if case .zone(let id) = self { id } else { nil } }
  var subscriptionID: String? { if case .subscription(let id) = self { id } else { nil } }
  var lookupInfo: UserIdentity.LookupInfo? { if case .user(let info) = self { info } else { nil } }
  var url: URL? { if case .link(let url) = self { url } else { nil } }

  /// Whether an item comes before another one of its kind in a response: records, zones and
  /// subscriptions by name, users and links by their text.
  static func areInOrder(_ first: CloudItem, _ second: CloudItem) -> Bool {
    switch (first, second) {
    case (.record(let a), .record(let b)): a < b
    case (.zone(let a), .zone(let b)): a < b
    default: compareUTF8(first.text, second.text) < 0
    }
  }

  private var text: String {
    switch self {
    case .record(let id): id.recordName
    case .zone(let id): id.zoneName
    case .subscription(let id): id
    case .user(let info): (try? info.jsonValue().compactText) ?? ""
    case .link(let url): url.absoluteString
    }
  }
}

extension CloudItem: CustomStringConvertible {
  /// The kind and the name; only the kind of users and links.
  public var description: String {
    switch self {
    case .record(let id): "record '\(id)'"
    case .zone(let id): "zone '\(id)'"
    case .subscription(let id): "subscription '\(id)'"
    case .user: "a user"
    case .link: "a link"
    }
  }
}

/// The response to a call: a table with the result of each item.
///
/// | call | results | deletions |
/// |---|---|---|
/// | fetch of records, zones or subscriptions; query | the item | |
/// | save | the saved item | the deleted item, without a value |
/// | changes of a zone | the record | the record, with its type |
/// | changes of a database | the zone, without a value | the zone, with the reason |
/// | accepted shares | the share, as a record | |
/// | users, links to shares | the participant, the metadata | |
/// | the user's record | the record, without a value | |
public struct CloudResponse: Sendable {
  /// The result of an item.
  public struct Entry: Sendable {
    /// The item.
    public var item: CloudItem
    /// The item's value, or its error.
    public var result: Result<Value, any Error>

    /// Creates an entry.
    public init(_ item: CloudItem, _ result: Result<Value, any Error>) {
      self.item = item
      self.result = result
    }

    /// Creates an entry with a value.
    public init(_ item: CloudItem, _ value: Value = .none) { self.init(item, .success(value)) }

    var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }
  }

  /// The value of an item.
  public enum Value: Sendable, Hashable {
    /// An item without a value, such as a deletion.
    case none
    /// A fetched, saved or accepted record.
    case record(ResultRecord)
    /// A fetched or saved zone.
    case zone(RecordZone)
    /// A fetched or saved subscription.
    case subscription(CloudSubscription)
    /// A user that was found.
    case participant(ShareParticipant)
    /// The information about a share behind a link.
    case metadata(ShareMetadata)
    /// The type of a deleted record.
    case recordType(String)
    /// The reason for which a zone was deleted.
    case reason(DeletedZone.Reason)

    var record: ResultRecord? { if case .record(let record) = self { record } else { nil } }
    var zone: RecordZone? { if case .zone(let zone) = self { zone } else { nil } }
    var subscription: CloudSubscription? {
      if case .subscription(let subscription) = self { subscription } else { nil }
    }
    var participant: ShareParticipant? {
      if case .participant(let participant) = self { participant } else { nil }
    }
    var metadata: ShareMetadata? { if case .metadata(let data) = self { data } else { nil } }
    var recordType: String? { if case .recordType(let type) = self { type } else { nil } }
    var reason: DeletedZone.Reason? { if case .reason(let reason) = self { reason } else { nil } }
  }

  /// The items that were fetched or saved: in the order of a query, else by name.
  public var results: [Entry] = []
  /// The items that were deleted.
  public var deletions: [Entry] = []
  /// The change token or query cursor that the next call continues from.
  public var position: Data?
  /// Whether the server has more results.
  public var moreComing = false
  /// The status of the user's account, for a call that asks for it.
  public var accountStatus: AccountStatus?

  /// Creates a response.
  public init(
    _ results: [Entry] = [], deletions: [Entry] = [], position: Data? = nil,
    moreComing: Bool = false, accountStatus: AccountStatus? = nil
  ) {
    self.results = results
    self.deletions = deletions
    self.position = position
    self.moreComing = moreComing
    self.accountStatus = accountStatus
  }

  /// Creates a response with the results of items, which it sorts.
  ///
  /// ```swift
  /// CloudResponse([noteID: .success(note)], CloudItem.record, CloudResponse.Value.record)
  /// ```
  public init<Key, Item>(
    _ results: [Key: Result<Item, any Error>], deleted: [Key: Result<Void, any Error>] = [:],
    _ item: (Key) -> CloudItem, _ value: (Item) -> Value
  ) {
    self.results = Self.entries(results, item, value)
    deletions = Self.entries(deleted, item) { .none }
  }

  static func entries<Key, Item>(
    _ results: [Key: Result<Item, any Error>], _ item: (Key) -> CloudItem,
    _ value: (Item) -> Value
  ) -> [Entry] {
    results.map { key, result in Entry(item(key), result.map(value)) }
      .sorted { CloudItem.areInOrder($0.item, $1.item) }
  }

  /// The errors of items.
  var itemErrors: [any Error] { (results + deletions).compactMap(\.error) }
}

// MARK: Faults

extension CloudResponse {
  /// Replaces the results of some items by an error.
  mutating func fail(_ items: Set<CloudItem>, with error: CloudError) {
    for index in results.indices where items.contains(results[index].item) {
      results[index].result = .failure(error)
    }
  }

  /// Adds the errors of items that were not sent to the server.
  mutating func add(_ errors: [CloudItem: CloudError], of request: CloudRequest) {
    func entries(_ items: [CloudItem]) -> [Entry] {
      items.compactMap { item in errors[item].map { Entry(item, .failure($0)) } }
    }
    results += entries(request.keptItems)
    deletions += entries(request.deletedItems)
  }
}

// MARK: Taking the results out

extension CloudResponse {
  private static var mismatch: CloudError {
    CloudError(.internalError, "the response has a result that is not one to the call")
  }

  /// Returns the results by their keys.
  ///
  /// - Throws: `internalError` for an item or a value of another kind.
  func results<Key: Hashable, Item>(
    _ key: (CloudItem) -> Key?, _ value: (Value) -> Item?
  ) throws -> [Key: Result<Item, any Error>] {
    try Self.dictionary(results, key, value)
  }

  /// Returns the results of deletions.
  func deletions<Key: Hashable>(
    _ key: (CloudItem) -> Key?
  ) throws -> [Key: Result<Void, any Error>] {
    try Self.dictionary(deletions, key) { _ in () }
  }

  private static func dictionary<Key: Hashable, Item>(
    _ entries: [Entry], _ key: (CloudItem) -> Key?, _ value: (Value) -> Item?
  ) throws -> [Key: Result<Item, any Error>] {
    var results = [Key: Result<Item, any Error>](minimumCapacity: entries.count)
    for entry in entries {
      results[try unwrap(key(entry.item))] = try entry.result(value)
    }
    return results
  }

  /// Returns the values in their order.
  func list<Item>(_ value: (Value) -> Item?) throws -> [Item] {
    try results.map { try $0.result(value).get() }
  }

  /// Returns the page of a query.
  func page() throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let results = try results.map {
      (try Self.unwrap($0.item.recordID), try $0.result(\.record))
    }
    return (results, position.map { QueryCursor(data: $0) })
  }

  /// Returns the token of a fetch of changes.
  func changeToken() throws -> ServerChangeToken {
    ServerChangeToken(data: try Self.unwrap(position))
  }

  static func unwrap<T>(_ value: T?) throws -> T {
    guard let value else { throw mismatch }
    return value
  }
}

extension CloudResponse.Entry {
  fileprivate func result<Item>(
    _ value: (CloudResponse.Value) -> Item?
  ) throws -> Result<Item, any Error> {
    switch result {
    case .success(let found): .success(try CloudResponse.unwrap(value(found)))
    case .failure(let error): .failure(error)
    }
  }
}
