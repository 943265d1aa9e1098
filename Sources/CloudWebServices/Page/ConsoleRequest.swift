import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// A request for a view of the console, and the parts that views have in common.
struct ConsoleRequest {
  let handler: WebServicesHandler
  let served: WebContainer
  let view: PageView
  /// The names and values of the query.
  var items: [(name: String, value: String)]
  /// The scheme and host under which the browser reaches the page.
  let baseURL: String
  /// The user as whom the container is seen and changed.
  private(set) var actor: ConsoleActor
  /// The contents that the user sees; nil for views of the whole container.
  private var copy: AccountCopy?
  /// Whether the page responds to a form. Its address shows nothing that could be kept up to date.
  var isForm = false

  /// Creates a request for a view, which can show contents after ``refresh(waits:)``.
  init(
    _ handler: WebServicesHandler, _ served: WebContainer, _ view: PageView,
    _ request: WebRequest, baseURL: String
  ) {
    self.handler = handler
    self.served = served
    self.view = view
    items = request.queryItems.map { Self.decoded($0.name, $0.value) }
    self.baseURL = baseURL
    actor = ConsoleActor(request, in: served, isWhole: handler.page == .alone)
    copy = copy(for: actor)
  }

  /// Sees and changes the container as a user; see ``refresh(waits:)``.
  mutating func act(as actor: ConsoleActor, waits: Bool = true) throws {
    self.actor = actor
    copy = copy(for: actor)
    try refresh(waits: waits)
  }

  private func copy(for actor: ConsoleActor) -> AccountCopy? {
    // No name means that nobody is signed in.
    actor.isWhole
      ? nil : handler.copies.value([name.path, actor.name]) { AccountCopy(of: actor.name) }
  }

  /// Reads what has changed since the request came.
  ///
  /// - Parameter waits: whether the request waits where all that the user sees must be read.
  /// - Throws: ``UnfinishedCopy`` if it does not wait, and that takes long; `ContainerStoreError` if the
  ///   contents cannot be read.
  func refresh(waits: Bool = true) throws {
    guard let copy else { return }
    let (container, background) = (served.container, handler.background)
    let store = container.store
    // As long as indexes are made, all shares or records are read.
    if let missing = try store.missingParticipants() {
      _ = try background.make(missing, in: store)
    }
    // A container in memory has one connection. An update that failed is tried again here, for its error.
    if !waits, store.path != nil, !copy.hasFailed, try copy.readsAll(of: container),
      try store.hasRecords(moreThan: ContainerWork.maxRecords)
    {
      // One after the other: each reads the whole container.
      try background.make(container, on: store) {
        try? copy.update(from: container) { background.isEnding }
      }
      guard try copy.hasFailed || !copy.readsAll(of: container) else { throw UnfinishedCopy() }
    }
    try copy.update(from: container) { background.isEnding }
    for missing in try copy.missingIndexes(in: store) {
      _ = try background.make(missing, in: store)
    }
  }

  var name: PageContainerName { PageContainerName(served) }
  /// The contents that views show.
  var store: ContainerStore { copy?.store ?? served.container.store }
  /// Whether views show less than the container has.
  var isPart: Bool { copy.map { $0.isPart || !$0.isMade } ?? false }
  /// Whether the contents that the user sees were read.
  var isRead: Bool { copy?.isMade ?? true }
  /// Whether the container has records that views do not show.
  var hidesRecords: Bool { copy?.store != nil }
  /// The number of damaged records that a view of a part does not show.
  var damaged: Int { copy?.damaged ?? 0 }

  /// The version of the contents: while it is the same, so are results.
  func version() throws -> ContentVersion {
    try store.snapshot { try $0.version() }
  }

  /// Returns the place in the container of a record that a view shows.
  ///
  /// - Parameter isOwn: whether it is nil for a record that another user shares.
  func location(of record: RecordLocation, isOwn: Bool = false) -> RecordLocation? {
    copy == nil ? record : copy?.location(of: record, isOwn: isOwn)
  }

  /// Returns what a deletion takes, which tells only of records that views show; nil for a record that they
  /// do not show.
  func removal(of record: RecordLocation, keepsContent: Bool) throws -> Removal? {
    try location(of: record).map { record in
      try served.container.removal(of: record, keepsContent: keepsContent) {
        try copy?.sees($0) ?? true
      }
    }
  }

