/// The exact messages of the server, as reported by users.
public enum ServerMessage {
  /// A record of a type that production does not have was saved.
  public static func cannotCreateType(_ type: String) -> String {
    "Cannot create new type \(type) in production schema"
  }

  /// A record with a field that production does not have was saved.
  public static func cannotCreateField(_ field: String, in type: String) -> String {
    "Cannot create or modify field '\(field)' in record '\(type)' in production schema"
  }

  /// A value of a different type than the schema's was saved.
  public static func invalidValueType(
    _ found: String, for field: String, in type: String, definedAs defined: String
  ) -> String {
    "invalid attempt to set value type \(found) for field '\(field)' for type '\(type)', "
      + "defined to be: \(defined)"
  }

  /// A query compared a field without a `QUERYABLE` index.
  public static func notQueryable(_ field: String) -> String {
    "Field '\(field)' is not marked queryable"
  }

  /// A query without a predicate on a type whose `___recordID` has no `QUERYABLE` index.
  public static func typeNotIndexable(_ type: String) -> String {
    "Type is not marked indexable: \(type)"
  }

  /// An encrypted value was saved to a plain field.
  public static let encryptedIntoPlain =
    "Attempt to save encrypted data in non encrypted field type"
}
