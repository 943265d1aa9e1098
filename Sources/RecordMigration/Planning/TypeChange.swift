import RecordModel
import RecordSchema

/// The change of a field's type, and what it requires.
///
/// Ignores encryption, which is changed by separate steps.
struct TypeChange {
  let from: CloudSchema.FieldType
  let to: CloudSchema.FieldType
  let values: FieldStatistics.Field?

  /// - Parameter values: The statistics of the values.
  init(from: CloudSchema.FieldType, to: CloudSchema.FieldType, values: FieldStatistics.Field? = nil)
  {
    self.from = from
    self.values = values.flatMap { $0.count > 0 ? $0 : nil }
    guard to.primitive == .number, !to.shape.accepts(from.shape) else {
      self.to = to
      return
    }
    let isWhole = self.values.map { $0.integers == $0.count } ?? false
    let primitive: CloudSchema.Primitive =
      switch from.primitive {
      case .int64, .double: from.primitive
      default: isWhole ? .int64 : .double
      }
    self.to = to.ofPlans(preferring: primitive)
  }

  /// Whether values can stay unchanged.
  var isNone: Bool { from.isList == to.isList && to.shape.accepts(from.shape) }

  /// The similarity of the types, from 0 (no conversion exists) to 1 (the same type, or values that
  /// show the intent).
  var nearness: Double {
    guard isPossible else { return 0 }
    if isNone { return from.isEncrypted == to.isEncrypted ? 1 : 0.95 }
    if from.primitive == to.primitive { return 0.9 }
    guard fit > 0 else { return 0 }
    if let values, fit * 10 >= values.count * 9, isTelling { return 1 }
    return isNatural ? 0.875 : 0.625
  }

  /// Whether a `convert` step exists for the change.
  var isPossible: Bool {
    from.valueTypes.contains { old in to.valueTypes.contains(where: old.canBecome) }
  }

  /// Whether apps often change between these types.
  private var isNatural: Bool {
    switch (from.primitive, to.primitive) {
    case (.bytes, .asset), (.asset, .bytes), (.reference, .string), (.string, .reference),
      (.int64, .double), (.double, .int64), (.number, _), (_, .number):
      true
    default: false
    }
  }

  /// Whether values that fit the new type are evidence for the change.
  private var isTelling: Bool {
    from.primitive == .string && [.int64, .double, .timestamp].contains(to.primitive)
  }

  /// Whether some values may not be convertible.
  var mayFail: Bool {
    if from.isList, !to.isList { return true }
    switch (from.primitive, to.primitive) {
    case _ where isNone || from.primitive == to.primitive: return false
    case (.bytes, .asset), (.string, .bytes), (.int64, .string), (.double, .string),
      (.number, .string), (.timestamp, .string), (.timestamp, .double), (.int64, .number),
      (.double, .number):
      return false
    default: return true
    }
  }

  /// The number of sampled values that can be converted, or 1 without a sample.
  var fit: Int { min(listFit ?? .max, primitiveFit ?? .max, values?.count ?? 1) }

  private var listFit: Int? { from.isList && !to.isList ? values?.singleElementLists : nil }

  private var primitiveFit: Int? {
    switch (from.primitive, to.primitive) {
    case _ where from.primitive == to.primitive: nil
    case (.string, .int64), (.double, .int64), (.number, .int64): values?.integers
    case (.timestamp, .int64) where dateFormat == "seconds": values?.integers
    case (.string, .double): values?.numbers
    case (.string, .timestamp): values?.dates
    case (.bytes, .string): values?.strings
    case (.reference, .string): values?.sameZoneReferences
    default: nil
    }
  }

  /// The relevant statistics as a phrase: `5 of 6 values are integers`.
  var facts: String? {
    guard let values else { return nil }
    var facts: [String] = []
    if let listFit { facts.append("\(listFit) of \(values.count) values are lists of one element") }
    if let primitiveFit {
      let word =
        switch (from.primitive, to.primitive) {
        case (.timestamp, .int64): "are full seconds"
        case (_, .int64): "are integers"
        case (_, .double): "are numbers"
        case (_, .timestamp): "are ISO 8601 dates"
        case (.bytes, _): "are UTF-8 strings"
        default: "lead to records in the same zone"
        }
      facts.append("\(primitiveFit) of \(values.count) values \(word)")
    }
    if facts.isEmpty {
      facts.append(
        values.count == 1 ? "1 record has a value" : "\(values.count) records have a value")
    }
    return facts.joined(separator: ", ")
  }

  /// The `format` of a conversion between dates and other types, or `nil` for other conversions.
  var dateFormat: String? {
    switch (from.primitive, to.primitive) {
    case (.string, .timestamp), (.timestamp, .string): return "iso8601"
    case (.timestamp, .int64), (.timestamp, .double): return "seconds"
    case (.int64, .timestamp), (.double, .timestamp), (.number, .timestamp):
      // CloudKit dates from 2014, so the magnitude distinguishes seconds since 1970 from seconds
      // since 2001.
      guard let bounds = values?.bounds else { return "seconds" }
      switch max(abs(bounds.lowerBound), abs(bounds.upperBound)) {
      case 1e11...: return "milliseconds"
      case 3e8..<1.2e9: return "reference-seconds"
      default: return "seconds"
      }
    default: return nil
    }
  }

  /// Whether listing the values helps to decide: some do not fit, or each may stand for a name.
  var isWorthListing: Bool {
    guard let values else { return false }
    if fit < values.count { return true }
    return to.primitive == .string && [.int64, .double, .number].contains(from.primitive)
  }

  /// Whether the strings are names for numbers: all distinct values are known, and none is a
  /// number.
  var isNaming: Bool {
    guard let values, from.primitive == .string, !from.isList, !to.isList,
      to.primitive == .int64 || to.primitive == .double
    else { return false }
    return !values.hasManyValues && values.numbers == 0
  }
}

extension CloudSchema.FieldType {
  /// The types of single values that a field of this type can have.
  fileprivate var valueTypes: [ValueType] {
    primitive == .number
      ? [.int64, .double] : [ValueType(rawValue: primitive.rawValue)].compactMap { $0 }
  }

  /// Returns the type as used in plans, which have INT64 and DOUBLE instead of NUMBER.
  func ofPlans(preferring number: CloudSchema.Primitive = .double) -> CloudSchema.FieldType {
    guard primitive == .number else { return self }
    let own: CloudSchema.Primitive =
      switch numberPreference {
      case .int64: .int64
      case .double: .double
      case nil: number
      }
    return CloudSchema.FieldType(own, isList: isList)
  }
}
