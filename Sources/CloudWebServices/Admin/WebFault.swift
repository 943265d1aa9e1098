import RecordCoding
import RecordPlatform

/// Something that goes wrong with requests, as a test has set it up.
struct WebFault {
  /// When an error or a cut happens.
  enum Moment: String, JSONWord {
    /// Before the request is carried out: nothing is changed.
    case before
    /// After it was carried out.
    case after
  }

  let id: Int
  /// The path of the requests, such as `records/modify`; nil for all.
  private let endpoint: String?
  /// A zone that the requests name; nil for any.
  private let zone: String?
  /// A record that the requests name; nil for any.
  private let record: String?
  /// How often it still happens; nil for ever.
  private var times: Int64?
  /// How probable it is for each request.
  private let probability: Double
  private var numbers: SeededNumbers
  private(set) var count = 0

  /// The `serverErrorCode` of the response; nil for no error.
  let error: WebError?
  /// How long the request waits, in seconds.
  let latency: Double
  /// Whether the connection is closed instead of an answer.
  let isCut: Bool
  let moment: Moment
  /// Whether the request waits to be released.
  let isHeld: Bool

  init(_ body: inout RequestBody, id: Int) throws {
    self.id = id
    endpoint = try body.value("endpoint")
    zone = try body.value("zone")
    record = try body.value("record")
    times = try body.value("times")
    probability = try body.value("probability") ?? 1
    numbers = SeededNumbers(seed: UInt64(bitPattern: try body.value("seed", Int64.self) ?? 0))
    let code = try body.value("error", String.self)
    let reason = try body.value("reason", String.self) ?? "a fault of the test"
    let retryAfter = try body.value("retryAfter", Double.self)
    error = try code.map { code in
      guard let code = WebError.Code(rawValue: code) else {
        let codes = WebError.Code.allCases.map(\.rawValue).joined(separator: ", ")
        throw WebError(.badRequest, "'error' is none of \(codes)")
      }
      return WebError(code, reason, retryAfter: retryAfter)
    }
    latency = try body.value("latency") ?? 0
    isCut = try body.value("cut") ?? false
    isHeld = try body.value("hold") ?? false
    moment = try body.value("moment") ?? .before
    guard error != nil || latency > 0 || isCut || isHeld else {
      throw WebError(.badRequest, "a fault has 'error', 'latency', 'cut' or 'hold'")
    }
    guard (0...1).contains(probability), (0...600).contains(latency), times ?? 1 > 0 else {
      throw WebError(
        .badRequest, "a probability is from 0 to 1, a latency at most 600 s, 'times' positive")
    }
  }

  /// Whether it happens to a request, and counts it.
  mutating func happens(to path: String, naming names: RequestNames) -> Bool {
    guard endpoint == nil || endpoint == path,
      zone.map(names.zones.contains) ?? true, record.map(names.records.contains) ?? true,
      times != 0, probability >= 1 || numbers.fraction() < probability
    else { return false }
    if let left = times { times = left - 1 }
    count += 1
    return true
  }

  /// Whether it never happens again.
  var isOver: Bool { times == 0 }

  var json: JSONValue {
    var members = MemberWriter()
    members.add("id", .integer(id))
    members.add("endpoint", endpoint)
    members.add("zone", zone)
    members.add("record", record)
    members.add("error", error?.code)
    members.add("latency", latency > 0 ? .number(text: "\(latency)") : nil)
    members.add("cut", isCut ? .bool(true) : nil)
    members.add("hold", isHeld ? .bool(true) : nil)
    members.add("moment", moment == .after ? JSONValue.string(moment.rawValue) : nil)
    members.add("times", times.map(JSONValue.integer))
    members.add("count", .integer(count))
    return members.value
  }
}

extension WebFault {
  /// Whether the connection is closed before the request is carried out.
  var cutsBefore: Bool { isCut && moment == .before }
}
