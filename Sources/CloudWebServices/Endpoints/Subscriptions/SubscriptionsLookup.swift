import RecordCoding
import RecordModel

/// `subscriptions/lookup`: fetches subscriptions by their identifiers. The response has a
/// subscription or an error for each, in their order.
struct SubscriptionsLookup: Endpoint {
  static let path = "subscriptions/lookup"

  private let ids: [String]

  init(_ body: inout RequestBody) throws {
    ids = try body.objects("subscriptions") { try $0.required("subscriptionID") }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let results = try await call.database.subscriptions(for: ids)
    let items = try ids.compactMap { id -> JSONValue? in
      switch results[id] {
      case .success(let subscription)?: try subscription.served
      case .failure(let error)?: CloudSubscription.error(error, id)
      case nil: nil
      }
    }
    return .object([.init("subscriptions", .array(items))])
  }
}
