/// The names that the language and the server define, and the rules for quoting names.
package enum SchemaNames {
  /// The roles of every container: the record's creator, any signed-in account, anyone.
  package static let builtInRoles: Set<String> = ["_creator", "_icloud", "_world"]

  /// The words that must be quoted when used as names, in any case (Apple).
  package static let reservedWords: Set<String> = [
    "grant", "preferred", "queryable", "searchable", "sortable",
  ]

  /// The names that fields cannot have. In predicates and CloudKit JS, they mean properties of the
  /// record, so values under them cannot be queried. (SQLiteData, "Avoid reserved CloudKit
  /// keywords": they "cannot be used as field names".)
  package static let reservedFieldNames: Set<String> = [
    "creationDate", "creatorUserRecordID", "etag", "lastModifiedUserRecordID", "modificationDate",
    "modifiedByDevice", "recordChangeTag", "recordID", "recordType",
  ]

  /// The record type of user records, which exists in every container.
  package static let usersType = "Users"

  /// The prefix of names that CloudKit manages, such as `cloudkit.share`.
  package static let managedPrefix = "cloudkit."

  /// The record types that CloudKit is known to manage.
  package static let managedTypes: Set<String> = ["cloudkit.share"]

  /// The maximum length of a field name in bytes: 255 (Apple, `CKRecord.h`: "maximum key length").
  /// Also used for record types and roles, for which no limit is reported.
  package static let maxLength = 255

  /// The maximum length of a name that is read, in bytes, so that no message becomes long.
  static let maxParsedLength = 4096

  /// Whether a name has the prefix of names that CloudKit manages.
  package static func isManaged(_ name: String) -> Bool {
    name.utf8.starts(with: managedPrefix.utf8)
  }

  /// Whether a name is a letter followed by letters, digits and underscores, all ASCII.
  package static func isPlain(_ name: String) -> Bool {
    var isFirst = true
    for byte in name.utf8 {
      let isLetter = isASCIILetter(byte)
      if !isLetter {
        let isDigitOrUnderscore = (48...57).contains(byte) || byte == UInt8(ascii: "_")
        if isFirst || !isDigitOrUnderscore { return false }
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Whether a name is a reserved word, in any case.
  package static func isReserved(_ name: String) -> Bool {
    // The lengths of the reserved words, to avoid lowercasing nearly every name.
    switch name.utf8.count {
    case 5, 8, 9, 10: reservedWords.contains(name.lowercased())
    default: false
    }
  }

  /// Whether the exporter writes the name in quotation marks.
  package static func needsQuotes(_ name: String) -> Bool {
    !isPlain(name) || isReserved(name)
  }

  static func isASCIILetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}
