import Foundation
import RecordModel

extension RecordValue {
  /// - Throws: `CKError`: `invalidArguments` for an object that CloudKit does not store.
  init(_ object: Any) throws {
    switch object {
    case let value as CKRecord.Reference: self = .reference(Reference(value))
    case let value as CKAsset: self = .asset(try Asset(value))
    case let value as CLLocation: self = .location(Location(value))
    // The order matters: Foundation converts between Swift's values and its own.
    case let value as NSArray: self = try .list(value.map { try RecordValue($0) })
    case let value as [Any]: self = try .list(value.map { try RecordValue($0) })
    case let value as NSString: self = .string(String(value))
    case let value as String: self = .string(value)
    case let value as NSDate: self = .timestamp(value as Date)
    case let value as Date: self = .timestamp(value)
    case let value as NSData: self = .bytes(value as Data)
    case let value as Data: self = .bytes(value)
    case let value as NSNumber: self = try .number(value)
    case let value as Bool: self = .int64(value ? 1 : 0)
    case let value as Double: self = .double(value)
    case let value as Float: self = .double(Double(value))
    case let value as any BinaryInteger: self = try .number(NSNumber(value: Int64(value)))
    default: throw CKError.invalid("\(Swift.type(of: object)) is not a type of CloudKit")
    }
  }

  private static func number(_ number: NSNumber) throws -> RecordValue {
    switch String(cString: number.objCType) {
    case "d", "f": return .double(number.doubleValue)
    default:
      guard let value = Int64(exactly: number) else {
        throw CKError.invalid("\(number) does not fit into 64 bits with a sign")
      }
      return .int64(value)
    }
  }

  static func list(_ elements: [RecordValue]) throws -> RecordValue {
    guard let first = elements.first else { return .emptyList }
    func all<T>(_ part: (RecordValue) -> T?) throws -> [T] {
      try elements.map { element in
        if let value = part(element) { return value }
        throw CKError.invalid(
          "a list has elements of one type, not \(first.typeName) and \(element.typeName)")
      }
    }
    switch first {
    case .string:
      return .stringList(try all { if case .string(let value) = $0 { value } else { nil } })
    case .int64, .double:
      // A list of numbers is one of doubles if any element is.
      if elements.contains(where: { $0.type == .double }) {
        return .doubleList(try all(\.double))
      }
      return .int64List(try all { if case .int64(let value) = $0 { value } else { nil } })
    case .timestamp:
      return .timestampList(try all { if case .timestamp(let value) = $0 { value } else { nil } })
    case .bytes:
      return .bytesList(try all { if case .bytes(let value) = $0 { value } else { nil } })
    case .location:
      return .locationList(try all { if case .location(let value) = $0 { value } else { nil } })
    case .reference:
      return .referenceList(try all { if case .reference(let value) = $0 { value } else { nil } })
    case .asset:
      return .assetList(try all { if case .asset(let value) = $0 { value } else { nil } })
    default: throw CKError.invalid("a list cannot contain lists")
    }
  }

  private var double: Double? {
    switch self {
    case .double(let value): value
    case .int64(let value): Double(value)
    default: nil
    }
  }
}

extension Asset {
  init(_ asset: CKAsset) throws {
    guard let file = asset.fileURL else {
      throw CKError(.assetFileNotFound, userInfo: [NSLocalizedDescriptionKey: "no file"])
    }
    self.init(fileURL: file)
  }
}

extension Location {
  init(_ location: CLLocation) {
    self.init(
      latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
      altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
      verticalAccuracy: location.verticalAccuracy, course: location.course,
      speed: location.speed, timestamp: location.timestamp)
  }
}

extension CLLocation {
  /// Properties that the server did not send have the values of
  /// `init(latitude:longitude:)`.
  convenience init(_ location: Location) {
    self.init(
      coordinate: CLLocationCoordinate2D(
        latitude: location.latitude, longitude: location.longitude),
      altitude: location.altitude ?? 0, horizontalAccuracy: location.horizontalAccuracy ?? 0,
      verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
      speed: location.speed ?? -1,
      timestamp: location.timestamp ?? Date(timeIntervalSinceReferenceDate: 0))
  }
}
