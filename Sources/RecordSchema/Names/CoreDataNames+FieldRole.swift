import RecordModel

extension CoreDataNames {
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
    if isLink(recordType) {
      switch field {
      case linkEntitiesField, linkRelationshipsField: return .modelNames
      case linkRecordsField: return .recordNames
      default: return nil
      }
    }
    switch field {
    case entityNameField: return .modelNames
    case moveReceiptField: return .moveReceipt
    default: break
    }
    // Only where the app made the full schema do fields of files say which texts are attributes.
    let isFull = fields.contains {
      $0.hasSuffix(assetSuffix) && !$0.hasPrefix(moveReceiptField)
    }
    return isFull && type.primitive == .string && !type.isList
      && !fields.contains(assetField(of: field)) ? .recordNameOrUUID : nil
  }
}
