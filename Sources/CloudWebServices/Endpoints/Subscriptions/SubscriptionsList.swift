import RecordCoding
import RecordModel

/// `subscriptions/list`: fetches all subscriptions of the user to the database, by GET or POST.
struct SubscriptionsList: Endpoint {
  static let path = "subscriptions/list"
  static let methods: Set = ["GET", "POST"]

  init(_ body: inout RequestBody) throws {}

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    let all = try await call.database.allSubscriptions()
    return .object([.init("subscriptions", .array(try all.map { try $0.served }))])
  }
}

extension CloudSubscription {
  /// The subscription as it is in responses.
  var served: JSONValue { get throws { try jsonValue() } }

  static func error(_ error: any Error, _ subscriptionID: String) -> JSONValue {
    WebError(error).item([.init("subscriptionID", .string(subscriptionID))])
  }
}
