import RecordModel
import RecordPages

/// The user as whom somebody sees and changes a container in the console.
struct ConsoleActor: Hashable {
  /// The record name of the user; nil for nobody, who is signed out.
  let name: String?
  /// Whether views show the whole container, in place of what the user sees.
  let isWhole: Bool
  /// The record name of the container's signed-in user; nil if the container does not know it.
  private let signedInUser: String?

  /// - Parameter choice: an encoded choice; nil for the signed-in user, also for one that is unknown.
  init(_ choice: String?, in served: WebContainer, isWhole: Bool = false) {
    let seesAll = choice?.hasPrefix(Self.whole) ?? false
    self.isWhole = isWhole || seesAll
    let user = choice.map { seesAll ? String($0.dropFirst(Self.whole.count)) : $0 }
    signedInUser = (try? served.container.store.info())?.currentUserRecordName
    let named = user?.percentDecoded ?? ""
    let isKnown = user != nil && (try? served.hasUser(named)) == true
    name =
      user == Self.nobody
      ? nil : isKnown ? named : signedInUser ?? ZoneID.currentUserOwnerName
  }

  /// The choice of nobody. No encoded record name has this character.
  static let nobody = "!"

  /// The beginning of a choice with the whole container.
  private static let whole = "*"

  /// The choice as a cookie or a form has it: the places in a form are those of its views.
  var choice: String { (isWhole ? Self.whole : "") + userChoice }

  /// The choice of the user with the other views.
  var otherChoice: String { (isWhole ? "" : Self.whole) + userChoice }

  private var userChoice: String { name.map(\.percentEncoded) ?? Self.nobody }

  var words: HTML { isSignedInUser || name == nil ? "\(title)" : "<bdi>\(title)</bdi>" }

  /// The words for an attribute, which cannot have elements.
  var title: String { isSignedInUser ? "the signed-in user" : name ?? "nobody" }

  var isSignedInUser: Bool {
    name.map { isSame($0, ZoneID.currentUserOwnerName) || isSame($0, signedInUser) } ?? false
  }

  private func isSame(_ a: String, _ b: String?) -> Bool { b.map(a.sameScalars) ?? false }

  // MARK: Zones

  /// Whether a zone of a private database is the actor's own.
  func owns(_ zone: ZoneLocation) -> Bool {
    guard zone.database == .private, let name else { return false }
    guard isWhole else { return true }
    let owner = zone.zoneID.ownerName
    let isOfSignedInUser =
      isSame(owner, ZoneID.currentUserOwnerName) || isSame(owner, signedInUser)
    return isSignedInUser ? isOfSignedInUser : isSame(owner, name)
  }

  /// Returns the database and identifier by which the actor reaches a zone of the container: zones of
  /// others are in the shared database.
  func reach(_ zone: ZoneLocation) -> ZoneLocation {
    guard isWhole, zone.database == .private else { return zone }
    let zoneName = zone.zoneID.zoneName
    if owns(zone) || name == nil {
      return ZoneLocation(.private, ZoneID(zoneName: zoneName))
    }
    return ZoneLocation(.shared, visible(zone.zoneID))
  }

  /// Returns the identifier by which the actor names a zone of the container.
  func visible(_ zoneID: ZoneID) -> ZoneID {
    guard isWhole else { return zoneID }
    if owns(ZoneLocation(.private, zoneID)) { return ZoneID(zoneName: zoneID.zoneName) }
    guard isSame(zoneID.ownerName, ZoneID.currentUserOwnerName), let signedInUser else {
      return zoneID
    }
    return ZoneID(zoneName: zoneID.zoneName, ownerName: signedInUser)
  }

  /// Returns the place in the container of a new zone of the actor.
  func ownZone(_ zoneName: String) -> ZoneLocation {
    let owner =
      isSignedInUser || !isWhole ? ZoneID.currentUserOwnerName : name ?? ZoneID.currentUserOwnerName
    return ZoneLocation(.private, ZoneID(zoneName: zoneName, ownerName: owner))
  }
}

extension ConsoleActor {
  /// The cookie with the choice, which holds for the views of one container.
  static let cookieName = "console-actor"

  init(_ request: WebRequest, in served: WebContainer, isWhole: Bool) {
    let prefix = Self.cookieName + "="
    let cookies = request.headers["Cookie"]?.split(separator: ";").map { $0.drop { $0 == " " } }
    let choice = cookies?.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
    self.init(choice.map(String.init), in: served, isWhole: isWhole)
  }

  /// The header that keeps the choice.
  func setCookie(for container: PageContainerName) -> String {
    "\(Self.cookieName)=\(choice); Path=\(container.path); HttpOnly; SameSite=Strict"
  }
}
