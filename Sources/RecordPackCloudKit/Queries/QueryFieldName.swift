#if canImport(CloudKit)
  import RecordModel

  /// The names of fields in queries.
  enum QueryFieldName {
    /// Checks a name that a predicate or a sort descriptor is made of. Foundation or CloudKit raises
    /// an exception for one that is not valid, and takes one with a dot for a path to another record.
    ///
    /// - Throws: `CloudError` with `invalidArguments`.
    static func check(_ name: String) throws {
      // The names of system fields.
      let field = name.hasPrefix("___") ? String(name.dropFirst(3)) : name
      let anyRecord = RecordID(recordName: "any")
      let isValid = (try? RecordLimits.cloudKit.check(fieldName: field, in: anyRecord)) != nil
      guard isValid, !field.contains(".") else {
        throw CloudError(.invalidArguments, "no field that a query can have is named '\(name)'")
      }
    }
  }
#endif
