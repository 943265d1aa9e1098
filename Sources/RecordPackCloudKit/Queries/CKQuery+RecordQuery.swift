#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CKQuery {
    /// Creates a query from one of RecordPack.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express, and for an invalid record type.
    public convenience init(_ query: RecordQuery) throws {
      try RecordLimits.cloudKit.check(recordType: query.recordType)
      self.init(
        recordType: query.recordType, predicate: try PredicateFormat(query.filters).predicate)
      sortDescriptors = query.sort.isEmpty ? nil : query.sort.map(\.descriptor)
    }
  }

  extension QuerySort {
    fileprivate var descriptor: NSSortDescriptor {
      let name = SystemFieldNames.predicateName(fieldName)
      guard let relativeLocation else { return NSSortDescriptor(key: name, ascending: ascending) }
      return CKLocationSortDescriptor(key: name, relativeLocation: .init(relativeLocation))
    }
  }
#endif
