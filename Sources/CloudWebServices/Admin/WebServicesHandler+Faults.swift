import RecordCoding

extension WebServicesHandler {
  /// Lets what tests have set up happen before a request is carried out.
  ///
  /// - Returns: what is to happen after it.
  /// - Throws: the error of a fault.
  func failing(_ path: String, _ json: JSONValue) async throws -> [WebFault] {
    guard let admin else { return [] }
    let faults = admin.faults.happening(to: path, naming: RequestNames(json))
    for fault in faults {
      if fault.latency > 0 { try await Task.sleep(for: .seconds(fault.latency)) }
      if fault.isHeld { try await admin.faults.hold(path) }
      if fault.moment == .before, let error = fault.thrown { throw error }
    }
    return faults
  }
}

extension WebFault {
  /// Whether the connection is closed before the request is carried out.
  var cutsBefore: Bool { isCut && moment == .before }

  /// The error of the response; nil for none.
  var thrown: WebError? { error.map { WebError($0, reason, retryAfter: retryAfter) } }
}
