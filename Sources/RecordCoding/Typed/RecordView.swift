import RecordModel

/// A record that a ``RecordDecodable`` type reads its properties from.
///
/// It is valid only in the initializer that receives it. The values of a record in a bundle are read
/// from its bytes, each once, without a dictionary of them.
///
/// Each method for a field returns nil if the record does not have the field, and throws
/// `TypedRecordError` if the field has another type, or if it is encrypted and
/// `isEncrypted` is false, or the other way round. Read fields in the order of the UTF-8 bytes of
/// their names where you can: in another order, bytes are read again.
public struct RecordView: ~Copyable {
  let state: UnsafeMutablePointer<ViewState>

  /// - Parameter state: It must live as long as the view.
  init(_ state: UnsafeMutablePointer<ViewState>) { self.state = state }

  /// Calls `body` with a view of a record.
  @usableFromInline
  package static func with<R>(
    _ record: ResultRecord, _ type: any RecordDecodable.Type, _ body: (inout RecordView) throws -> R
  ) rethrows -> R {
    guard let line = record.storage as? LineStorage else {
      var state = ViewState(values: record, type)
      return try with(&state, body)
    }
    defer { withExtendedLifetime(line) {} }
    var state = ViewState(line.parts, type)
    let value = try with(&state, body)
    assert(!state.isMalformed, "the bytes were checked before")
    return value
  }

  @inline(__always)
  static func with<R>(
    _ state: inout ViewState, _ body: (inout RecordView) throws -> R
  ) rethrows -> R {
    try withUnsafeMutablePointer(to: &state) {
      var view = RecordView($0)
      return try body(&view)
    }
  }

  /// Passes the rest of the bytes.
  ///
  /// - Returns: Whether all bytes of the record are canonical.
  @usableFromInline
  package mutating func finish() -> Bool { state.pointee.finish() }
}

extension RecordJSONReader {
  /// What ``withView(ofLine:_:where:_:)`` found.
  package enum ViewResult {
    case read(DatabaseScope)
    /// The record was not to be read.
    case excluded
    case notCanonical

    /// The database of a record that was read.
    package var database: DatabaseScope? {
      if case .read(let database) = self { database } else { nil }
    }
  }

  /// Calls `body` with a view of a record line of a bundle.
  ///
  /// What `body` reads, and an error that it throws, counts only if ``RecordView/finish()`` returns
  /// true behind it.
  ///
  /// - Parameter isIncluded: Whether to read a record with this start.
  package func withView(
    ofLine line: UnsafeRawBufferPointer, _ type: any RecordDecodable.Type,
    where isIncluded: (RecordEnvelope, DatabaseScope) -> Bool = { _, _ in true },
    _ body: (inout RecordView, DatabaseScope) throws -> Void
  ) throws -> ViewResult {
    guard let (database, start) = RecordLine.opening(of: line) else { return .notCanonical }
    var scanner = CanonicalScanner(UnsafeRawBufferPointer(rebasing: line[start...]))
    guard let envelope = unmanagedOpening(&scanner) else { return .notCanonical }
    guard envelope._withUnsafeGuaranteedRef({ isIncluded($0, database) }) else { return .excluded }
    var state = ViewState(scanner, in: envelope, type)
    guard !state.isMalformed else { return .notCanonical }
    do {
      try RecordView.with(&state) { try body(&$0, database) }
    } catch {
      guard state.isFinished || state.finish() else { return .notCanonical }
      throw error
    }
    return state.isFinished || state.finish() ? .read(database) : .notCanonical
  }
}
