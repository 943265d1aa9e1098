import RecordCoding
import RecordModel

extension BundleReader {
  /// Calls `body` with each record as a Swift type, in the order of the bundle, on the caller's
  /// thread, while other threads decompress and read further records.
  ///
  /// ```swift
  /// try bundle.forEach(Message.self) { message, database in
  ///   print(database, message.recordID.recordName, message.text ?? "")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type; of a `TypedRecord`, only the records of its record type.
  ///   - filter: the records to include; frames without any are not read.
  ///   - threads: the number of threads that decompress and read.
  ///   - body: receives each value. May throw to end early.
  /// - Throws: `TypedRecordError` if a record does not fit the type.
  @inlinable
  public func forEach<T: RecordDecodable>(
    _ type: T.Type, _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: (T, DatabaseScope) throws -> Void
  ) throws {
    try mapViews(
      type, filter, threads: threads, begin: { TypedValues<T>() },
      read: { view, database, values in
        let values = unsafeDowncast(values, to: TypedValues<T>.self)
        let value = try T(from: &view)
        if view.finish() { values.content.append((value, database)) }
      },
      consume: { values in
        for (value, database) in unsafeDowncast(values, to: TypedValues<T>.self).content {
          try body(value, database)
        }
      })
  }

  /// Calls `body` with each record as a Swift type, in no order, on several threads.
  ///
  /// - Parameters:
  ///   - type: the type; of a `TypedRecord`, only the records of its record type.
  ///   - filter: the records to include; frames without any are not read.
  ///   - threads: the number of threads.
  ///   - body: called on several threads at a time.
  /// - Throws: `TypedRecordError` if a record does not fit the type.
  @inlinable
  public func concurrentlyForEach<T: RecordDecodable>(
    _ type: T.Type, _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: @escaping @Sendable (T, DatabaseScope) throws -> Void
  ) throws {
    let none = TypedValues<T>()
    try mapViews(
      type, filter, threads: threads, begin: { none },
      read: { view, database, _ in
        let value = try T(from: &view)
        if view.finish() { try body(value, database) }
      }, consume: { _ in })
  }

  /// Calls `read` with a view of each record, on several threads.
  ///
  /// - Parameters:
  ///   - begin: Makes what takes the values of a frame.
  ///   - read: Reads a value; called again with decoded values if the view could not be finished.
  ///   - consume: Called with what took the values of each frame, in order, on the caller's thread.
  @usableFromInline
  func mapViews(
    _ type: any RecordDecodable.Type, _ filter: RecordFilter, threads: Int,
    begin: @escaping @Sendable () -> any AnyObject & Sendable,
    read:
      @escaping @Sendable (inout RecordView, DatabaseScope, any AnyObject & Sendable) throws ->
      Void,
    consume: (any AnyObject & Sendable) throws -> Void
  ) throws {
    let filter = filter.narrowed(to: type)
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) }, threads: threads,
      transform: { frame in
        let values = begin()
        try frame.forEachView(type, filter) { try read(&$0, $1, values) }
        return values
      }, consume: consume)
  }
}

/// The values of a frame.
@usableFromInline
final class TypedValues<T: Sendable>: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  @usableFromInline var content: [(T, DatabaseScope)] = []

  @usableFromInline
  init() {}
}

extension RecordFilter {
  /// A filter for the records that a type can be read from.
  fileprivate func narrowed(to type: any RecordDecodable.Type) -> RecordFilter {
    guard let typed = type as? any TypedRecord.Type else { return self }
    var filter = self
    filter.recordTypes =
      recordTypes?.contains(typed.recordType) == false ? [] : [typed.recordType]
    return filter
  }
}

extension BundleFrame {
  fileprivate func forEachView(
    _ type: any RecordDecodable.Type, _ filter: RecordFilter,
    _ body: (inout RecordView, DatabaseScope) throws -> Void
  ) throws {
    func readOther(_ line: UnsafeRawBufferPointer, _ number: Int) throws {
      guard let (database, record) = try record(line, number: number),
        filter.contains(record, database: database)
      else { return }
      try RecordView.with(record, type) { try body(&$0, database) }
    }
    // The start of a line does not include the modification date.
    if filter.isByDate { return try forEachLine(readOther) }
    try reader.forEachView(
      ofLines: content.bytes, type,
      where: { filter.contains(database: $1, zoneID: $0.zoneID, recordType: $0.recordType) },
      body, other: { try readOther($0, firstLine + $1) })
  }
}
