import MockCloud
import RecordCoding
import RecordModel
import RecordPlatform
import Synchronization

/// The faults of a handler, and the requests that wait.
package final class WebFaults: Sendable {
  private struct State {
    var faults: [ArmedFault] = []
    var next = 0
    /// The requests that wait, by number.
    var held: [Int: (path: String, suspension: Suspension)] = [:]
  }

  /// The maximum number of faults.
  private static let capacity = 1000

  private let state = Mutex(State())

  /// Sets up a fault.
  ///
  /// - Returns: its number.
  /// - Throws: ``WebError``: `BAD_REQUEST` for a fault that is none, and for too many.
  package func add(_ fault: WebFault) throws -> Int {
    try fault.check()
    return try state.withLock { state in
      guard state.faults.count < Self.capacity else {
        throw WebError(.badRequest, "there are \(Self.capacity) faults already")
      }
      state.next += 1
      state.faults.append(ArmedFault(fault, id: state.next))
      return state.next
    }
  }

  /// Removes all faults, and lets all requests go on that wait.
  package func clear() {
    state.withLock { $0.faults = [] }
    _ = release(nil)
  }

  /// Removes a fault. Requests that wait go on waiting.
  ///
  /// - Returns: whether there was one with the number.
  func remove(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.faults.count
      state.faults.removeAll { $0.id == id }
      return state.faults.count < count
    }
  }

  /// The faults, in the order in which they were set up.
  var armed: [ArmedFault] { state.withLock { $0.faults } }

  /// The requests that wait, in the order of their arrival.
  package var held: [(id: Int, path: String)] {
    state.withLock { $0.held.sorted { $0.key < $1.key }.map { (id: $0, path: $1.path) } }
  }

  /// The faults, and the requests that wait.
  var json: JSONValue {
    let held = held.map { id, path in
      JSONValue.object([.init("id", .integer(id)), .init("endpoint", .string(path))])
    }
    return .object([.init("faults", .array(armed.map(\.json))), .init("held", .array(held))])
  }

  // MARK: Requests

  /// Whether a fault is for the requests to a path, and not for all.
  func name(_ path: String) -> Bool {
    state.withLock { state in state.faults.contains { $0.fault.endpoint == path } }
  }

  /// Whether a fault is limited to the requests of a user.
  var nameUsers: Bool { state.withLock { $0.faults.contains { $0.fault.user != nil } } }

  /// Returns the faults that happen to a request, in their order.
  ///
  /// At most one of these faults applies to a request. The others stay for later requests, so that
  /// a test can set up one response after the other.
  func happening(to path: String, _ json: JSONValue, _ origin: FaultOrigin) -> [WebFault] {
    let names = RequestNames(json)
    return state.withLock { state in
      var found: [WebFault] = []
      var isAnswered = false
      for index in state.faults.indices {
        let fault = state.faults[index].fault
        guard !isAnswered || !fault.isAnswer,
          !fault.isOfItems || ItemFault(fault, of: path, json) != nil,
          state.faults[index].happens(to: path, naming: names, from: origin)
        else { continue }
        found.append(fault)
        isAnswered = isAnswered || fault.isAnswer
      }
      return found
    }
  }

  /// Lets items of a response fail whose request did not name them.
  func failingItems(
    of response: JSONValue, to path: String, _ json: JSONValue, _ origin: FaultOrigin
  ) -> JSONValue {
    guard !ItemFault.isOfRequest(path) else { return response }
    let names = RequestNames(json)
    return state.withLock { state in
      for index in state.faults.indices where state.faults[index].fault.isOfItems {
        let fault = state.faults[index].fault
        guard let failed = ItemFault.response(response, to: path, with: fault),
          state.faults[index].happens(to: path, naming: names, from: origin)
        else { continue }
        return failed
      }
      return response
    }
  }

  /// Waits until the request is released.
  func hold(_ path: String) async throws {
    let suspension = Suspension()
    let id = state.withLock { state in
      state.next += 1
      state.held[state.next] = (path, suspension)
      return state.next
    }
    defer { state.withLock { $0.held[id] = nil } }
    try await suspension.wait()
  }

  /// Lets a request go on, or all for nil.
  ///
  /// - Returns: the number of requests.
  package func release(_ id: Int?) -> Int {
    let released = state.withLock { state in
      guard let id else {
        defer { state.held = [:] }
        return state.held.values.map(\.suspension)
      }
      return [state.held.removeValue(forKey: id)?.suspension].compactMap(\.self)
    }
    for suspension in released { suspension.resume() }
    return released.count
  }
}

/// A fault of a handler, and how often it has happened.
struct ArmedFault {
  let id: Int
  let fault: WebFault
  /// How often it still happens; nil for ever.
  private(set) var left: Int?
  private var numbers: SeededNumbers
  private(set) var count = 0

  init(_ fault: WebFault, id: Int) {
    self.id = id
    self.fault = fault
    left = fault.times
    numbers = SeededNumbers(seed: fault.seed)
  }

  /// Whether it happens to a request, and counts it.
  mutating func happens(
    to path: String, naming names: RequestNames, from origin: FaultOrigin
  ) -> Bool {
    guard fault.user.map(origin.users.contains) ?? true,
      !origin.isOfConsole || fault.includesConsole, fault.endpoint == nil || fault.endpoint == path,
      fault.zone.map(names.zones.contains) ?? true,
      // The items of a response may be those that the fault names.
      fault.isOfItems || fault.record.map(names.records.contains) ?? true,
      fault.isOfItems || fault.recordType.map(names.recordTypes.contains) ?? true,
      fault.maxItems.map({ names.itemCount > $0 }) ?? true, names.hasToken || !fault.needsToken,
      left != 0, fault.probability >= 1 || numbers.fraction() < fault.probability
    else { return false }
    if let left { self.left = left - 1 }
    count += 1
    return true
  }

