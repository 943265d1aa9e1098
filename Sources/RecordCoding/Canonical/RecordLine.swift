import RecordModel

/// How a record line of a bundle begins.
package enum RecordLine {
  private static let openings: [(scope: DatabaseScope, bytes: [UInt8])] =
    DatabaseScope.allCases.map { scope in
      (scope, Array("{\"kind\":\"record\",\"database\":\"\(scope.rawValue)\",".utf8))
    }

  /// `{"kind":"record","database":"…",`: what stands in the place of the dictionary's first brace.
  package static func opening(for scope: DatabaseScope) -> [UInt8] {
    openings[scope.rank].bytes
  }

  /// The database that a record line names, and where the rest of the dictionary begins.
  package static func opening(
    of line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, bodyStart: Int)? {
    var scanner = CanonicalScanner(line)
    guard scanner.take("{\"kind\":\"record\",\"database\":\"") else { return nil }
    if scanner.take("private\",") { return (.private, scanner.position) }
    if scanner.take("shared\",") { return (.shared, scanner.position) }
    if scanner.take("public\",") { return (.public, scanner.position) }
    return nil
  }
}
