import RecordBundle
import RecordCoding
import RecordModel

/// A batch of canonical lines: a frame of a bundle, or rows of a container. Valid only in the
/// closure that receives it, on one thread.
struct LineBatch {
  private enum Content {
    case frame(BundleFrame)
    case rows(RowBatch)
  }

  private let content: Content
  private let selection: LineSelection
  /// The reader for the lines; one thread at a time uses it.
  let reader: RecordJSONReader

  init(_ frame: BundleFrame, _ selection: LineSelection) {
    content = .frame(frame)
    reader = frame.reader
    self.selection = selection
  }

  init(_ rows: RowBatch, _ selection: LineSelection, _ reader: RecordJSONReader) {
    content = .rows(rows)
    self.reader = reader
    self.selection = selection
  }

  /// The name of the source in error messages.
  var source: String {
    switch content {
    case .frame(let frame): frame.source
    case .rows(let rows): rows.source
    }
  }

  /// The size of the lines in bytes.
  var size: Int {
    switch content {
    case .frame(let frame): frame.size
    case .rows(let rows): rows.size
    }
  }

  /// Calls `scanned` with the scan of each canonical record line, and `item` with everything else.
  ///
  /// - Parameters:
  ///   - scanned: Called with the scan, the line and its number.
  ///   - item: Called with each record whose line is not canonical and each item that is not a
  ///     record, and its line number; 0 if it has none.
  @inline(__always)
  func forEach(
    scanned: (RecordScan, UnsafeRawBufferPointer, Int) throws -> Void,
    item: (BundleItem, Int) throws -> Void
  ) throws {
    var wanted = SectionChoice(selection)
    let hasRecords = selection.contains(.record)
    try forEachLine { line, number in
      guard hasRecords, let scan = reader.scanLine(line) else {
        return try visit(line, number, item)
      }
      if wanted.contains(scan) { try scanned(scan, line, number) }
    }
    try forEachItem(item)
  }

  /// Calls `record` with each line that may be a canonical record, and `item` with everything else.
  ///
  /// - Parameter record: Returns false if the line is something else.
  func forEach(
    line record: (UnsafeRawBufferPointer) throws -> Bool, item: (BundleItem, Int) throws -> Void
  ) throws {
    var wanted = SectionChoice(selection)
    try forEachLine { line, number in
      if !wanted.isAll, let scan = reader.scanLine(line), !wanted.contains(scan) { return }
      if try !record(line) { try visit(line, number, item) }
    }
    try forEachItem(item)
  }

  /// Loads each record into `record` and calls `loaded`; calls `item` with everything else.
  @inline(__always)
  func forEach(
    loading record: EditableRecord, loaded: () throws -> Void,
    item: (BundleItem, Int) throws -> Void
  ) throws {
    var wanted = SectionChoice(selection)
    try forEachLine { line, number in
      if reader.load(record, from: line) {
        if wanted.contains(record) { try loaded() }
        return
      }
      try visit(line, number) { found, number in
        guard case .record(let value, let database) = found else { return try item(found, number) }
        record.load(value, in: database)
        try loaded()
      }
    }
    try forEachItem(item)
  }

  @inline(__always)
  private func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    switch content {
    case .frame(let frame): try frame.forEachLine(body)
    case .rows(let rows): try rows.forEachLine(body)
    }
  }

  private func forEachItem(_ body: (BundleItem, Int) throws -> Void) throws {
    guard case .rows(let rows) = content else { return }
    for item in rows.items where selection.contains(item) { try body(item, 0) }
  }

  /// Decodes a line that is not a canonical record.
  ///
  /// Inlined, it would copy the content for each line.
  @inline(never)
  private func visit(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ body: (BundleItem, Int) throws -> Void
  ) throws {
    if let kind = LineKind.kind(of: line), !selection.contains(kind) { return }
    let found: BundleItem?
    switch content {
    case .frame(let frame): found = try frame.item(line, number: number)
    case .rows(let rows): found = .record(try rows.record(line, with: reader), rows.database)
    }
    if let found, selection.contains(found) { try body(found, number) }
  }
}
