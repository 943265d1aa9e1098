#if canImport(CloudKit)
  import CloudKit
  import CoreLocation
  import Foundation
  import RecordCoding
  import RecordModel

  extension RecordValue {
    /// Creates a value from one of a `CKRecord`; nil if its class has no counterpart.
    ///
    /// An `NSNumber` is a double if it was made from a floating-point number, and otherwise an
    /// integer; one that does not fit into `Int64` has no counterpart. An empty array is
    /// `RecordValue.emptyList`: CloudKit does not tell its type. The files of assets are
    /// CloudKit's own.
    init?(_ value: Any) {
      guard let list = value as? NSArray else {
        self.init(scalar: value)
        return
      }
      self.init(foundationList: list.map { RecordValue(scalar: $0) })
    }

    private init?(scalar value: Any) {
      switch value {
      case let value as CKAsset: self = .asset(Asset(content: value.fileURL.map { .file($0) }))
      case let value as CKRecord.Reference: self = .reference(Reference(value))
      case let value as CLLocation: self = .location(Location(value))
      // Before the strings and dates: a number is never one of these.
      case let value as NSNumber:
        guard let number = value.recordValue else { return nil }
        self = number
      case let value as String: self = .string(value)
      case let value as Date: self = .timestamp(value)
      case let value as Data: self = .bytes(value)
      default: return nil
      }
    }

    /// Returns the object for a `CKRecord`; nil if there is none, as for an asset without content.
    ///
    /// - Parameter files: where the content of assets is, and is written to.
    func object(withFilesIn files: AssetFiles) throws -> (any CKRecordValue)? {
      guard let elements else { return try scalarObject(files) }
      let objects = try elements.compactMap { try $0.scalarObject(files) }
      return objects.count == elements.count ? NSArray(array: objects) : nil
    }

    private func scalarObject(_ files: AssetFiles) throws -> (any CKRecordValue)? {
      switch self {
      case .string(let value): NSString(string: value)
      case .int64(let value): NSNumber(value: value)
      case .double(let value): NSNumber(value: value)
      case .timestamp(let value):
        NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
      case .bytes(let value): NSData(data: value)
      case .location(let value): CLLocation(value)
      case .reference(let value): try CKRecord.Reference(checking: value)
      case .asset(let value): try value.file(in: files).map(CKAsset.init(fileURL:))
      default: nil
      }
    }
  }

  extension NSNumber {
    /// The number as a double or an integer; nil for an integer that does not fit.
    fileprivate var recordValue: RecordValue? {
      let type = UInt8(truncatingIfNeeded: objCType.pointee)
      if type == UInt8(ascii: "d") || type == UInt8(ascii: "f") { return .double(doubleValue) }
      let isTooLarge = type == UInt8(ascii: "Q") && uint64Value > UInt64(Int64.max)
      return isTooLarge ? nil : .int64(int64Value)
    }
  }

  extension Asset {
    /// The file with the content, written if the content is in memory; nil if there is no content.
    fileprivate func file(in files: AssetFiles) throws -> URL? {
      if case .data(let data) = content { return try files.write(data) }
      return files.fileURL(for: self)
    }

    /// Creates an asset from one of CloudKit, as a saved asset: with the SHA-256 and the size of its
    /// content.
    ///
    /// - Parameters:
    ///   - asset: The asset. One that was not downloaded has no file, and the result neither.
    ///   - files: The folder that the file is copied to, where ``AssetFiles/fileURL(for:)`` finds it.
    /// - Throws: The error of the file system.
    public init(_ asset: CKAsset, keepingFileIn files: AssetFiles = AssetFiles()) throws {
      self = try asset.fileURL.map { try files.keep($0) } ?? Asset(content: nil)
    }
  }

  extension Location {
    /// Creates a location from one of Core Location.
    public init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.verticalAccuracy, course: location.course,
        speed: location.speed, timestamp: location.timestamp)
    }
  }

  extension CLLocation {
    /// Creates a location from one of RecordPack.
    ///
    /// A property that is nil becomes what `CLLocation(latitude:longitude:)` sets, or what Core
    /// Location calls invalid: 0 for the altitude and the horizontal accuracy, -1 for the vertical
    /// accuracy, the course and the speed. A timestamp that is nil becomes the start of 1970.
    public convenience init(_ location: Location) {
      self.init(
        coordinate: CLLocationCoordinate2D(
          latitude: location.latitude, longitude: location.longitude),
        altitude: location.altitude ?? 0, horizontalAccuracy: location.horizontalAccuracy ?? 0,
        verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
        speed: location.speed ?? -1, timestamp: location.timestamp ?? Date(timeIntervalSince1970: 0)
      )
    }
  }
#endif
