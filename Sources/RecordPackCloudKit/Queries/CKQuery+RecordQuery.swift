#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CKQuery {
    /// Creates a query from one of RecordPack.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express, for an order by the distance that begins with the farthest, and for an invalid
    ///   record type.
    public convenience init(_ query: RecordQuery) throws {
      try RecordLimits.cloudKit.check(recordType: query.recordType)
      self.init(
        recordType: query.recordType, predicate: try PredicateFormat(query.filters).predicate)
      sortDescriptors = query.sort.isEmpty ? nil : try query.sort.map { try $0.descriptor() }
    }
  }

  extension QuerySort {
    fileprivate func descriptor() throws -> NSSortDescriptor {
      try QueryFieldName.check(fieldName)
      let name = SystemFieldNames.predicateName(fieldName)
      guard let relativeLocation else { return NSSortDescriptor(key: name, ascending: ascending) }
      guard ascending else {
        throw CloudError(
          .invalidArguments, "CloudKit cannot sort by '\(fieldName)' with the farthest first")
      }
      return CKLocationSortDescriptor(key: name, relativeLocation: .init(relativeLocation))
    }
  }
#endif
