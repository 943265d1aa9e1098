import Synchronization

/// The names of a zone and its owner.
final class ZoneNames: Sendable, Equatable {
  static let `default` = ZoneNames(
    zoneName: ZoneID.defaultZoneName, ownerName: ZoneID.currentUserOwnerName)

  let zoneName: String
  let ownerName: String

  init(zoneName: String, ownerName: String) {
    self.zoneName = zoneName
    self.ownerName = ownerName
  }

  /// Whether name and owner have the same Unicode scalars.
  static func == (lhs: ZoneNames, rhs: ZoneNames) -> Bool {
    lhs.zoneName.sameScalars(as: rhs.zoneName) && lhs.ownerName.sameScalars(as: rhs.ownerName)
  }
}

/// Zones that live as long as the process, so that their identifiers are numbers. Each zone has one.
///
/// There are few of them, and none with long names: what untrusted bytes name does not fill memory.
///
/// `Sendable` is unchecked: a place is written once, under the lock, before anyone has its number.
final class SharedZones: @unchecked Sendable {
  static let all = SharedZones()
  /// The place of the default zone.
  static let defaultPlace: UInt16 = 0
  static let capacity = 64
  /// The longest name that CloudKit allows, in bytes.
  static let maxNameLength = 255

  private let names = UnsafeMutablePointer<ZoneNames>.allocate(capacity: SharedZones.capacity)
  /// The number of zones.
  private let count = Mutex(1)

  init() { names.initialize(to: .default) }

  deinit {
    names.deinitialize(count: count.withLock { $0 })
    names.deallocate()
  }

  /// The names of a zone.
  ///
  /// - Parameter place: what ``place(of:)`` returned.
  subscript(place: UInt16) -> ZoneNames { names[Int(place)] }

  /// Returns the place of a zone, which is added if it is new; nil if there is no room for it.
  func place(of zone: ZoneNames) -> UInt16? {
    count.withLock { count in
      for place in 0..<count where names[place] == zone { return UInt16(place) }
      guard count < Self.capacity, zone.zoneName.utf8.count <= Self.maxNameLength,
        zone.ownerName.utf8.count <= Self.maxNameLength
      else { return nil }
      (names + count).initialize(to: zone)
      count += 1
      return UInt16(count - 1)
    }
  }
}
