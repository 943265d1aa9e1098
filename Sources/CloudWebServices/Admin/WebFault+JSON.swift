import RecordCoding

extension WebFault.Moment: JSONEnum {}

extension WebFault {
  init(_ body: inout RequestBody) throws {
    endpoint = try body.value("endpoint")
    zone = try body.value("zone")
    record = try body.value("record")
    recordType = try body.value("recordType")
    times = try body.value("times", Int64.self).map { Int(clamping: $0) }
    probability = try body.value("probability") ?? 1
    seed = UInt64(bitPattern: try body.value("seed", Int64.self) ?? 0)
    error = try body.value("error", String.self).map { name in
      guard let code = WebErrorCode(rawValue: name) else {
        let codes = WebErrorCode.allCases.map(\.rawValue).joined(separator: ", ")
        throw WebError(.badRequest, "'error' is none of \(codes)")
      }
      return code
    }
    reason = try body.value("reason") ?? reason
    retryAfter = try body.value("retryAfter")
    response = try body.object("response") { try Response(&$0) }
    latency = try body.value("latency") ?? 0
    isCut = try body.value("cut") ?? false
    isHeld = try body.value("hold") ?? false
    moment = try body.value("moment") ?? .before
  }
}
