/// The object of an app's model for which Core Data made a record, as a record with the model's names:
///
/// | record | object |
/// |---|---|
/// | type `CD_Note`, `CD_entityName` = `Draft` | type `Draft` |
/// | `CD_title` | `title` |
/// | `CD_text_ckAsset`, without `CD_text` | `text`, a file |
/// | `CD_folder` = the name of a record | `folder`, a reference to this record |
/// | records of the type `CDMR` with this record's name | references, named after the relationship |
///
/// Everything else stays: system fields, encryption, `CD_moveReceipt`, and fields that the app added on
/// its own. So the views of records need no second way to show objects.
///
/// Source: Apple, "Reading CloudKit Records for Core Data"
/// (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>).
package struct MirroredObject {
  /// The known relationships of an object.
  package struct Relationships: Sendable {
    /// The entities of the objects in the zone, by the names of their records: as far as they can be
    /// targets of to-one relationships.
    package var targets: [ExactString: String] = [:]
    /// The targets of each many-to-many relationship, in the order of their names.
    package var linked: [String: [RecordID]] = [:]

    package init() {}
  }

  /// The record, with the names of the model.
  package let record: ResultRecord
  /// The name of the object's entity.
  package let entity: String
  private let relationships: Relationships

  /// Creates the object of a record; nil for a record that is not of an object.
  package init?(_ mirrored: ResultRecord, _ relationships: Relationships = Relationships()) {
    guard let entity = mirrored.entityName else { return nil }
    (self.entity, self.relationships) = (entity, relationships)
    var fields: [Field] = []
    for field in mirrored.fields {
      guard field.name != CoreDataNames.entityNameField else { continue }
      fields.append(Self.attribute(field, of: mirrored, relationships))
    }
    for (name, targets) in relationships.linked where !Self.has(name, mirrored, fields) {
      fields.append(
        Field(name: name, value: .referenceList(targets.map { Reference(recordID: $0) })))
    }
    var system = mirrored.systemFields
    system.recordType = entity
    record = ResultRecord(systemFields: system, fields: fields)
  }

  /// Returns the field of an attribute: the record's own, if its name is taken or not of an attribute.
  private static func attribute(
    _ field: Field, of record: ResultRecord, _ relationships: Relationships
  ) -> Field {
    guard let name = CoreDataNames.attributeName(field.name), record.field(named: name) == nil
    else { return field }
    let isFile = field.name.hasSuffix(CoreDataNames.assetSuffix)
    // A value and its file at the same time: which one is newer is not known.
    if isFile, record.field(named: CoreDataNames.prefix + name) != nil { return field }
    var value = field.value
    if let target = Self.target(of: field, in: record), relationships.targets[target] != nil {
      let recordID = RecordID(recordName: target.string, zoneID: record.recordID.zoneID)
      value = .reference(Reference(recordID: recordID))
    }
    return Field(
      name: name, value: value, isEncrypted: field.isEncrypted, otherMembers: field.otherMembers)
  }

  /// Returns the entity to which a relationship leads, and whether to many objects: `to Folder`,
  /// `to many Tag`; nil for an attribute.
  package func destination(of field: Field) -> String? {
    let targets = field.value.references
    guard let first = targets.first, !field.isEncrypted,
      targets.allSatisfy({ relationships.targets[ExactString($0.recordID.recordName)] != nil }),
      let entity = relationships.targets[ExactString(first.recordID.recordName)]
    else { return nil }
    if case .referenceList = field.value { return "to many \(entity)" }
    return "to \(entity)"
  }

  private static func has(_ name: String, _ record: ResultRecord, _ fields: [Field]) -> Bool {
    fields.contains { $0.name.sameScalars(as: name) }
  }

  /// Returns the name of the record that a field may refer to; nil for a field that cannot be a to-one
  /// relationship. Relationships do not leave their zone, and are not encrypted.
  package static func target(of field: Field, in record: ResultRecord) -> ExactString? {
    guard !field.isEncrypted, case .string(let text) = field.value,
      field.name != CoreDataNames.entityNameField, CoreDataNames.attributeName(field.name) != nil,
      // A record name is 1 to 255 ASCII characters.
      1...255 ~= text.utf8.count, text.utf8.allSatisfy({ $0 < 0x80 }),
      // An attribute can have the name of its own record (`NSCKRecordIDAttributeName`).
      !text.sameScalars(as: record.recordID.recordName)
    else { return nil }
    return ExactString(text)
  }
}

extension ResultRecord {
  /// The name of the entity of the object that Core Data made the record for; nil for another record.
  package var entityName: String? {
    guard recordType.hasPrefix(CoreDataNames.prefix), !CoreDataNames.isLink(recordType),
      let name: String = self[CoreDataNames.entityNameField], !name.isEmpty
    else { return nil }
    return name
  }

  /// The record with the names of the model, if it is one of an object; itself otherwise.
  package func asObject(
    _ relationships: MirroredObject.Relationships = .init()
  ) -> ResultRecord {
    MirroredObject(self, relationships)?.record ?? self
  }

  /// The names of the records in the same zone that may be the targets of the object's to-one
  /// relationships; none for a record that is not of an object.
  package var possibleTargets: [(field: FieldName, name: ExactString)] {
    guard entityName != nil else { return [] }
    return (0..<storage.fieldCount).compactMap { index in
      guard storage.valueType(at: index) == .string, !storage.isEncrypted(at: index) else {
        return nil
      }
      let field = storage.field(at: index)
      return MirroredObject.target(of: field, in: self).map { (field.interned, $0) }
    }
  }

  /// The link that the record is of a many-to-many relationship; nil for another record, and for a
  /// link that cannot be read.
  package var mirroredLink: MirroredLink? {
    recordType == CoreDataNames.linkType ? MirroredLink(self) : nil
  }
}

/// A link of a many-to-many relationship: a record of the type `CDMR`, in the zone of both objects.
package struct MirroredLink: Sendable, Hashable {
  /// One side of the link.
  package struct Side: Sendable, Hashable {
    /// The name of the object's entity.
    package let entity: String
    /// The object's record.
    package let recordID: RecordID
    /// The name of the object's relationship, whose targets include the other object.
    package let relationship: String
  }

  /// The two sides, in the order of the record.
  package let sides: [Side]

  fileprivate init?(_ record: ResultRecord) {
    func halves(_ name: String) -> [String]? {
      guard let text: String = record[name], let halves = CoreDataNames.halves(of: text),
        !halves.first.isEmpty, !halves.second.isEmpty
      else { return nil }
      return [halves.first, halves.second]
    }
    guard let entities = halves(CoreDataNames.linkEntitiesField),
      let names = halves(CoreDataNames.linkRecordsField),
      let relationships = halves(CoreDataNames.linkRelationshipsField)
    else { return nil }
    let zoneID = record.recordID.zoneID
    sides = (0...1).map { place in
      Side(
        entity: entities[place],
        recordID: RecordID(recordName: names[place], zoneID: zoneID),
        relationship: relationships[place])
    }
  }

  /// Returns the relationship of an object, and the target that the link adds: both sides, where an
  /// object is linked with itself; none for an object that the link is not of.
  package func targets(of recordID: RecordID) -> [(relationship: String, target: RecordID)] {
    (0...1).compactMap { place in
      sides[place].recordID == recordID
        ? (sides[place].relationship, sides[1 - place].recordID) : nil
    }
  }
}
