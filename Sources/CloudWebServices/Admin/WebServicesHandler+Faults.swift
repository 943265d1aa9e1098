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
      if fault.moment == .before, let error = fault.error { throw error }
    }
    return faults
  }

  /// Makes a container what it was when it was first served.
  ///
  /// - Parameter place: its address; nil for the only one.
  func reset(_ place: WebPlace?) throws {
    try served.withLock { served in
      let fits = served.indices.filter { index in
        place.map { served[index].fit($0.identifier, $0.environment) != nil } ?? true
      }
      guard fits.count == 1 else {
        throw WebError(.badRequest, "'container' and 'environment' do not name one container")
      }
      try served[fits[0]].reset()
    }
  }

  /// Makes a container what it was when it was first served.
  func reset(_ container: WebContainer) throws {
    try served.withLock { served in
      let name = PageContainerName(container)
      guard let index = served.firstIndex(where: { PageContainerName($0) == name }) else { return }
      try served[index].reset()
    }
  }
}

extension WebContainer {
  fileprivate mutating func reset() throws {
    guard let seed else {
      throw WebError(.badRequest, "a container that is served in place is not reset")
    }
    container = try seed.fork()
  }
}
