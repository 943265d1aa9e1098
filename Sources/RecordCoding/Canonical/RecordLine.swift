import RecordModel

/// The start of a record line of a bundle.
package enum RecordLine {
  private static let openings: [(scope: DatabaseScope, bytes: [UInt8])] =
    DatabaseScope.allCases.map { scope in
      (scope, Array("{\"kind\":\"record\",\"database\":\"\(scope.rawValue)\",".utf8))
    }

  /// Returns `{"kind":"record","database":"…",`, which replaces the first brace of the dictionary.
  package static func opening(for scope: DatabaseScope) -> [UInt8] {
    openings[scope.rank].bytes
  }

  /// Returns the number of bytes of a record line, without its end, from that of the dictionary.
  package static func size(ofDictionary size: Int, in scope: DatabaseScope) -> Int {
    size - 1 + opening(for: scope).count
  }

  /// Returns the database of a record line, and the offset of the rest of its dictionary.
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
