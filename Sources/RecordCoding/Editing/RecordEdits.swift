import RecordModel

/// The changes to a record: the origin of each field, and what else changed.
///
/// If the changes do not depend on values of the record, they apply to every record with the same
/// fields. If they depend only on the form of some references, they apply to those of these records
/// whose references have that form: see ``plainReferences``.
package struct RecordEdits {
  var slots: [EditedField] = []
  /// The fields that have new values.
  var newFields: [Field] = []
  /// The new names of fields of the source.
  var newNames: [FieldName] = []
  /// The lists of values of the source: the indices of their elements.
  var lists: [[Int]] = []
  /// The number of values of the source that were copied.
  var copies = 0
  /// The size in bytes of all values that are not from the source, including those removed again.
  package internal(set) var newBytes = 0
  var recordType = ""
  var zoneID = ZoneID.default
  /// Whether type, zone or name changed.
  var didChangePrefix = false
  /// Whether fields changed.
  var didChangeFields = false
  /// Whether the record ID changed.
  var didChangeID = false
  var parent = ReferenceEdit.unchanged
  var share = ReferenceEdit.unchanged
  /// The indices of the fields of the source that were found to be plain references: whatever
  /// became of them, the changes depend on it. See ``RecordSource/isPlainReference(at:)``.
  var plainReferences: [Int] = []

  /// The maximum number of values of the source that are copied without decoding them.
  static let maxCopies = 64

  /// A change to a reference of the system fields.
  enum ReferenceEdit {
    case unchanged
    case changed(to: Reference?)
    /// The reference in a field of the source.
    case field(Int)
  }
}

/// The changes to a record that also apply to others. An object, because it is passed to many
/// records.
package final class LearntEdits {
  let edits: RecordEdits

  package init(_ edits: RecordEdits) { self.edits = edits }
}

/// A field of a record that is being edited: a field of the source, or one with another value.
///
/// It contains indices instead of objects, so that copying it does not retain anything.
struct EditedField {
  /// The index of the field in the source; nil for another value.
  @SmallIndex private(set) var source: Int?
  /// The index of the list of values of the source; nil for another value.
  @SmallIndex private(set) var list: Int?
  /// The index of the field with a new value; nil for a value of the source.
  @SmallIndex var newField: Int? { didSet { isUnchanged = false } }
  /// The index of the new name; nil if the name is that of the source.
  @SmallIndex var newName: Int? { didSet { isUnchanged = false } }
  var isEncrypted: Bool
  /// Whether the field is identical to the one in the source.
  var isUnchanged: Bool

  init(
    source: Int? = nil, list: Int? = nil, newField: Int? = nil, newName: Int? = nil,
    isEncrypted: Bool = false, isUnchanged: Bool = false
  ) {
    self.source = source
    self.list = list
    self.newField = newField
    self.newName = newName
    self.isEncrypted = isEncrypted
    self.isUnchanged = isUnchanged
  }
}

/// An optional index of four bytes.
@propertyWrapper
struct SmallIndex {
  private var index: Int32

  @inline(__always)
  init(wrappedValue: Int?) { index = wrappedValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }

  @inline(__always)
  var wrappedValue: Int? {
    get { index < 0 ? nil : Int(index) }
    set { self = Self(wrappedValue: newValue) }
  }
}

/// The canonical bytes that an editable record was loaded from.
///
/// The prefix and the entries are the same for all records with the same
/// ``EditableRecord/EditKey``. All other bytes differ between records. They are private: code
/// copies them unseen, or reads them with ``read(_:by:)``, which notes that on the record. Other
/// methods either do not affect edits, or note their result in them: ``isPlainReference(at:)``.
struct RecordSource {
  private let parts: RecordParts

  init(_ parts: RecordParts) { self.parts = parts }

  var prefix: RecordPrefix { parts.prefix }
  var shape: RecordShape { parts.shape }
  var entries: UnsafeBufferPointer<RecordShape.Entry> { parts.entries }
  /// The places of the parts in the bytes.
  var layout: CanonicalReader.RecordLayout { parts.layout }
  /// The number of bytes after the first brace.
  var size: Int { parts.body.count }

  /// The place of a field's value, including the members that follow it.
  func value(_ index: Int) -> Range<Int> { parts.place(ofValue: index) }

  /// Returns bytes to read, and notes on `record` that its edits may depend on them.
  func read(_ range: Range<Int>, by record: EditableRecord) -> UnsafeRawBufferPointer {
    record.dependsOnValues = true
    return bytes(range)
  }

  /// Appends bytes as they are.
  func copy(_ range: Range<Int>, to buffer: ByteBuffer) { buffer.append(bytes(range)) }

  /// Appends a name of a JSON string as it reads.
  ///
  /// - Returns: false, without appending anything, if it contains escapes.
  func copyUnescaped(_ range: Range<Int>, to buffer: ByteBuffer) -> Bool {
    guard isUnescaped(range) else { return false }
    buffer.append(bytes(range))
    return true
  }

  /// Whether a JSON string reads as it is written. Edits do not depend on the result.
  func isUnescaped(_ range: Range<Int>) -> Bool { !bytes(range).hasByte(UInt8(ascii: "\\")) }

  /// Whether the value of a field, a reference, has the form of a parent: to the record's own zone,
  /// without an action. Edits that depend on it note the field in
  /// ``RecordEdits/plainReferences``.
  func isPlainReference(at index: Int) -> Bool {
    var scanner = CanonicalReader(bytes(value(index)))
    return scanner.take("{\"recordName\":") && scanner.string() != nil
      && scanner.take(",\"action\":\"NONE\"}") && scanner.position == scanner.end
  }

  /// Whether a value that is a reference, or a list of them, may have a target whose name satisfies
  /// `test`. False is certain. Edits do not depend on the result.
  ///
  /// - Parameter test: receives a name in UTF-8.
  func mayRefer(_ range: Range<Int>, where test: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var scanner = CanonicalReader(bytes(range))
    let isList = scanner.take(0x5B)
    if isList, scanner.take(0x5D) { return false }
    repeat {
      guard scanner.take("{\"recordName\":"), let place = scanner.string() else { return true }
      let name = scanner.bytes(place)
      // A name with escapes does not read as it is written.
      if name.hasByte(UInt8(ascii: "\\")) || test(name) { return true }
      guard isList else { return false }
      if scanner.take(",\"zoneID\":"), scanner.zoneID() == nil { return true }
      guard scanner.take(",\"action\":"), scanner.string() != nil, scanner.take(0x7D) else {
        return true
      }
    } while scanner.take(0x2C)
    return false
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: parts.body[range])
  }
}
