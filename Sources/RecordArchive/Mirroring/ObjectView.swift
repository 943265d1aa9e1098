import RecordModel

/// Shows the records of a source: those of Core Data as objects with the names of the app's model.
///
/// To-one relationships stay texts, the names of the other objects' records, so that a record is shown
/// without reading others. Many-to-many relationships are lists of references.
package struct ObjectView: Sendable {
  /// Shows records as they are.
  package static let raw = ObjectView(linked: [:], hasObjects: false)

  /// The number of links above which none can be shown.
  package static let maxLinks = 1_000_000

  private let linked: [RecordLocation: MirroredObject.Relationships]
  /// Whether any record may be of an object.
  package let hasObjects: Bool

  private init(
    linked: [RecordLocation: MirroredObject.Relationships], hasObjects: Bool
  ) {
    (self.linked, self.hasObjects) = (linked, hasObjects)
  }

  /// Reads the links of many-to-many relationships: about 500 bytes each.
  ///
  /// - Parameters:
  ///   - filter: The records to show.
  ///   - readsLinks: Whether many-to-many relationships are shown.
  /// - Throws: Errors of the source, and ``ArchiveError/unsupported(_:)`` for more links than
  ///   ``maxLinks``.
  package init(
    of source: ArchiveSource, _ filter: RecordFilter, readsLinks: Bool = true
  ) throws {
    guard try source.hasMirroredTypes(filter) else {
      self = .raw
      return
    }
    guard readsLinks else {
      self.init(linked: [:], hasObjects: true)
      return
    }
    var links = filter
    links.recordTypes = [CoreDataNames.linkType]
    (links.modifiedSince, links.modifiedBefore) = (nil, nil)
    let count = try source.sections(links).reduce(0) { $0 + $1.records }
    guard count <= Self.maxLinks else {
      throw ArchiveError.unsupported(
        "\(source.name) has \(count) links of many-to-many relationships, more than the "
          + "\(Self.maxLinks) that can be shown; choose a zone, or show the records as they are")
    }
    var linked: [RecordLocation: MirroredObject.Relationships] = [:]
    if count > 0 {
      try source.read { reader in
        try reader.forEachLink(links) { link, database in
          for side in link.sides {
            linked[RecordLocation(database, side.recordID), default: .init()].add(link, side)
          }
        }
      }
    }
    for location in linked.keys {
      linked[location]?.sort()
      linked[location]?.targets = [:]
    }
    self.init(linked: linked, hasObjects: true)
  }

  /// Returns the record as it is shown.
  package func shown(_ record: ResultRecord, _ database: DatabaseScope) -> ResultRecord {
    guard hasObjects, record.entityName != nil else { return record }
    return record.asObject(linked[RecordLocation(database, record.recordID)] ?? .init())
  }
}