  /// Returns a record of the container as the views show it.
  func seen(_ record: ResultRecord, in database: DatabaseScope) -> ResultRecord {
    copy?.seen(record, in: database) ?? record
  }

  /// Whether views show what a user has sent or received.
  func shows(_ user: String?) -> Bool {
    guard isPart else { return true }
    let other = ConsoleActor(user?.percentEncoded ?? ConsoleActor.nobody, in: served)
    return other.name == actor.name || other.isSignedInUser && actor.isSignedInUser
  }

  /// Whether the user may add records to a zone of the views, as far as shares say it.
  func canWrite(in zone: ZoneLocation) throws -> Bool {
    guard !actor.isWhole else { return true }
    guard actor.name != nil else { return false }
    guard isPart, zone.database == .shared else { return true }
    return try store.snapshot { snapshot in
      try snapshot.recordIDs(ofType: Share.recordType, in: zone.zoneID, of: .shared).contains {
        let share = try snapshot.record(for: $0, in: .shared)?.shareInfo
        return share?.currentUserParticipant?.permission == .readWrite
      }
    }
  }

  var source: ArchiveSource { .container(store) }

  /// Returns the zones that views show.
  func zones() throws -> [ZoneLocation] {
    try source.zones().map { ZoneLocation($0.database, $0.zone.zoneID) }
  }

  /// The metadata of the container, without that of other users for a part.
  func info() throws -> ContainerInfo {
    var info = try store.info()
    if isPart { (info.accounts, info.otherMembers) = ([], []) }
    return info
  }

  /// Whether the page has forms that change something.
  var hasActions: Bool { handler.page == .withServices && handler.admin != nil }

