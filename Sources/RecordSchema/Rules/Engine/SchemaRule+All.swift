extension SchemaRule {
  /// All rules by category, in the order of the documentation.
  public static let all: [SchemaRule] = [
    // DEPLOY
    recordTypeRemoved, fieldRemoved, fieldTypeChanged, fieldEncryptionChanged,
    numberPreferenceChanged, systemFieldRetyped, systemFieldUnknown, managedTypeMissing,
    usersTypeMissing, roleRemoved, probableRename,
    // CLIENT
    indexRemoved, grantRemoved, recordTypeNotDeployed, fieldNotDeployed, fieldTypeMismatch,
    fieldEncryptionMismatch, indexNotDeployed, grantNotDeployed, roleNotDeployed,
    subscriptionTypeUnknown, subscriptionFieldUnknown, subscriptionFieldNotQueryable,
    subscriptionTypeNotIndexable,
    // SECURITY
    grantAdded, grantReadAdded,
    // DATA
    recordTypeUnknown, recordFieldUnknown, recordValueType, recordListMismatch,
    recordValueEncrypted, recordValuePlain, recordEncryptedUnsupported, recordEncryptedPublic,
    recordNameLength, recordNameCharacters, recordZoneName, recordTooLarge, recordLocationRange,
    // VALIDATE
    encryptedIndexed, searchableOnNonString, sortableOnList, indexOnAsset, reservedNameUnquoted,
    systemNameUnquoted, nameIllegal, nameTooLong, grantUndeclaredRole, duplicateType,
    duplicateField,
    duplicateOption, duplicateRole, duplicateGrant, tooManyFields, noGrant, syntaxUnverified,
    // LINT
    recordIDNotQueryable, numberTypeUsed, suppressionMalformed, suppressionUnused,
    // INFO
    recordTypeAdded, fieldAdded, roleAdded, indexAdded, grantExtended, numberPreferenceSet,
    productionDiffers,
  ]

  private static let byID = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the rule with an identifier, or `nil` if there is none.
  public static func named(_ id: ID) -> SchemaRule? { byID[id] }
}
