import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension CloudNotification {
  /// The notification as the app gets it from the system: the `userInfo` of
  /// `application(_:didReceiveRemoteNotification:)`.
  ///
  /// `CKNotification(fromRemoteNotificationDictionary:)` reads it. Each call makes another identifier of
  /// the notification.
  ///
  /// - Throws: `CloudError`: `internalError` for a field that has no form in JSON.
  public var remoteNotificationDictionary: [AnyHashable: Any] {
    get throws {
      let members = try payload(of: nil).members ?? []
      return [AnyHashable: Any](
        uniqueKeysWithValues: members.map { ($0.name, $0.value.propertyList) })
    }
  }

  /// The notification as a push carries it.
  ///
  /// Source: the payloads that apps have published. The names of members are short because a push is.
  ///
  /// - Parameters:
  ///   - container: The identifier of a container that has none.
  ///   - id: The identifier of the notification.
  package func payload(
    of container: String?, id: String = UUID().uuidString.lowercased()
  ) throws -> JSONValue {
    .object([
      .init("aps", Payload.aps(self)), .init("ck", try Payload.cloudKit(self, container, id: id)),
    ])
  }
}

private enum Payload {
  static func aps(_ notification: CloudNotification) -> JSONValue {
    var alert = JSONObjectWriter()
    add(notification.title, as: "title", "title-loc", to: &alert)
    add(notification.subtitle, as: "subtitle", "subtitle-loc", to: &alert)
    add(notification.alert, as: "body", "loc", to: &alert)
    var members = JSONObjectWriter()
    if alert.value.members?.isEmpty == false { members.add("alert", alert.value) }
    members.add("badge", notification.badge.map(JSONValue.integer))
    members.add("sound", notification.soundName)
    members.add("category", notification.category)
    if notification.launchesApp { members.add("content-available", .integer(1)) }
    return members.value
  }

  private static func add(
    _ text: CloudNotification.Text?, as name: String, _ key: String,
    to members: inout JSONObjectWriter
  ) {
    guard let text else { return }
    members.add(name, text.text)
    members.add(key + "-key", text.localizationKey)
    if !text.localizationArgs.isEmpty {
      members.add(key + "-args", .array(text.localizationArgs.map(JSONValue.string)))
    }
  }

  static func cloudKit(
    _ notification: CloudNotification, _ container: String?, id: String
  ) throws -> JSONValue {
    var inner = JSONObjectWriter()
    inner.add("dbs", .integer(number(of: notification.databaseScope)))
    inner.add("sid", notification.subscriptionID)
    let name: String
    switch notification.kind {
    case .query(let recordID, let reason, let fields):
      name = "qry"
      inner.add("fo", .integer(number(of: reason)))
      inner.add("rid", recordID.recordName)
      add(recordID.zoneID, to: &inner)
      let values = try fields.sorted { $0.key < $1.key }.map { name, value in
        JSONValue.Member(name, try value.jsonValue(in: .default)["value"] ?? .null)
      }
      if !values.isEmpty { inner.add("af", .object(values)) }
    case .recordZone(let zoneID):
      name = "fet"
      add(zoneID, to: &inner)
    case .database: name = "met"
    }
    var members = JSONObjectWriter()
    members.add("cid", notification.containerIdentifier ?? container)
    members.add("nid", id)
    members.add("ce", .integer(2))
    members.add(name, inner.value)
    return members.value
  }

  private static func add(_ zoneID: ZoneID, to members: inout JSONObjectWriter) {
    members.add("zid", zoneID.zoneName)
    members.add("zoid", zoneID.ownerName)
  }

  /// The numbers of `CKDatabase.Scope`.
  private static func number(of scope: DatabaseScope) -> Int {
    switch scope {
    case .public: 1
    case .private: 2
    case .shared: 3
    }
  }

  /// The numbers of `CKQueryNotification.Reason`.
  private static func number(of change: CloudSubscription.ChangeType) -> Int {
    switch change {
    case .create: 1
    case .update: 2
    case .delete: 3
    }
  }
}

extension JSONValue {
  /// The value in the types of a property list.
  fileprivate var propertyList: Any {
    if let members {
      return [String: Any](
        uniqueKeysWithValues: members.map { ($0.name, $0.value.propertyList) })
    }
    if let elements { return elements.map(\.propertyList) }
    if let bool { return bool }
    if let number = numberText {
      return Int64(number).map(Int.init(truncatingIfNeeded:)) ?? Double(number) ?? 0
    }
    return string ?? ""
  }
}
