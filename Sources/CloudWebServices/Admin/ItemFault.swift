import RecordCoding
import RecordModel

/// An error of single items of a request, which carries out the request for the others.
///
/// It does what `Fault.partialFailure(of:with:)` does to a call: items that a request names are not
/// sent, and with them those that an atomic request would have changed in the same zones. Items of other
/// responses are replaced.
struct ItemFault {
  /// The members of a request and its response that have the items.
  fileprivate struct Lists {
    /// Nil if the request names no items.
    let request: String?
    let response: String
    /// The member that names an item.
    let name: String
  }

  private static let lists: [String: Lists] = [
    "records/modify": Lists(request: "operations", response: "records", name: "recordName"),
    "records/lookup": Lists(request: "records", response: "records", name: "recordName"),
    "records/query": Lists(request: nil, response: "records", name: "recordName"),
    "records/changes": Lists(request: nil, response: "records", name: "recordName"),
    "zones/modify": Lists(request: "operations", response: "zones", name: "zoneID"),
    "zones/lookup": Lists(request: "zones", response: "zones", name: "zoneID"),
    "zones/list": Lists(request: nil, response: "zones", name: "zoneID"),
    "zones/changes": Lists(request: nil, response: "zones", name: "zoneID"),
    "changes/zone": Lists(request: "zones", response: "zones", name: "zoneID"),
    "changes/database": Lists(request: nil, response: "zones", name: "zoneID"),
    "subscriptions/modify": Lists(
      request: "operations", response: "subscriptions", name: "subscriptionID"),
    "subscriptions/lookup": Lists(
      request: "subscriptions", response: "subscriptions", name: "subscriptionID"),
    "subscriptions/list": Lists(
      request: nil, response: "subscriptions", name: "subscriptionID"),
  ]

  private let lists: Lists
  /// The request without the items that fail.
  let request: JSONValue
  /// The errors of items by their places in the request.
  private var errors: [Int: JSONValue] = [:]
  /// Whether items are left to send.
  private(set) var isSent = true

  /// Lets items of a request fail.
  ///
  /// - Returns: nil for a request that names no items, or none of those that fail.
  init?(_ fault: WebFault, of path: String, _ json: JSONValue) {
    guard let lists = Self.lists[path], let name = lists.request,
      let items = json[name]?.elements, let error = fault.error
    else { return nil }
    self.lists = lists
    let chosen = items.indices.filter { fault.chooses(items[$0], at: $0) }
    guard !chosen.isEmpty else { return nil }
    for place in chosen {
      errors[place] = WebError(error, fault.message, retryAfter: fault.retryAfter)
        .item(lists.identity(of: items[place]))
    }
    if path == "records/modify", json["atomic"]?.bool != false {
      func zone(_ place: Int) -> [String]? {
        let zoneID = items[place].body["zoneID"] ?? json["zoneID"]
        let name = zoneID?["zoneName"]?.string ?? ZoneID.default.zoneName
        guard !name.sameScalars(as: ZoneID.default.zoneName) else { return nil }
        return [name, zoneID?["ownerRecordName"]?.string ?? ""]
      }
      let zones = Set(chosen.compactMap(zone))
      for place in items.indices where errors[place] == nil {
        guard let zone = zone(place), zones.contains(zone) else { continue }
        errors[place] = WebError(CloudError(.batchRequestFailed).withServerMessage)
          .item(lists.identity(of: items[place]))
      }
    }
    isSent = errors.count < items.count
    let rest = items.indices.filter { [errors] in errors[$0] == nil }.map { items[$0] }
    request = json.mappingMembers { $0.name == name ? .array(rest) : $0.value }
  }

  /// Returns the response to the other items with the errors at the places of their items.
  func response(_ whole: JSONValue) -> JSONValue {
    var rest = (whole[lists.response]?.elements ?? [])[...]
    var items: [JSONValue] = []
    while errors[items.count] != nil || !rest.isEmpty {
      items.append(errors[items.count] ?? rest.removeFirst())
    }
    // A response can have fewer items than its request.
    items += errors.filter { $0.key >= items.count }.sorted { $0.key < $1.key }.map(\.value)
    guard whole[lists.response] != nil else {
      return .object([.init(lists.response, .array(items))])
    }
    return whole.mappingMembers { $0.name == lists.response ? .array(items) : $0.value }
  }

  // MARK: Responses

  /// Whether a request names the items of its response.
  static func isOfRequest(_ path: String) -> Bool { lists[path]?.request != nil }

  /// Lets items of a response fail whose request does not name them.
  ///
  /// - Returns: nil for a response without such items.
  static func response(
    _ json: JSONValue, to path: String, with fault: WebFault
  ) -> JSONValue? {
    guard let lists = lists[path], lists.request == nil,
      let items = json[lists.response]?.elements, let error = fault.error,
      items.indices.contains(where: { fault.chooses(items[$0], at: $0) })
    else { return nil }
    let failed = items.enumerated().map { place, item in
      guard fault.chooses(item, at: place) else { return item }
      return WebError(error, fault.message, retryAfter: fault.retryAfter)
        .item(lists.identity(of: item))
    }
    return json.mappingMembers { $0.name == lists.response ? .array(failed) : $0.value }
  }
}

extension ItemFault.Lists {
  /// The members that name an item in its error.
  fileprivate func identity(of item: JSONValue) -> [JSONValue.Member] {
    let body = item.body
    guard let name = body[name] ?? (body["zoneName"] == nil ? nil : body) else { return [] }
    return [.init(self.name, name)]
  }
}

extension JSONValue {
  /// The record, zone or subscription of an operation; the item itself for another item.
  fileprivate var body: JSONValue {
    self["record"] ?? self["zone"] ?? self["subscription"] ?? self
  }
}

extension WebFault {
  /// Whether the fault happens to an item: to the record, or the records of the type, that it names;
  /// else to every second item.
  fileprivate func chooses(_ item: JSONValue, at place: Int) -> Bool {
    let body = item.body
    if needsToken { return body["syncToken"]?.string?.isEmpty == false }
    if let record { return body["recordName"]?.string == record }
    if let recordType { return body["recordType"]?.string == recordType }
    return place % 2 == 0
  }
}
