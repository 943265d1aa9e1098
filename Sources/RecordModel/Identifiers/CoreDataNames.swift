/// The names that Core Data's mirroring gives record types, fields and zones
/// (`NSPersistentCloudKitContainer`, SwiftData).
///
/// Sources:
/// - Apple, "Reading CloudKit Records for Core Data"
///   (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>)
/// - OpenCloudData, a reconstruction of the mirroring (`OCCloudKitSerializer`), for the zone of the
///   public database and the order of a link's halves
/// - logs of apps, for the old type of links
package enum CoreDataNames {
  /// The beginning of the names of types and fields: `CD_Note`, `CD_title`.
  package static let prefix = "CD_"
  /// The zone of the records in the private database. In the public database, it is the default
  /// zone; a shared graph has a zone of its own.
  package static let zoneName = "com.apple.coredata.cloudkit.zone"
  /// The type of the links of all many-to-many relationships; each record is one link.
  package static let linkType = "CDMR"
  /// The beginning of the names of types of links that old versions wrote.
  private static let oldLinkPrefix = "CD_M2M_"
  /// The end of the name of the field that has a value as a file, where the value is large.
  package static let assetSuffix = "_ckAsset"
  /// The character between the two halves of a link's values: `Note:Tag`.
  package static let linkSeparator: Unicode.Scalar = ":"

  /// The field with the name of the record's own entity, which may be a sub-entity of the one that
  /// the record type is named after.
  package static let entityNameField = "CD_entityName"
  /// The field that tells the copies of a record apart that moved to the zone of a share.
  package static let moveReceiptField = "CD_moveReceipt"
  /// A link's field with the names of both entities: `Note:Tag`.
  package static let linkEntitiesField = "CD_entityNames"
  /// A link's field with the names of both records, in the order of the entities.
  package static let linkRecordsField = "CD_recordNames"
  /// A link's field with the names of the relationships, each of the entity at the same place.
  package static let linkRelationshipsField = "CD_relationships"
  /// The fields of a link, all of text.
  package static let linkFields = [
    linkEntitiesField, linkRecordsField, linkRelationshipsField,
  ]

  /// Returns the record type of an entity and all its sub-entities.
  ///
  /// - Parameter entity: The entity without a parent.
  package static func recordType(of entity: String) -> String { prefix + entity }

  /// Returns the field of an attribute or a to-one relationship.
  package static func field(of property: String) -> String { prefix + property }

  /// Returns the field with the file of a large value: `CD_title_ckAsset` for `CD_title`.
  package static func assetField(of field: String) -> String { field + assetSuffix }

  /// Returns the field whose large values a field has as files: `CD_title` for
  /// `CD_title_ckAsset`; nil if the name does not end so.
  package static func valueField(of assetField: String) -> String? {
    assetField.hasPrefix(prefix) && assetField.hasSuffix(assetSuffix)
      ? String(assetField.dropLast(assetSuffix.count)) : nil
  }

  /// Whether Core Data made a record type.
  package static func isMirrored(_ recordType: String) -> Bool {
    recordType.hasPrefix(prefix) || recordType == linkType
  }

  /// Whether the records of a type are links of a many-to-many relationship.
  package static func isLink(_ recordType: String) -> Bool {
    recordType == linkType || recordType.hasPrefix(oldLinkPrefix)
  }

  /// Returns the name of a field or type in the app's model: `title` for `CD_title`.
  package static func modelName(_ name: String) -> String {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  /// Returns the name of the attribute whose value a field has: `title` for `CD_title` and, where a
  /// value is large, `CD_title_ckAsset`; nil for a field that no attribute has.
  package static func attributeName(_ field: String) -> String? {
    let value = valueField(of: field) ?? field
    return value.hasPrefix(prefix) && value != prefix && field != entityNameField
      && value != moveReceiptField ? modelName(value) : nil
  }

  /// Returns the two halves of a value of a link: `Note` and `Tag` for `Note:Tag`; nil unless there
  /// are two.
  package static func halves(of value: String) -> (first: String, second: String)? {
    let parts = value.unicodeScalars.split(
      separator: linkSeparator, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }
}
