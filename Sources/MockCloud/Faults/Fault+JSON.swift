import RecordCoding
import RecordModel

extension CloudOperation: JSONWord {}
extension CallPoint: JSONWord {}
extension CrashPoint: JSONWord {}

extension InjectedFault: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "a fault", context)
    self.init(
      call: Int(try members.required("call", Int64.self)),
      operation: try members.required("operation"), databaseScope: try members.databaseScope(),
      fault: try Fault(&members))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    members.add("call", .integer(call))
    try members.add("operation", operation)
    members.add("database", databaseScope?.rawValue)
    try fault.add(to: &members)
    return members.value
  }
}

extension Fault {
  /// The name of an effect in JSON.
  private enum Name: String, JSONWord {
    case error, limit, partialFailure, skippedResults, latency, crash, action
  }

  fileprivate init(_ members: inout MemberReader) throws {
    switch try members.required("fault", Name.self) {
    case .error:
      self.init(
        effect: .error(try members.cloudError(), try members.value("at") ?? .beforeServer))
    case .limit: self.init(effect: .limit(try members.cloudError()))
    case .partialFailure:
      self.init(
        effect: .itemErrors(try members.required("items"), try members.cloudError()))
    case .skippedResults: self.init(effect: .skip(try members.required("items")))
    case .latency:
      self.init(
        effect: .latency(
          seconds: try members.required("seconds"), try members.value("at") ?? .beforeServer))
    case .crash: self.init(effect: .crash(try members.required("at")))
    case .action:
      self.init(
        effect: .action(
          try members.required("name"), try members.value("at") ?? .beforeServer))
    }
  }

  fileprivate func add(to members: inout MemberWriter) throws {
    func name(_ name: Name) { members.add("fault", name.rawValue) }
    switch effect {
    case .error(let error, let point):
      name(.error)
      try members.add(error)
      try members.add("at", point)
    case .limit(let error):
      name(.limit)
      try members.add(error)
    case .itemErrors(let choice, let error):
      name(.partialFailure)
      try members.add("items", choice)
      try members.add(error)
    case .skip(let choice):
      name(.skippedResults)
      try members.add("items", choice)
    case .latency(let seconds, let point):
      name(.latency)
      try members.add("seconds", seconds)
      try members.add("at", point)
    case .crash(let point):
      name(.crash)
      try members.add("at", point)
    case .action(let text, let point):
      name(.action)
      members.add("name", text)
      try members.add("at", point)
    }
  }
}

extension ItemChoice: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    if json.elements != nil {
      self = .named(try [CloudItem](json: json, context))
      return
    }
    var members = try MemberReader(json, "a choice of items", context)
    let step = Int(try members.required("every", Int64.self))
    self = .every(step, from: Int(try members.required("from", Int64.self)))
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    switch self {
    case .named(let items): return try items.jsonValue(in: zoneID)
    case .every(let step, let first):
      return .object([.init("every", .integer(step)), .init("from", .integer(first))])
    }
  }
}

extension CloudItem: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    if let id = json.string {
      self = .subscription(id)
    } else if json["recordName"] != nil {
      self = .record(try RecordID(json: json, context))
    } else if json["user"] != nil || json["link"] != nil {
      var members = try MemberReader(json, "an item", context)
      self =
        try members.value("user").map(CloudItem.user) ?? .link(try members.required("link"))
    } else {
      self = .zone(try ZoneID(json: json, context))
    }
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    switch self {
    case .record(let id): try id.jsonValue()
    case .zone(let id): id.jsonValue()
    case .subscription(let id): .string(id)
    case .user(let lookupInfo): .object([.init("user", try lookupInfo.jsonValue())])
    case .link(let url): .object([.init("link", url.jsonValue(in: .default))])
    }
  }
}

extension MemberWriter {
  /// Adds the error of a fault with all its parts, but not the contents of assets.
  fileprivate mutating func add(_ error: CloudError) throws {
    var assets = AssetCollector(keepsContents: false)
    add("error", try ErrorJSON.json(error, &assets))
  }
}

extension MemberReader {
  /// Takes the error of a fault.
  fileprivate mutating func cloudError() throws -> CloudError {
    try require("error") { try ErrorJSON.cloudError($0, RecordedContents()) }
  }

  /// Takes the database of a call; nil for a call of the container.
  mutating func databaseScope() throws -> DatabaseScope? {
    try read("database") { json in
      guard let scope = json.string.flatMap(DatabaseScope.init) else {
        throw json.error(found: json.shown, expected: "\"public\", \"private\" or \"shared\"")
      }
      return scope
    }
  }
}