  var json: JSONValue {
    var members = JSONObjectWriter()
    members.add("id", .integer(id))
    members.add("endpoint", fault.endpoint)
    members.add("zone", fault.zone)
    members.add("record", fault.record)
    members.add("recordType", fault.recordType)
    members.add("user", fault.user)
    members.add("console", fault.includesConsole ? .bool(true) : nil)
    members.add("error", fault.error?.rawValue)
    members.add(
      "response",
      fault.response.map { response in
        .object([
          .init("status", .integer(response.status)), .init("size", .integer(response.body.count)),
        ])
      })
    members.add("latency", fault.latency > 0 ? .number(text: "\(fault.latency)") : nil)
    members.add("cut", fault.isCut ? .bool(true) : nil)
    members.add("hold", fault.isHeld ? .bool(true) : nil)
    members.add(
      "moment", fault.moment == .after ? JSONValue.string(fault.moment.rawValue) : nil)
    members.add("over", fault.maxItems.map(JSONValue.integer))
    members.add("token", fault.needsToken ? .bool(true) : nil)
    members.add("items", fault.isOfItems ? .bool(true) : nil)
    members.add("times", left.map(JSONValue.integer))
    members.add("count", .integer(count))
    return members.value
  }
}

/// Where a request comes from.
struct FaultOrigin {
  /// The names of the user: the signed-in user has two.
  let users: [String]
  let isOfConsole: Bool

  /// - Parameter faults: The faults that may happen to the request. The user matters only if one names a user.
  init(
    _ sender: RequestSender, _ request: WebRequest, _ served: WebContainer, _ faults: WebFaults?
  ) throws {
    isOfConsole = request.isOfConsole
    guard case .user(let name) = sender, faults?.nameUsers == true else {
      users = []
      return
    }
    let signedIn = try served.container.store.info().signedInUserRecordName
    let isSignedIn = name == signedIn || name == ZoneID.currentUserOwnerName
    users = isSignedIn ? [signedIn, ZoneID.currentUserOwnerName] : [name]
  }
}

/// The zones, records and record types that a request names, and the number of its items.
struct RequestNames {
  private(set) var zones: Set<String> = []
  private(set) var records: Set<String> = []
  private(set) var recordTypes: Set<String> = []
  let itemCount: Int
  /// Whether the request has a sync token.
  let hasToken: Bool

  private static let lists = [
    "operations", "records", "zones", "subscriptions", "tokens", "assets", "shortGUIDs", "users",
  ]

  init(_ json: JSONValue) {
    itemCount = Self.lists.map { json[$0]?.elements?.count ?? 0 }.max() ?? 0
    let tokens = ([json] + (json["zones"]?.elements ?? [])).flatMap {
      [$0["syncToken"], $0["metaSyncToken"]]
    }
    hasToken = tokens.contains { $0?.string?.isEmpty == false }
    _ = json.mapped { value in
      if let name = value["zoneName"]?.string { zones.insert(name) }
      if let name = value["recordName"]?.string { records.insert(name) }
      if let name = value["recordType"]?.string { recordTypes.insert(name) }
      return value
    }
  }
}

extension WebServicesHandler {
  /// Lets a request wait as tests have set it up.
  ///
  /// - Returns: the fault that applies to the request; nil for none.
  func failing(
    _ path: String, _ json: JSONValue, _ origin: FaultOrigin
  ) async throws -> WebFault? {
    guard let admin else { return nil }
    let faults = admin.faults.happening(to: path, json, origin)
    for fault in faults {
      if fault.latency > 0 { try await Task.sleep(for: .seconds(fault.latency)) }
      if fault.isHeld { try await admin.faults.hold(path) }
    }
    return faults.first(where: \.isAnswer)
  }

  /// Responds to a request that the handler does not have, if a fault is for it.
  ///
  /// - Throws: ``WebError``: `NOT_FOUND` if there is none.
  func answerUnknown(
    _ request: WebRequest, _ path: String, _ address: ContainerAddress, _ scope: DatabaseScope
  ) async throws -> WebResponse {
    let notFound = WebError(.notFound, "the path leads nowhere")
    guard let admin, admin.faults.name(path) else { throw notFound }
    let served = try container(at: address)
    let sender = try authentication.sender(of: request, to: served, address)
    let json = try Self.json(of: request, try served.ownName(of: sender, in: scope))
    guard
      let fault = try await failing(
        path, json, FaultOrigin(sender, request, served, admin.faults)),
      let response = try fault.answer(at: fault.moment, json)
    else { throw notFound }
    return try withToken(response, of: sender, address)
  }
}

extension WebFault {
  /// Whether the fault gives the response, and does not only delay the request.
  var isAnswer: Bool { error != nil || isCut || response != nil }

  /// Returns the response at a moment; nil for none.
  ///
  /// - Throws: the error of the fault.
  func answer(at moment: Moment, _ request: JSONValue) throws -> WebResponse? {
    guard moment == self.moment else { return nil }
    if let error {
      let items = RequestNames(request).itemCount
      throw WebError(error, message(items: items), retryAfter: retryAfter)
    }
    if isCut { return .cut }
    return response.map { response in
      var headers: WebHeaders = ["Content-Type": WebResponse.jsonType]
      headers["Retry-After"] = retryAfter.map { String(WebError.seconds($0)) }
      return WebResponse(status: response.status, headers: headers, body: response.body)
    }
  }
}
