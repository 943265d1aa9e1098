import Synchronization

/// The identity of a record zone: its name and its owner (`CKRecordZone.ID`).
///
/// ```swift
/// let chats = ZoneID(zoneName: "Chats")  // in the databases of the signed-in user
/// let shared = ZoneID(zoneName: "Chats", ownerName: "_kenji")  // a zone that Kenji shares
/// let id = RecordID(recordName: "hiking", zoneID: shared)
/// ```
///
/// Copies share storage: the size of a zone identifier is one pointer. Copies of the default zone, in
/// which the users are that each record names, and of those that readers meet first
/// (`shared()`) do not even count references.
public struct ZoneID: Sendable {
  /// The owner name of the signed-in user's zones, `__defaultOwner__` (`CKCurrentUserDefaultName`).
  public static let currentUserOwnerName = "__defaultOwner__"
  /// The name of the default zone, `_defaultZone` (`CKRecordZone.ID.defaultZoneName`).
  public static let defaultZoneName = "_defaultZone"
  /// The default zone of the signed-in user.
  public static var `default`: ZoneID { ZoneID(storage: .shared(SharedZones.defaultPlace)) }

  private enum Storage: Sendable {
    /// The place among the shared zones.
    case shared(UInt16)
    case own(ZoneNames)
  }

  private let storage: Storage

  private init(storage: Storage) { self.storage = storage }

  /// Creates an identifier, without checking it (see ``RecordLimits``).
  public init(zoneName: String, ownerName: String = ZoneID.currentUserOwnerName) {
    let isDefault =
      zoneName.sameScalars(as: Self.defaultZoneName)
      && ownerName.sameScalars(as: Self.currentUserOwnerName)
    storage =
      isDefault
      ? .shared(SharedZones.defaultPlace)
      : .own(ZoneNames(zoneName: zoneName, ownerName: ownerName))
  }

  /// Returns an equal identifier whose copies count no references, if there is room for one more.
  ///
  /// For zones of which many identifiers are made. Threads that count the references to the same
  /// object slow each other down.
  package func shared() -> ZoneID {
    guard case .own(let names) = storage, let place = SharedZones.all.place(of: names) else {
      return self
    }
    return ZoneID(storage: .shared(place))
  }

  private var names: ZoneNames {
    switch storage {
    case .shared(let place): SharedZones.all[place]
    case .own(let names): names
    }
  }

  /// Creates an identifier from `NAME` or `NAME/OWNER`, or returns `nil` for a slash with an empty
  /// part.
  package init?(argument: String) {
    guard let slash = argument.lastIndex(of: "/") else {
      self.init(zoneName: argument)
      return
    }
    let (name, owner) = (argument[..<slash], argument[argument.index(after: slash)...])
    guard !name.isEmpty, !owner.isEmpty else { return nil }
    self.init(zoneName: String(name), ownerName: String(owner))
  }

  /// Creates the identifier of a known zone whose whole name the argument is, for a name may contain
  /// a slash; otherwise that of ``init(argument:)``.
  package init?(argument: String, isKnown: (ZoneID) throws -> Bool) rethrows {
    if argument.contains("/") {
      let whole = ZoneID(zoneName: argument)
      if try isKnown(whole) {
        self = whole
        return
      }
    }
    self.init(argument: argument)
  }

  /// The name of the zone: 1 to 255 ASCII characters.
  public var zoneName: String { names.zoneName }

  /// The record name of the user who owns the zone, or ``currentUserOwnerName``.
  public var ownerName: String { names.ownerName }

  /// Whether this is a default zone, which has no change feed, atomic saves or shares.
  public var isDefault: Bool { zoneName.sameScalars(as: Self.defaultZoneName) }

  /// Whether both share storage: a fast check that implies equality.
  package func isIdentical(to other: ZoneID) -> Bool {
    switch (storage, other.storage) {
    case (.shared(let place), .shared(let otherPlace)): place == otherPlace
    case (.own(let names), .own(let otherNames)): names === otherNames
    default: false
    }
  }
}

extension ZoneID: Hashable {
  /// Whether name and owner have the same Unicode scalars.
  public static func == (lhs: ZoneID, rhs: ZoneID) -> Bool {
    // A zone has one place among the shared ones.
    if case (.shared(let place), .shared(let other)) = (lhs.storage, rhs.storage) {
      return place == other
    }
    return lhs.isIdentical(to: rhs) || lhs.names == rhs.names
  }

  /// Hashes the name and the owner.
  public func hash(into hasher: inout Hasher) {
    zoneName.hashScalars(into: &hasher)
    ownerName.hashScalars(into: &hasher)
  }
}

extension ZoneID: Comparable {
  /// Orders zones as in a bundle: by the UTF-8 bytes of the owner, then of the name, so that the
  /// zones of an account are adjacent.
  public static func < (lhs: ZoneID, rhs: ZoneID) -> Bool {
    let order = compareUTF8(lhs.ownerName, rhs.ownerName)
    return order != 0 ? order < 0 : compareUTF8(lhs.zoneName, rhs.zoneName) < 0
  }
}

extension ZoneID: CustomStringConvertible {
  /// `zoneName` for the signed-in user's zones, `zoneName/ownerName` for others.
  public var description: String {
    ownerName == Self.currentUserOwnerName ? zoneName : "\(zoneName)/\(ownerName)"
  }
}

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
