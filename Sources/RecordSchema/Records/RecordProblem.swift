import RecordModel

/// A reason for the production server to reject a record.
public struct RecordProblem: Sendable, Hashable, CustomStringConvertible {
  /// The violated rule. Look it up with ``SchemaRule/named(_:)``.
  public var rule: SchemaRule.ID
  /// The record's type.
  @ExactText public var recordType: String
  /// The affected field, if any.
  @ExactText public var field: String?
  /// A description of the problem.
  public var message: String
  /// The exact message of the server, if users have reported it.
  public var serverMessage: String?

  init(
    _ rule: SchemaRule, _ recordType: String, field: String? = nil, _ message: String,
    serverMessage: String? = nil
  ) {
    self.rule = rule.id
    _recordType = ExactText(wrappedValue: recordType)
    _field = ExactText(wrappedValue: field)
    self.message = message
    self.serverMessage = serverMessage
  }

  /// The description of the problem, with the server's message if known.
  public var description: String {
    message + (serverMessage.map { "; the server says: \"\($0)\"" } ?? "")
  }
}

/// The limits of CloudKit that production applies whatever the schema is: names, sizes and values.
extension RecordProblem {
  /// Returns the violated limits of a record.
  static func limits(of record: ResultRecord) -> [RecordProblem] {
    let storage = record.storage
    let isSmall = storage.withCanonicalBytes { $0.count <= smallRecord } ?? false
    let fields = (0..<storage.fieldCount).lazy.filter {
      !isSmall || hasLimits(storage.valueType(at: $0))
    }.map { storage.field(at: $0) }
    return limits(of: storage.recordID, storage.recordType, fields)
  }

  /// Returns the violated limits of a record.
  ///
  /// - Parameter fields: The fields. Those without limits of their own can be omitted if the record
  ///   is known to be small.
  static func limits(
    of recordID: RecordID, _ type: String, _ fields: some Sequence<Field>
  ) -> [RecordProblem] {
    inNames(of: recordID, type) + inValues(fields, type)
  }

  private static func inNames(of recordID: RecordID, _ type: String) -> [RecordProblem] {
    let limits = RecordLimits.cloudKit
    let (name, zoneID) = (recordID.recordName.utf8, recordID.zoneID)
    var problems: [RecordProblem] = []
    if !(1...limits.recordNameLength ~= name.count) {
      problems.append(
        RecordProblem(
          .recordNameLength, type,
          "a record of '\(type)' has an empty name, or one of more than "
            + "\(limits.recordNameLength) characters"))
    }
    // CloudKit assigns user records names that begin with an underscore.
    let isReserved =
      name.first == UInt8(ascii: "_") && type.utf8.first != UInt8(ascii: "_")
      && type != SchemaNames.usersType
    if isReserved || !name.allSatisfy(isPrintableASCII) {
      problems.append(
        RecordProblem(
          .recordNameCharacters, type,
          "a record of '\(type)' has a name with characters that are not printable ASCII, or with an "
            + "underscore at its start"))
    }
    let zoneName = zoneID.zoneName.utf8
    let isZoneValid =
      zoneID == .default
      || 1...limits.zoneNameLength ~= zoneName.count && zoneName.allSatisfy(isPrintableASCII)
    if !isZoneValid {
      problems.append(
        RecordProblem(
          .recordZoneName, type,
          "a record of '\(type)' is in a zone whose name is empty, has more than "
            + "\(limits.zoneNameLength) characters, or characters that are not printable ASCII"))
    }
    return problems
  }

  private static func isPrintableASCII(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }

  /// A record whose text is at most this many bytes cannot exceed the size limit: in its shortest
  /// form, a list of numbers, a value takes a quarter of the bytes that it counts.
  private static let smallRecord = RecordLimits.cloudKit.recordSize / 4

  /// Returns whether values of a type have limits of their own.
  private static func hasLimits(_ type: ValueType?) -> Bool {
    type == .location || type == .locationList
  }

  private static func inValues(_ fields: some Sequence<Field>, _ type: String) -> [RecordProblem] {
    var problems: [RecordProblem] = []
    var size = 0
    for field in fields {
      size += field.name.utf8.count + field.value.approximateSize
      if !isOnGlobe(field.value) {
        problems.append(
          RecordProblem(
            .recordLocationRange, type, field: field.name,
            "'\(field.name)' of '\(type)' has a location whose latitude is not within -90...90 "
              + "or whose longitude is not within -180...180 degrees"))
      }
    }
    let limit = RecordLimits.cloudKit.recordSize
    if size > limit {
      problems.append(
        RecordProblem(
          .recordTooLarge, type, "a record of '\(type)' has more than \(limit) bytes of values"))
    }
    return problems
  }

  /// Whether all locations in a value have valid coordinates. NaN is invalid.
  private static func isOnGlobe(_ value: RecordValue) -> Bool {
    func isOnGlobe(_ place: Location) -> Bool {
      -90...90 ~= place.latitude && -180...180 ~= place.longitude
    }
    switch value {
    case .location(let place): return isOnGlobe(place)
    case .locationList(let places): return places.allSatisfy(isOnGlobe)
    default: return true
    }
  }
}