  /// The value of a query's item; nil if it is not there or empty.
  func value(_ name: String) -> String? {
    items.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The inputs that a form sends along, except those without a value.
  ///
  /// Forms lose control characters and change line breaks. A value with such characters is
  /// percent-encoded, under a name that says so.
  static func hidden(_ inputs: [(String, String?)]) -> HTML {
    .joined(
      inputs.compactMap { name, value in
        value.map { value in
          let isPlain = HTML.isExact(value)
          return """
            <input type="hidden" name="\(isPlain ? name : name + encodedSuffix)" \
            value="\(isPlain ? value : value.percentEncoded)">
            """
        }
      })
  }

  private static let encodedSuffix = "-encoded"

  /// Returns the name and value of an input, decoded if ``hidden(_:)`` encoded it.
  static func decoded(_ name: String, _ value: String) -> (name: String, value: String) {
    guard name.hasSuffix(encodedSuffix), let value = value.percentDecoded else {
      return (name, value)
    }
    return (String(name.dropLast(encodedSuffix.count)), value)
  }

  // MARK: Encrypted values

  static let disclosureName = "encrypted"

  /// Whether somebody has asked for encrypted values.
  var showsEncrypted: Bool { value(Self.disclosureName) == "shown" }
  var disclosure: RecordDisclosure { RecordDisclosure(showEncrypted: showsEncrypted) }
  var fieldText: FieldText { FieldText(showEncrypted: showsEncrypted) }

  /// A covered value.
  static let covered: HTML = "<span class=\"covered\">encrypted</span>"

  /// A link that shows or covers the encrypted values of this view.
  var disclosureLink: HTML {
    let words: HTML = showsEncrypted ? "Cover encrypted values" : "Show encrypted values"
    return link(words, setting: Self.disclosureName, to: showsEncrypted ? nil : "shown")
  }

  /// A link to this view with another value of an item; nil for none.
  func link(_ words: HTML, setting name: String, to value: String?) -> HTML {
    let others = items.filter { $0.name != name }.map { ($0.name, Optional($0.value)) }
    return "<a href=\"\(link(view, others + [(name, value)]))\">\(words)</a>"
  }

  // MARK: Long values

  private static let allName = "long"

  /// Whether long values are shown whole.
  var showsAll: Bool { value(Self.allName) == "shown" }

  /// A link that shows the long values of this view whole.
  var allLink: HTML { link("Show long values", setting: Self.allName, to: "shown") }

  // MARK: Links

  /// Returns the path of a view, with a query of those items that have a value.
  func link(_ view: PageView, _ items: [(String, String?)] = []) -> String {
    let query = items.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
    let path = "\(name.path)/\(view.rawValue)"
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }

  /// The path to which a form sends what it does.
  func path(of action: PageAction) -> String { "\(name.path)/actions/\(action.rawValue)" }

  /// The items that name a zone and, in it, the records of a type.
  func items(_ zone: ZoneLocation, type: String? = nil) -> [(String, String?)] {
    let owner = zone.zoneID.ownerName
    return [
      ("database", zone.database.rawValue), ("zone", zone.zoneID.zoneName),
      ("owner", owner == ZoneID.currentUserOwnerName ? nil : owner), ("type", type),
    ]
  }

  func link(to recordID: RecordID, in database: DatabaseScope) -> String {
    link(
      .record,
      items(ZoneLocation(database, recordID.zoneID)) + [
        ("name", recordID.recordName), (Self.disclosureName, showsEncrypted ? "shown" : nil),
      ])
  }

  /// A link to a record, which may not be there.
  func anchor(_ recordID: RecordID, in database: DatabaseScope) -> HTML {
    "<a href=\"\(link(to: recordID, in: database))\"><bdi>\(recordID.recordName)</bdi></a>"
  }

  /// Returns the zone that the query names.
  func zone() throws -> ZoneLocation {
    guard let database = value("database").flatMap(DatabaseScope.init) else {
      throw WebError(.badRequest, "the address names no database")
    }
    guard let name = value("zone") else {
      throw WebError(.badRequest, "the address names no zone")
    }
    let owner = value("owner") ?? ZoneID.currentUserOwnerName
    return ZoneLocation(database, ZoneID(zoneName: name, ownerName: owner))
  }

  /// Returns the place of the record that the query names.
  func location() throws -> RecordLocation {
    let zone = try zone()
    guard let name = value("name") else {
      throw WebError(.badRequest, "the address names no record")
    }
    return RecordLocation(zone.database, RecordID(recordName: name, zoneID: zone.zoneID))
  }

  /// Returns a record that views show; nil for none.
  func record(at location: RecordLocation) throws -> ResultRecord? {
    try store.snapshot { try $0.record(for: location.recordID, in: location.database) }
  }

  /// Returns the record that the query names.
  func storedRecord() throws -> (ResultRecord, DatabaseScope) {
    let location = try location()
    guard let record = try record(at: location) else {
      throw WebError(.notFound, "there is no such record")
    }
    return (record, location.database)
  }

  // MARK: Words

  /// A zone in words, with its owner where that is not the signed-in user.
  static func words(_ zoneID: ZoneID) -> HTML {
    let owner: HTML? =
      zoneID.ownerName == ZoneID.currentUserOwnerName
      ? nil : " <span class=\"quiet\">of <bdi>\(zoneID.ownerName)</bdi></span>"
    return "<bdi>\(zoneID.zoneName)</bdi>\(owner)"
  }

  static func words(_ date: Date?) -> HTML {
    guard let date else { return .empty }
    // CloudKit's dates have milliseconds; what happens here has more.
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let rounded = Date(timeIntervalSince1970: milliseconds / 1000)
    return "<time datetime=\"\(date.isoText)\">\(rounded.inWords)</time>"
  }

  /// The time of a day, for what has just happened.
  static func time(_ date: Date) -> HTML {
    let time = date.isoText.split(separator: "T").last?.prefix(8) ?? ""
    return "<time datetime=\"\(date.isoText)\" title=\"\(date.inWords)\">\(String(time)) UTC</time>"
  }
}

/// The server still reads all that a user sees.
struct UnfinishedCopy: Error, CustomStringConvertible {
  var description: String { "a copy of what this user sees" }
}

extension PageView {
  /// The view with a link of its own that leads to this one; nil for a view with such a link.
  var parent: PageView? {
    switch self {
    case .records, .record, .edit, .delete, .export, .sharing, .search: .overview
    default: nil
    }
  }

  var title: String {
    rawValue.capitalized
  }
}

extension ConsoleRequest {
  /// A choice with its label.
  ///
  /// - Parameter none: the words for no value; nil where one is always chosen.
  static func select(
    _ name: String, _ label: HTML, none: String? = nil, _ choices: [(String, String)],
    selected: String? = nil
  ) -> HTML {
    let options = ((none.map { [("", $0)] } ?? []) + choices).map { value, words -> HTML in
      let isSelected = selected?.sameScalars(as: value) == true
      return """
        <option value="\(HTML(editable: value))"\("selected", if: isSelected)>\(words)</option>
        """
    }
    return "<label>\(label)<select name=\"\(name)\">\(options)</select></label>"
  }
}
