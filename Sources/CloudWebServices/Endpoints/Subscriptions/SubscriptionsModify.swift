import Foundation
import RecordCoding
import RecordModel

/// `subscriptions/modify`: saves and deletes subscriptions. The response has a subscription or an
/// error for each operation, in their order.
struct SubscriptionsModify: Endpoint {
  static let path = "subscriptions/modify"

  private enum Kind: String, JSONEnum { case create, update, replace, delete }
  private enum Operation {
    case save(CloudSubscription)
    case delete(String)
  }

  private let operations: [Operation]

  init(_ body: inout RequestBody) throws {
    operations = try body.objects("operations") { operation in
      let kind = try operation.required("operationType", Kind.self)
      guard let json = operation.take("subscription") else {
        throw WebError(.badRequest, "an operation has no 'subscription'")
      }
      if kind == .delete {
        guard let id = json["subscriptionID"]?.string else {
          throw WebError(.badRequest, "missing required field 'subscriptionID'")
        }
        return .delete(id)
      }
      return .save(try Self.subscription(json, &operation))
    }
  }

  private static func subscription(
    _ json: JSONValue, _ operation: inout RequestBody
  ) throws -> CloudSubscription {
    var json = json
    if let members = json.members, json["subscriptionID"]?.isNull ?? true {
      let id = JSONValue.Member("subscriptionID", .string(UUID().uuidString))
      json = .object(members.filter { $0.name != id.name } + [id])
    }
    // A query without a zone watches all zones anyway.
    json = json.dropping(["zoneWide"])
    let subscription = try inside(member: "subscription") { try CloudSubscription(json: json) }
    var others: [String] = []
    let known = subscription.known(&others)
    for name in others { operation.note("unknown member of a subscription", about: name) }
    return known
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    var saved: [CloudSubscription] = []
    var deleted: [String] = []
    for operation in operations {
      switch operation {
      case .save(let subscription): saved.append(subscription)
      case .delete(let id): deleted.append(id)
      }
    }
    let results = try await call.database.modifySubscriptions(saving: saved, deleting: deleted)
    let items = try operations.compactMap { operation -> JSONValue? in
      switch operation {
      case .save(let subscription):
        switch results.saveResults[subscription.subscriptionID] {
        case .success(let subscription)?: return try subscription.served
        case .failure(let error)?:
          return CloudSubscription.error(error, subscription.subscriptionID)
        case nil: return nil
        }
      case .delete(let id):
        if case .failure(let error)? = results.deleteResults[id] {
          return CloudSubscription.error(error, id)
        }
        return .object([.init("subscriptionID", .string(id)), .init("deleted", .bool(true))])
      }
    }
    return .object([.init("subscriptions", .array(items))])
  }
}
