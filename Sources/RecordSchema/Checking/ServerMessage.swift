/// The exact messages of the server, as reported by users.
package enum ServerMessage {
  /// A record of a type that production does not have was saved.
  package static func cannotCreateType(_ type: String) -> String {
    "Cannot create new type \(type) in production schema"
  }

  /// A record with a field that production does not have was saved.
  package static func cannotCreateField(_ field: String, in type: String) -> String {
    "Cannot create or modify field '\(field)' in record '\(type)' in production schema"
  }

  /// A value of a different type than the schema's was saved.
  package static func invalidValueType(
    _ found: String, for field: String, in type: String, definedAs defined: String
  ) -> String {
    "invalid attempt to set value type \(found) for field '\(field)' for type '\(type)', "
      + "defined to be: \(defined)"
  }

  /// A query compared a field without a `QUERYABLE` index.
  package static func notQueryable(_ field: String) -> String {
    "Field '\(field)' is not marked queryable"
  }

  /// A query without a predicate on a type whose `___recordID` has no `QUERYABLE` index.
  package static func typeNotIndexable(_ type: String) -> String {
    "Type is not marked indexable: \(type)"
  }

  /// In development, the first value of a field was an empty list (EVCloudKitDao issue 35).
  package static func emptyListInNewField(_ field: String, in type: String) -> String {
    "cannot use an empty list to initialize a new field (field '\(field)' in record type '\(type)' "
      + "should be more precise)"
  }

  /// A server-to-server call saved a field that the schema does not have (seen by MistKit).
  package static func fieldNotFound(_ field: String, in type: String) -> String {
    "Field \(field) not found in \(type)"
  }

  /// A type that the schema does not have (scout issue 254).
  package static func typeNotFound(_ type: String) -> String {
    "Did not find record type: \(type)"
  }

  /// No role of the user has a permission on a record of the public database (EVCloudKitDao issues
  /// 13 and 87).
  package static func notPermitted(_ permission: CloudSchema.Permissions) -> String {
    "\(permission) operation not permitted"
  }

  /// An encrypted value was saved to a plain field.
  package static let encryptedIntoPlain =
    "Attempt to save encrypted data in non encrypted field type"
}

/// Phrases for messages.
package enum Phrase {
  static func role(_ name: String) -> String {
    switch name {
    case "_world": "anyone (_world)"
    case "_icloud": "any signed-in account (_icloud)"
    case "_creator": "the record's creator (_creator)"
    default: "the role '\(name)'"
    }
  }

  /// Returns a list as a phrase: `A`, `A and B`, `A, B and C`.
  package static func list(_ items: [String], _ conjunction: String = "and") -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  static func field(_ field: CloudSchema.Field) -> String {
    let options = field.options.isEmpty ? "" : " " + field.options.description
    return "'\(field.name)' (\(field.type)\(options))"
  }

  /// Returns a number with a noun in singular or plural: `3 fields`, `1 field`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  static func isOpenToMany(_ role: String) -> Bool { role == "_world" || role == "_icloud" }
}
