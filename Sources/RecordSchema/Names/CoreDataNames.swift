/// The names that Core Data's mirroring gives record types, fields and zones
/// (`NSPersistentCloudKitContainer`, SwiftData).
///
/// Sources: Apple, "Reading CloudKit Records for Core Data"
/// (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>);
/// the old type of links is from logs of apps.
package enum CoreDataNames {
  /// The beginning of the names of types and fields: `CD_Note`, `CD_title`.
  package static let prefix = "CD_"
  /// The zone of the records in the private database.
  package static let zoneName = "com.apple.coredata.cloudkit.zone"
  /// The type of the links of all many-to-many relationships; each record is one link.
  package static let linkType = "CDMR"
  /// The beginning of the names of types of links that old versions wrote.
  private static let oldLinkPrefix = "CD_M2M_"
  /// The end of the name of the field that has a value as a file, where the value is large.
  private static let assetSuffix = "_ckAsset"
  /// The character between the two halves of a link's values: `Note:Tag`.
  package static let linkSeparator: Character = ":"

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

  /// The part of the mirroring that a field is for.
  package enum FieldRole: Sendable {
    /// `CD_entityName`: the name of the record's entity, and `CD_entityNames`, `CD_relationships` of
    /// links: the names of both entities, and of the relationships between them. They are code.
    case modelNames
    /// `CD_recordNames` of a link: the names of the two records, with a colon between them.
    case recordNames
    /// The name of a record as text, which is how a to-one relationship is stored; or a UUID. An
    /// attribute of text has a second field, `CD_title_ckAsset`, in the full schema; these have none.
    case recordNameOrUUID
    /// `CD_moveReceipt`: distinguishes the copies of a record that moved to a shared zone.
    case moveReceipt
    /// `CD_title_ckAsset`: the file that has the value of `CD_title` where it is large.
    case largeValue
  }

  /// Returns the role of a field; nil for an attribute of the model, and for a field that only its
  /// values show to be a relationship.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - recordType: The name of its type.
  ///   - type: The type of the field's values, without encryption.
  ///   - fields: The names of all fields of the type, as far as they are known.
  package static func role(
    of field: String, in recordType: String, type: CloudSchema.FieldType, among fields: Set<String>
  ) -> FieldRole? {
    guard isMirrored(recordType), field.hasPrefix(prefix) else { return nil }
    if field.hasSuffix(assetSuffix) { return .largeValue }
    let name = modelName(field)
    if isLink(recordType) {
      switch name {
      case "entityNames", "relationships": return .modelNames
      case "recordNames": return .recordNames
      default: return nil
      }
    }
    switch name {
    case "entityName": return .modelNames
    case "moveReceipt": return .moveReceipt
    default: break
    }
    // Only where the app made the full schema do fields of files say which texts are attributes.
    let isFull = fields.contains {
      $0.hasSuffix(assetSuffix) && !$0.hasPrefix(prefix + "moveReceipt")
    }
    return isFull && type.primitive == .string && !type.isList
      && !fields.contains(field + assetSuffix) ? .recordNameOrUUID : nil
  }
}
