import Foundation
import RecordCoding
import RecordModel

extension Endpoint {
  /// `subscriptions/list`: fetches all subscriptions of the user to the database, by GET or POST.
  static func listSubscriptions(_ body: inout RequestBody) -> Answer {
    { call in
      let all = try await call.database.readableSubscriptions()
      let items =
        try all.subscriptions.map { try $0.jsonValue() } + all.errors.map { WebError($0).item([]) }
      return .object([.init("subscriptions", .array(items))])
    }
  }

  /// `subscriptions/lookup`: fetches subscriptions by their identifiers. The response has a
  /// subscription or an error for each identifier, in their order.
  static func lookUpSubscriptions(_ body: inout RequestBody) throws -> Answer {
    let ids = try body.objects("subscriptions") { try $0.required("subscriptionID", String.self) }
    return { call in
      let results = try await call.database.subscriptions(for: ids)
      let items = try ids.compactMap { id in try results[id].map { try json($0, id) } }
      return .object([.init("subscriptions", .array(items))])
    }
  }

  /// `subscriptions/modify`: saves and deletes subscriptions. The response has a subscription or an
  /// error for each operation, in their order.
  static func modifySubscriptions(_ body: inout RequestBody) throws -> Answer {
    let operations = try body.objects("operations") { operation -> SubscriptionOperation in
      let kind = try operation.required("operationType", SubscriptionOperation.Kind.self)
      guard let json = operation.take("subscription") else {
        throw WebError.missing("subscription")
      }
      guard kind == .delete else { return .save(try subscription(json, &operation)) }
      var deleted = try JSONObjectReader(json, "a subscription")
      return .delete(try deleted.required("subscriptionID"))
    }
    let notes = body.notes
    return { call in
      var saved: [CloudSubscription] = []
      var deleted: [String] = []
      for operation in operations {
        switch operation {
        case .save(let subscription): saved.append(subscription)
        case .delete(let id): deleted.append(id)
        }
      }
      try requireOnce(saved.map(\.subscriptionID) + deleted, "subscription")
      let results = try await call.database.modifySubscriptions(saving: saved, deleting: deleted)
      let items = try operations.compactMap { operation -> JSONValue? in
        switch operation {
        case .save(let subscription):
          let id = subscription.subscriptionID
          if case .failure(let error as CloudError)? = results.saveResults[id] {
            notes.add(error)
          }
          return try results.saveResults[id].map { try json($0, id) }
        case .delete(let id):
          if case .failure(let error)? = results.deleteResults[id] {
            return try json(.failure(error), id)
          }
          return .object([.init("subscriptionID", .string(id)), .init("deleted", .bool(true))])
        }
      }
      return .object([.init("subscriptions", .array(items))])
    }
  }

  private enum SubscriptionOperation {
    enum Kind: String, JSONEnum { case create, update, replace, delete }
    case save(CloudSubscription)
    case delete(String)
  }

  private static func subscription(
    _ json: JSONValue, _ operation: inout RequestBody
  ) throws -> CloudSubscription {
    var json = json
    if let members = json.members, json["subscriptionID"]?.isNull ?? true {
      let id = JSONValue.Member("subscriptionID", .string(UUID().uuidString))
      json = .object(members.filter { $0.name != id.name } + [id])
    }
    let isZoneWide = json["zoneWide"].flatMap { $0.isNull ? nil : $0 }
    json = json.dropping(["zoneWide"])
    // Source: *CloudKit Web Services Reference*, "Modifying Subscriptions": without a zone, all zones are watched
    // unless `zoneWide` is false, and then the default zone.
    if try isZoneWide.map({ try Bool(json: $0) }) == false, let members = json.members,
      json["zoneID"]?.isNull ?? true, json["subscriptionType"]?.string == "query"
    {
      let zoneID = JSONValue.Member("zoneID", RecordResponse.zoneID(.default))
      json = .object(members.filter { $0.name != zoneID.name } + [zoneID])
    }
    let context = operation.context
    return try inside(member: "subscription") { try CloudSubscription(json: json, context) }
  }

  private static func json(
    _ result: Result<CloudSubscription, any Error>, _ subscriptionID: String
  ) throws -> JSONValue {
    switch result {
    case .success(let subscription): try subscription.jsonValue()
    case .failure(let error):
      WebError(error).item([.init("subscriptionID", .string(subscriptionID))])
    }
  }

  // MARK: Devices

  /// Takes the environment of a token.
  ///
  /// Source: Apple's *CloudKit Web Services Reference*, "Creating APNs Tokens".
  private static func pushEnvironment(_ body: inout RequestBody) throws -> String {
    let environment = try body.required("apnsEnvironment", String.self)
    guard ["development", "production"].contains(environment) else {
      throw WebError.invalid("'apnsEnvironment' is neither 'development' nor 'production'")
    }
    return environment
  }

  /// `tokens/create`: makes the client a device of the user that receives notifications, at the
  /// address `webcourierURL`.
  static func createToken(_ body: inout RequestBody) throws -> Answer {
    let environment = try pushEnvironment(&body)
    _ = try body.value("clientId", String.self)
    return { call in
      let token = UUID().uuidString.replacing("-", with: "").lowercased()
      let device = try await register(token, call)
      var members = JSONObjectWriter()
      members.add("apnsEnvironment", environment)
      members.add("apnsToken", token)
      members.add("webcourierURL", try call.url("notifications", device))
      return members.value
    }
  }

  /// `tokens/register`: makes the device with a token one of the user's.
  static func registerToken(_ body: inout RequestBody) throws -> Answer {
    let token = try body.required("apnsToken", String.self)
    _ = try pushEnvironment(&body)
    _ = try body.value("clientId", String.self)
    return { call in
      guard (1...200).contains(token.utf8.count) else {
        throw WebError.invalid("an apnsToken has 1 to 200 characters")
      }
      _ = try await register(token, call)
      return .object([])
    }
  }

  /// Makes the user's device with a token receive notifications.
  private static func register(_ token: String, _ call: EndpointCall) async throws -> Ticket {
    let user = try await call.requireUser().recordName
    let device = Ticket.device(token, user: user, of: call.address)
    try call.devices.register(device)
    _ = try call.served.container(of: call.sender, device: token)
    return device
  }
}
