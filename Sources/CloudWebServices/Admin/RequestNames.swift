import RecordCoding

/// The zones, records and record types that a request names.
struct RequestNames {
  private(set) var zones: Set<String> = []
  private(set) var records: Set<String> = []
  private(set) var recordTypes: Set<String> = []

  init(_ json: JSONValue) { add(json) }

  private mutating func add(_ json: JSONValue) {
    for element in json.elements ?? [] { add(element) }
    for member in json.members ?? [] {
      if let name = member.value.string {
        if member.name == "zoneName" { zones.insert(name) }
        if member.name == "recordName" { records.insert(name) }
        if member.name == "recordType" { recordTypes.insert(name) }
      }
      add(member.value)
    }
  }
}
