/// What names the language and the server know, and when a name must be quoted.
public enum SchemaNames {
  /// The roles that every container has: the record's creator, any signed-in account, anyone.
  public static let builtInRoles: Set<String> = ["_creator", "_icloud", "_world"]

  /// Words that a name may only be in quotation marks, in any case of letters (Apple).
  public static let reservedWords: Set<String> = [
    "grant", "preferred", "queryable", "searchable", "sortable",
  ]

  /// The record type of user records, which every container has.
  public static let usersType = "Users"

  /// How the names begin that CloudKit manages itself, such as `cloudkit.share`.
  public static let managedPrefix = "cloudkit."

  /// The record types that CloudKit is known to manage itself.
  public static let managedTypes: Set<String> = ["cloudkit.share"]

  /// The longest name of a field in bytes, and as nobody reports another number, of a record type
  /// and a role: 255 (Apple, `CKRecord.h`: "maximum key length").
  public static let maximumLength = 255

  /// Whether a name begins as those that CloudKit manages itself.
  public static func isManaged(_ name: String) -> Bool {
    name.utf8.starts(with: managedPrefix.utf8)
  }

  /// True for a letter followed by letters, digits and underscores, all ASCII.
  public static func isPlain(_ name: String) -> Bool {
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

  /// True for a reserved word in any case of letters.
  public static func isReserved(_ name: String) -> Bool {
    // The lengths of the reserved words: spares lowercasing nearly every name.
    switch name.utf8.count {
    case 5, 8, 9, 10: reservedWords.contains(name.lowercased())
    default: false
    }
  }

  /// True where the exporter writes the name in quotation marks.
  public static func needsQuotes(_ name: String) -> Bool {
    !isPlain(name) || isReserved(name)
  }

  static func isASCIILetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}
