import RecordModel
import RecordPlatform

extension ContainerHistory {
  /// Reads the history of a container: databases and zones in their order, each once.
  package init(json: JSONValue) throws {
    self.init(databases: try json.expectElements { try Database(json: $0) })
    guard !databases.isEmpty else {
      throw json.error(found: "no databases", expected: "at least one")
    }
    for (a, b) in zip(databases, databases.dropFirst()) where a.scope >= b.scope {
      throw json.error(
        found: "databases that are not in their order, or repeated",
        expected: "each of public, private and shared at most once, in this order")
    }
  }

  /// Returns the canonical form.
  package func json() throws -> JSONValue { .array(try databases.map { try $0.jsonValue() }) }
}

extension ContainerHistory.Database: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "the history of a database", context)
    self.init(
      scope: try members.required("database"),
      lastChange: try members.require("lastChange") { try $0.changeNumber() },
      lineage: try members.require("lineage") { try $0.lineage() })
    loadedChange = try members.changeNumber("loadedChange", upTo: lastChange)
    mergedChange = try members.changeNumber("mergedChange", upTo: lastChange)
    zones = try members.value("zones") ?? []
    for (a, b) in zip(zones, zones.dropFirst()) where !(a.zoneID < b.zoneID) {
      throw json.error(
        found: "zones that are not in the order of their owners and names, or repeated",
        expected: "each zone once, in this order")
    }
    if let zone = zones.first(where: { $0.lastChange > lastChange }) {
      throw json.error(
        found: "the change \(zone.lastChange) of a zone",
        expected: "at most \(lastChange), the last change of the database")
    }
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("database", scope)
    members.add("lastChange", ChangeTag.text(of: lastChange))
    members.add("lineage", HexadecimalHash.text(of: lineage))
    members.add("loadedChange", loadedChange == 0 ? nil : ChangeTag.text(of: loadedChange))
    members.add("mergedChange", mergedChange == 0 ? nil : ChangeTag.text(of: mergedChange))
    try members.add("zones", zones.isEmpty ? nil : zones)
    return members.value
  }
}

extension ContainerHistory.Zone: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "the history of a zone", context)
    let zoneID = try members.required("zoneID", ZoneID.self)
    let lastChange = try members.require("lastChange") { try $0.changeNumber() }
    self.init(
      zoneID: zoneID, lastChange: lastChange,
      firstChange: try members.changeNumber("firstChange", upTo: lastChange))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("zoneID", zoneID)
    members.add("lastChange", ChangeTag.text(of: lastChange))
    members.add("firstChange", firstChange == 0 ? nil : ChangeTag.text(of: firstChange))
    return members.value
  }
}

extension JSONObjectReader {
  /// Takes the number of a change; 0 if there is none.
  fileprivate mutating func changeNumber(_ name: String, upTo limit: Int64) throws -> Int64 {
    try read(name) { json in
      let number = try json.changeNumber()
      guard number <= limit else {
        throw json.error(
          found: "a change after the last one", expected: "at most '\(ChangeTag.text(of: limit))'")
      }
      return number
    } ?? 0
  }
}

extension JSONValue {
  fileprivate func changeNumber() throws -> Int64 {
    // Changes after a greater one could overflow.
    guard let text = string, let number = ChangeTag.change(of: text),
      text == ChangeTag.text(of: number),
      1...(Int64.max / 4 * 3) ~= number
    else {
      throw error(expected: "the number of a change in base 36, such as \"2k\"")
    }
    return number
  }

  fileprivate func lineage() throws -> UInt64 {
    guard let text = string, let number = HexadecimalHash.hash(of: text) else {
      throw error(expected: "16 lowercase hexadecimal digits")
    }
    return number
  }
}
