extension SchemaRule {
  static let recordTypeUnknown = SchemaRule(
    id: "RECORD_TYPE_UNKNOWN", category: .data, defaultSeverity: .error,
    title: "Records have a type that the schema does not have",
    effect: """
      Production rejects such records: "Cannot create new type Todo in production schema". The \
      development environment creates the type when the first record of it is saved.
      """,
    remedy: """
      Add the record type to the schema and deploy it, or omit these records. This also applies to \
      cloudkit.share, which is created with the first share in development.
      """,
    evidence: [.productionRejection],
    check: .data(hint: "deploy the record type, or omit these records"))

  static let recordFieldUnknown = SchemaRule(
    id: "RECORD_FIELD_UNKNOWN", category: .data, defaultSeverity: .error,
    title: "Records have a field that the schema does not have",
    effect: """
      Production rejects the whole record: "Cannot create or modify field 'order' in record 'Todo' \
      in production schema". The development environment creates the field when its first value is \
      saved, unless that is an empty list, whose element type is unknown.
      """,
    remedy: "Add the field to the schema and deploy it before the app that writes it ships.",
    evidence: [.productionRejection],
    check: .data(hint: "deploy the field, or do not write it"))

  static let recordValueType = SchemaRule(
    id: "RECORD_VALUE_TYPE", category: .data, defaultSeverity: .error,
    title: "Records have values of a different type than the field",
    effect: """
      The server rejects the record: "invalid attempt to set value type STRING for field 'owner' \
      for type 'Todo', defined to be: REFERENCE". A NUMBER field accepts integers and doubles.
      """,
    remedy: "Save values of the schema's type, or use a new field for the new type.",
    evidence: [.server("users report the message for a STRING in a REFERENCE field")],
    check: .data(hint: "use the field's type, or a new field"))

  static let recordListMismatch = SchemaRule(
    id: "RECORD_LIST_MISMATCH", category: .data, defaultSeverity: .error,
    title: "Records have a list in a field for a single value, or vice versa",
    effect: """
      A list has a different type than its elements, and an empty list is a list too. The server \
      rejects the record with "invalid attempt to set value type STRING_LIST for field 'tags' for \
      type 'Todo', defined to be: STRING".
      """,
    remedy: "Save values of the schema's type, or use a new field for the other type.",
    evidence: [
      .inference("the message for other types; the names of lists are those of Web Services")
    ],
    check: .data(hint: "use the schema's type, or a new field"))

