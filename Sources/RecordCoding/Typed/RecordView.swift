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
