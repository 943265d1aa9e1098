/// The facts of a request that its bodies have: types, the number of items, the errors of single items.
///
/// The log reads them once, when the request comes: a page shows many requests, again and again.
struct RequestFacts: Sendable, Hashable {
  private(set) var types: [String] = []
  private(set) var names: [String] = []
  private(set) var count = 0
  /// The codes of the items with an error of their own.
  private(set) var errors: [String] = []

  init() {}

  init(_ bodies: RequestLog.Bodies) {
    let request = try? WebServicesHandler.parse(bodies.request)
    let response = try? WebServicesHandler.parse(bodies.response)
    let operations = request?["operations"]?.elements ?? []
    let asked = operations.isEmpty ? request?["records"]?.elements ?? [] : operations
    let answered = ["records", "zones", "subscriptions", "results"].flatMap {
      response?[$0]?.elements ?? []
    }
    count = asked.isEmpty ? answered.count : asked.count
    func add(_ name: String?, to list: inout [String]) {
      if let name, list.count < 100, !list.contains(name) { list.append(name) }
    }
    add(request?["query"]?["recordType"]?.string, to: &types)
    for item in asked + answered {
      let record = item["record"] ?? item
      add(record["recordType"]?.string, to: &types)
      add(record["recordName"]?.string, to: &names)
    }
    errors = answered.compactMap { $0["serverErrorCode"]?.string }
  }
}
