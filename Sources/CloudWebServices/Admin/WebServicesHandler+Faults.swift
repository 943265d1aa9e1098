import RecordCoding
import RecordModel

extension WebServicesHandler {
  /// Lets a request wait as tests have set it up.
  ///
  /// - Returns: the fault that answers the request; nil for none.
  func failing(_ path: String, _ json: JSONValue) async throws -> WebFault? {
    guard let admin else { return nil }
    let faults = admin.faults.happening(to: path, naming: RequestNames(json))
    for fault in faults {
      if fault.latency > 0 { try await Task.sleep(for: .seconds(fault.latency)) }
      if fault.isHeld { try await admin.faults.hold(path) }
    }
    return faults.first(where: \.isAnswer)
  }

  /// Answers a request that the handler does not have, if a fault is for it.
  ///
  /// - Throws: ``WebError``: `NOT_FOUND` if there is none.
  func answerUnknown(
    _ request: WebRequest, _ path: String, _ place: WebPlace, _ scope: DatabaseScope
  ) async throws -> WebResponse {
    let notFound = WebError(.notFound, "the path leads nowhere")
    guard let admin, admin.faults.name(path) else { throw notFound }
    let served = try container(at: place)
    let caller = try authentication.caller(of: request, to: served, place)
    let json = try Self.json(of: request, try served.ownName(of: caller, in: scope))
    guard let fault = try await failing(path, json),
      let response = try fault.answer(at: fault.moment)
    else { throw notFound }
    return withToken(response, of: caller, place)
  }
}

extension WebFault {
  /// Whether it answers the request, and not only delays it.
  var isAnswer: Bool { error != nil || isCut || response != nil }

  /// Returns the answer at a moment; nil for none.
  ///
  /// - Throws: the error of the fault.
  func answer(at moment: Moment) throws -> WebResponse? {
    guard moment == self.moment else { return nil }
    if let error { throw WebError(error, reason, retryAfter: retryAfter) }
    if isCut { return .cut }
    return response.map { response in
      var headers: WebHeaders = ["Content-Type": WebResponse.jsonType]
      headers["Retry-After"] = retryAfter.map { String(WebError.seconds($0)) }
      return WebResponse(status: response.status, headers: headers, body: response.body)
    }
  }
}
