import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// The references of remaining records to deleted ones.
struct DanglingReferences {
  struct Example {
    let location: RecordLocation
    let recordType: String
    let field: String
    let reference: Reference
  }

  /// The number of references to name.
  static let maxExamples = 100

  private(set) var count = 0
  private(set) var examples: [Example] = []

  /// Finds the references. Reads all records, one at a time.
  ///
  /// - Parameter isDeleted: Whether a record is to be deleted.
  init(
    in source: ArchiveSource, isDeleted: (DatabaseScope, RecordID) -> Bool,
    progress: () throws -> Void
  ) throws {
    try source.forEachRecord(.all) { record, database in
      try progress()
      guard !isDeleted(database, record.recordID) else { return }
      for (field, reference) in record.references
      where isDeleted(database, reference.recordID) {
        count += 1
        guard examples.count < Self.maxExamples else { continue }
        examples.append(
          Example(
            location: RecordLocation(database, record), recordType: record.recordType, field: field,
            reference: reference))
      }
    }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    guard count > 0 else { return [] }
    let words = FieldText(showEncrypted: false)
    let shown = examples.prefix(20).map { example in
      "  \(example.location.text(example.recordType)): \(example.field.visible) "
        + words.reference(example.reference).visible
    }
    let rest = count - shown.count
    return [
      style.paint(
        "\(Numbers.count(count, "reference")) to what is deleted: CloudKit also deletes records that "
          + "refer with DELETE_SELF, and refuses to delete a parent", .yellow)
    ] + shown + (rest > 0 ? ["  … and \(Numbers.grouped(rest)) more"] : [])
  }

  var json: [JSONValue.Member] {
    let list = examples.map { example in
      JSONValue.object(
        example.location.members(example.recordType) + [
          .init("field", .string(example.field)),
          .init("action", .string(example.reference.action.rawValue)),
          .init("refersTo", .string(example.reference.recordID.recordName)),
        ])
    }
    return [
      .init("referenceCount", .integer(count)), .init("references", .array(list)),
    ]
  }
}

extension ResultRecord {
  /// The references in fields, to the parent and to the share, with the names of the fields.
  fileprivate var references: [(field: String, reference: Reference)] {
    var found: [(String, Reference)] = []
    if let parent = systemFields.parent { found.append(("parent", parent)) }
    if let share = systemFields.share { found.append(("share", share)) }
    for field in fields {
      switch field.value {
      case .reference(let reference): found.append((field.name, reference))
      case .referenceList(let references): found += references.map { (field.name, $0) }
      default: break
      }
    }
    return found
  }
}
