#if canImport(CloudKit)
  import AppleFoundation
  import CloudKit
  import RecordModel

  extension CKQuery {
    /// Creates a query from one of RecordPack.
    ///
    /// - Throws: `CloudError` with `invalidArguments`: for a filter that no predicate of CloudKit
    ///   can express, for an order by the distance that begins with the farthest, and for an
    ///   invalid record type.
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
      let name = SystemField.predicateName(fieldName)
      guard let relativeLocation else { return NSSortDescriptor(key: name, ascending: ascending) }
      guard ascending else {
        throw CloudError(
          .invalidArguments, "CloudKit cannot sort by '\(fieldName)' with the farthest first")
      }
      return CKLocationSortDescriptor(key: name, relativeLocation: .init(relativeLocation))
    }
  }

  extension RecordQuery {
    /// Creates a query from the predicate of one of CloudKit, such as that of a subscription.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a predicate that CloudKit does not support.
    public init(recordType: String, predicate: NSPredicate) throws {
      do {
        let text = try PredicateText(predicate)
        let arguments = try text.arguments.map { argument in
          guard let value = RecordValue(argument) else {
            throw CloudError(
              .invalidArguments,
              "CloudKit cannot compare with a value of the class \(type(of: argument))")
          }
          return value
        }
        try self.init(recordType: recordType, predicate: text.format, arguments: arguments)
      } catch let error as CloudError {
        throw error
      } catch {
        throw CloudError(.invalidArguments, "\(error)")
      }
    }
  }

  /// The text of a predicate, and the values for its specifiers, as `NSPredicate(format:)` takes
  /// them.
  struct PredicateFormat {
    var text = ""
    var arguments: [Any] = []

    /// Creates the format of a query's filters.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express.
    init(_ filters: [QueryFilter]) throws {
      for filter in filters {
        if !text.isEmpty { text += " AND " }
        try add(filter)
      }
    }

    private mutating func add(_ filter: QueryFilter) throws {
      try QueryFieldName.check(filter.fieldName)
      guard filter.comparator.takes(filter.fieldValue),
        let value = try filter.fieldValue.object(withFilesIn: AssetFiles())
      else {
        throw CloudError(
          .invalidArguments,
          "a query cannot compare '\(filter.fieldName)' with a value of the type "
            + "\(filter.fieldValue.typeName) by \(filter.comparator.rawValue)")
      }
      guard let predicate = filter.predicate else {
        let problem =
          filter.comparator == .near
          ? "the filter of '\(filter.fieldName)' has no distance"
          : "no predicate of CloudKit is \(filter.comparator.rawValue)"
        throw CloudError(.invalidArguments, problem)
      }
      text += predicate.format
      arguments += predicate.arguments.map { argument in
        switch argument {
        case .name(let name): name
        case .value: value
        case .number(let number): NSNumber(value: number)
        }
      }
    }

    /// The predicate; true if there are no filters.
    var predicate: NSPredicate {
      text.isEmpty
        ? NSPredicate(value: true) : NSPredicate(format: text, argumentArray: arguments)
    }
  }

  extension QueryFilter.Comparator {
    /// Whether the comparison is with a value of this type. CloudKit raises an exception for some that
    /// are not.
    fileprivate func takes(_ value: RecordValue) -> Bool {
      switch self {
      case .near: value.type == .location
      case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith,
        .containsAllTokens, .containsAnyTokens:
        value.type == .string
      case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
        .notListContainsAll:
        value.elements != nil && !value.isOfAssets
      default: !value.isOfAssets
      }
    }
  }

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
