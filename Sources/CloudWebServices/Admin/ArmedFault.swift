import RecordCoding
import RecordPlatform

/// A fault of a handler, and how often it has happened.
struct ArmedFault {
  let id: Int
  let fault: WebFault
  /// How often it still happens; nil for ever.
  private var left: Int?
  private var numbers: SeededNumbers
  private var count = 0

  init(_ fault: WebFault, id: Int) {
    self.id = id
    self.fault = fault
    left = fault.times
    numbers = SeededNumbers(seed: fault.seed)
  }

  /// Whether it happens to a request, and counts it.
  mutating func happens(to path: String, naming names: RequestNames) -> Bool {
    guard fault.endpoint == nil || fault.endpoint == path,
      fault.zone.map(names.zones.contains) ?? true,
      fault.record.map(names.records.contains) ?? true,
      fault.recordType.map(names.recordTypes.contains) ?? true,
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
    members.add("times", left.map(JSONValue.integer))
    members.add("count", .integer(count))
    return members.value
  }
}