  static let recordValueEncrypted = SchemaRule(
    id: "RECORD_VALUE_ENCRYPTED", category: .data, defaultSeverity: .error,
    title: "Records have encrypted values in a field that is not encrypted",
    effect: """
      The server rejects the record: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: """
      Save the field as a plain value, or use a new field for encrypted values: an existing field \
      cannot become encrypted.
      """,
    evidence: [.encryptedValues, .server("\(mistKitIssue) quotes the message")],
    check: .data(hint: "write it as a plain value, or use a new ENCRYPTED field"))

  static let recordValuePlain = SchemaRule(
    id: "RECORD_VALUE_PLAIN", category: .data, defaultSeverity: .error,
    title: "Records have plain values in an encrypted field",
    effect: """
      The server rejects the record: "invalid attempt to set value type STRING for field 'text' \
      for type 'Note', defined to be: ENCRYPTED_STRING".
      """,
    remedy: "Save the field through encryptedValues.",
    evidence: [
      .encryptedValues,
      .server("\(mistKitIssue) quotes the message for other types of one field"),
    ],
    check: .data(hint: "write it through encryptedValues"))

  static let recordEncryptedUnsupported = SchemaRule(
    id: "RECORD_ENCRYPTED_UNSUPPORTED", category: .data, defaultSeverity: .error,
    title: "Records have references or assets in their encrypted values",
    effect: """
      CloudKit does not support encrypted references, because the server must follow them, and \
      always encrypts assets. CKRecord raises an exception for either in encryptedValues.
      """,
    remedy: "Write references and assets as plain values.",
    evidence: [.encryptionSample, .textSchemaPage],
    check: .data(hint: "write it as a plain value"))

  static let recordEncryptedPublic = SchemaRule(
    id: "RECORD_ENCRYPTED_PUBLIC", category: .data, defaultSeverity: .error,
    title: "Records of the public database have encrypted values",
    effect: """
      The keys of encrypted values belong to a user account, and the public database does not \
      belong to one, so it has no encrypted values.
      """,
    remedy: "Save these values as plain values, or save the records to a private database.",
    evidence: [.encryptingUserData],
    check: .data(hint: "write it as a plain value, or save the record to a private database"))

  static let recordNameLength = SchemaRule(
    id: "RECORD_NAME_LENGTH", category: .data, defaultSeverity: .error,
    title: "Records have an empty name, or one of more than 255 characters",
    effect: """
      A record name has 1 to 255 characters. CKRecord.ID raises an exception for an empty name, \
      and servers reject a longer one.
      """,
    remedy: "Use a shorter record name, such as a UUID, and store the long name in a field.",
    evidence: [
      .recordNames, .apple("CKRecordID.h: \"Record names must be 255 characters or less\""),
    ],
    check: .data(hint: "give it a name of 1 to 255 characters"))

  static let recordNameCharacters = SchemaRule(
    id: "RECORD_NAME_CHARACTERS", category: .data, defaultSeverity: .warning,
    title: "Records have names with characters other than ASCII, or with a leading underscore",
    effect: """
      Apple's documentation allows only ASCII, and reserves names that begin with an underscore \
      for the server, which uses them for user records. The framework's header says that most \
      UTF-8 characters are valid. The server's behavior has not been reported, hence a warning.
      """,
    remedy: "Use a UUID or other ASCII characters, and store the former name in a field.",
    evidence: [
      .recordNames, .apple("CKRecordID.h: \"Most UTF-8 characters are valid\""),
      .corpus("real responses have names that begin with an underscore in one type of Apple's own"),
    ],
    check: .data(hint: "use an ASCII name that does not begin with an underscore"))

  static let recordZoneName = SchemaRule(
    id: "RECORD_ZONE_NAME", category: .data, defaultSeverity: .error,
    title: "Records are in a zone with an invalid name",
    effect: """
      A zone name has 1 to 255 characters, all ASCII. A zone with another name cannot be created, \
      so its records cannot be saved.
      """,
    remedy: "Give the zone another name.",
    evidence: [
      .apple("CKRecordZoneID.h: \"Zone names must be 255 characters or less\""),
      .inference("that only ASCII is allowed, as Apple says of record names"),
    ],
    check: .data(hint: "give the zone another name"))

  static let recordTooLarge = SchemaRule(
    id: "RECORD_TOO_LARGE", category: .data, defaultSeverity: .error,
    title: "Records have more than 1 MB of values",
    effect: """
      A record can have up to 1 MB of values, not including assets. RecordPack adds the sizes of \
      names and values: strings in UTF-8, numbers and dates as 8 bytes. The server's exact \
      calculation is unknown, so records close to the limit may be misjudged.
      """,
    remedy: "Move large values to an asset or to separate records.",
    evidence: [
      .apple(
        "\(webServicesReference), \"Data Size Limits\": maximum record size (not "
          + "including Asset fields) 1 MB")
    ],
    check: .data(hint: "move large values to an asset"))

  static let recordLocationRange = SchemaRule(
    id: "RECORD_LOCATION_RANGE", category: .data, defaultSeverity: .error,
    title: "Records have a location with invalid coordinates",
    effect: """
      A latitude is within -90 to 90 degrees, a longitude within -180 to 180. CLLocation accepts \
      other numbers and considers them invalid; the server's response has not been reported.
      """,
    remedy: "Save no value if the location is unknown.",
    evidence: [
      .apple(
        "CLLocationCoordinate2DIsValid: a coordinate is invalid beyond 90 degrees of latitude or "
          + "180 of longitude"),
      .inference("that the server rejects what Core Location considers invalid"),
    ],
    check: .data(hint: "save no value if the location is unknown"))

  static let relationshipDangling = SchemaRule(
    id: "RELATIONSHIP_DANGLING", category: .data, defaultSeverity: .error,
    title: "Relationships of Core Data's objects lead to missing objects",
    effect: """
      Core Data stores a to-one relationship as the name of a record. A link of a many-to-many \
      relationship is a record of the type CDMR with the names of both objects. The server accepts \
      names of missing records. The relationship is then empty on every device: an app that \
      unwraps it crashes.
      """,
    remedy: """
      Add the missing objects. If you cut the records out of a larger source, use \
      recordpack fixture extract, which follows relationships. Else remove the value or the link.
      """,
    evidence: [
      .apple("\(coreDataRecords): relationships are names of records, and CDMR"),
      .community(
        "[kado issue 54](https://github.com/scastiel/kado/issues/54): an app unwraps a relationship "
          + "whose object is missing"),
      .inference(
        "a field is a relationship if some of its values name objects of the zone, or if it is "
          + "called like an entity"),
    ],
    check: .data(hint: "add the missing objects, or remove the relationship"))
}
