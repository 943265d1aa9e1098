import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// Asks whether a record is to be deleted.
struct DeletionView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let (record, database) = try context.storedRecord()
    let location = RecordLocation(database, record.recordID)
    return context.editingPage(
      "Delete \(record.recordID.recordName)",
      trail: context.trail(database, record.recordID.zoneID),
      """
      <p>This deletes the record of type <bdi>\(record.recordType)</bdi>, and the records that refer to it \
      with the action DELETE_SELF.</p>
      \(context.deletionForm(
        record, in: database, "Delete the record",
        cancel: context.link(to: location.recordID, in: database)))
      """)
  }
}

extension ConsoleRequest {
  /// Returns the record that the address names.
  func storedRecord() throws -> (ResultRecord, DatabaseScope) {
    let (database, zoneID) = (try database(), try zoneID())
    guard let name = value("name") else {
      throw WebError(.badRequest, "the address names no record")
    }
    let recordID = RecordID(recordName: name, zoneID: zoneID)
    guard let record = try store.snapshot({ try $0.record(for: recordID, in: database) }) else {
      throw WebError(.notFound, "there is no such record")
    }
    return (record, database)
  }

  /// The input with the user as whom a form acts. The cookie may be that of another page by then.
  var actorInput: HTML { Self.plainInput("as", actor.choice) }

  /// - Parameter cancel: the path of the page before; nil for a form on that page.
  func deletionForm(
    _ record: ResultRecord, in database: DatabaseScope, _ words: String, cancel: String? = nil
  ) -> HTML {
    let cancel: HTML? = cancel.map { "<a class=\"button plain\" href=\"\($0)\">Cancel</a>" }
    let tag: HTML? = record.recordChangeTag.map { Self.plainInput("tag", $0) }
    return """
      <form method="post" action="\(path(of: .deleteRecord))">\(actorInput)\
      \(Self.plainInput("record", RecordLocation(database, record.recordID).formText))\(tag)
      <button class="danger">\(words)</button>\(cancel)</form>
      """
  }
}

/// Creates and deletes zones.
struct ZonesView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let zones = try context.source.zones().map { ZoneLocation($0.database, $0.zone.zoneID) }
      .filter { $0.database == .private && !$0.zoneID.isDefault }
    let records = Dictionary(
      try context.source.sections().map { (ZoneLocation($0.database, $0.zoneID), $0.records) },
      uniquingKeysWith: +)
    // The server would reject what the actor does with the zones of others.
    let options = zones.filter(context.actor.owns).prefix(500).map { zone -> HTML in
      "<option value=\"\(zone.formText)\">\(zone.zoneID.zoneName)</option>"
    }
    let rows = zones.prefix(500).map { zone -> HTML in
      let items = context.items(zone.database, zone.zoneID)
      let links: HTML? =
        context.actor.owns(zone)
        ? """
        <a href="\(context.link(.edit, items))">New record</a> \
        <a href="\(context.link(.sharing, items))">Share the zone</a>
        """ : nil
      return """
        <tr><td><a href="\(context.link(.records, items))">\(ConsoleRequest.words(zone.zoneID))</a></td>\
        <td class="number">\(Numbers.grouped(records[zone] ?? 0))</td>\
        <td class="links">\(links)</td></tr>
        """
    }
    let list: HTML =
      rows.isEmpty
      ? ConsoleRequest.empty("There is no zone besides the default zone.")
      : HTML.table(
        "Zones",
        head: [
          "<th>Zone</th>", "<th class=\"number\">Records</th>",
          "<th><span class=\"hidden\">Actions</span></th>",
        ], rows: rows)
    let deletion: HTML? =
      options.isEmpty
      ? nil
      : """
      <h2>Delete a zone</h2>
      <form method="post" action="\(context.path(of: .zone))">\(context.actorInput)\
      \(ConsoleRequest.plainInput("operation", "delete"))
      <label>Zone<select name="zone">\(options)</select></label>
      <label class="check"><input type="checkbox" name="confirmed" value="1" required>\
      With all its records</label>
      <button class="danger">Delete</button></form>
      """
    return context.editingPage(
      "Zones",
      """
      <p>Acting as \(context.actor.words). <a href="\(context.link(.users))">Act as another user</a></p>
      \(list)
      <h2>Create a zone</h2>
      <form method="post" action="\(context.path(of: .zone))">\(context.actorInput)\
      \(ConsoleRequest.plainInput("operation", "create"))
      <label>Name<input name="name" required maxlength="255" autocomplete="off" spellcheck="false">\
      </label>
      <button>Create</button></form>
      \(deletion)
      """)
  }
}

/// Chooses the user as whom changes are made, and adds users.
struct UsersView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let info = try context.store.info()
    let current = info.currentUserRecordName ?? ZoneID.currentUserOwnerName
    let others = info.accounts.filter { !$0.userRecordName.sameScalars(as: current) }
    let names = [current] + others.prefix(500).map(\.userRecordName)
    let rows = names.map { name -> HTML in
      let account = info.accounts.first { $0.userRecordName.sameScalars(as: name) }
      let parts = [account?.nameComponents?.givenName, account?.nameComponents?.familyName]
      let badge: HTML? = name == current ? " <span class=\"badge\">signed in</span>" : nil
      return """
        <tr><td><bdi>\(name)</bdi>\(badge)</td>\
        <td><bdi>\(parts.compactMap(\.self).joined(separator: " "))</bdi></td>\
        <td><bdi>\(account?.lookupInfo?.emailAddress ?? account?.lookupInfo?.phoneNumber ?? "")</bdi></td>\
        <td>\(choice(ConsoleActor(name.percentEncoded, in: context.served)))</td></tr>
        """
    }
    let nobody = ConsoleActor(ConsoleActor.nobody, in: context.served)
    let head: [HTML] =
      ["Record name", "Name", "Address"].map { "<th>\($0)</th>" }
      + ["<th><span class=\"hidden\">Act as</span></th>"]
    return context.editingPage(
      "Users",
      """
      <p>Acting as \(context.actor.words): forms of the console send their requests as this user.</p>
      \(HTML.table(
        "Users", head: head,
        rows: rows + ["<tr><td>nobody, signed out</td><td></td><td></td><td>\(choice(nobody))</td></tr>"]))
      \(addition)
      """)
  }

  private func choice(_ actor: ConsoleActor) -> HTML {
    if actor == context.actor { return "<span class=\"badge filled added\">acting</span>" }
    return """
      <form method="post" action="\(context.path(of: .actAs))">\
      \(ConsoleRequest.plainInput("as", actor.choice))\
      <button class="plain" aria-label="Act as \(actor.title)">Act as</button></form>
      """
  }

  private var addition: HTML {
    let inputs = [
      ("user", "Record name", true), ("givenName", "Given name", false),
      ("familyName", "Family name", false), ("email", "E-mail address", false),
      ("phone", "Telephone number", false),
    ].map { name, words, isRequired -> HTML in
      """
      <label>\(words)<input name="\(name)" autocomplete="off" spellcheck="false"\
      \("required", if: isRequired)></label>
      """
    }
    return """
      <h2>Add a user</h2>
      <form method="post" action="\(context.path(of: .addUser))">
      \(inputs)
      <button>Add</button></form>
      """
  }
}

/// Shares a record or a zone, and changes what participants may do.
struct SharingView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let zone = ZoneLocation(try context.database(), try context.zoneID())
    let record: ResultRecord? = context.value("name") == nil ? nil : try context.storedRecord().0
    var shareID = RecordID(recordName: Share.zoneWideRecordName, zoneID: zone.zoneID)
    if let record { shareID = record.isShare ? record.recordID : record.share?.recordID ?? shareID }
    let isOfRecord = record?.isShare == true || record?.share != nil
    let share =
      record == nil || isOfRecord
      ? try context.store.snapshot { try $0.record(for: shareID, in: zone.database) } : nil
    let title = record?.recordID.recordName ?? zone.zoneID.zoneName
    return context.editingPage(
      "Sharing of \(title)", trail: context.trail(zone.database, zone.zoneID),
      """
      <p>Acting as \(context.actor.words). <a href="\(context.link(.users))">Act as another user</a></p>
      \(share.map { changes($0, zone.database) } ?? creation(record, zone))
      """)
  }

  // MARK: Creating

  private func creation(_ record: ResultRecord?, _ zone: ZoneLocation) -> HTML {
    let root: HTML? = record.map {
      ConsoleRequest.plainInput("record", RecordLocation(zone.database, $0.recordID).formText)
    }
    let tag: HTML? = record?.recordChangeTag.map { ConsoleRequest.plainInput("tag", $0) }
    return """
      <h2>\(record == nil ? "Share the zone" : "Share the record")</h2>
      <form method="post" action="\(context.path(of: .share))">\(context.actorInput)\
      \(ConsoleRequest.plainInput("operation", "create"))\
      \(ConsoleRequest.plainInput("zone", zone.formText))\(root)\(tag)
      <label>Title<input name="title" autocomplete="off"></label>
      \(permission("public", "Everyone who has the link", selected: "NONE"))
      \(invitee)
      <button>Share</button></form>
      """
  }

  private var invitee: HTML {
    let names = ((try? context.store.info().accounts) ?? []).map(\.userRecordName)
    let options = names.prefix(500).map { "<option value=\"\(HTML(editable: $0))\">" as HTML }
    return """
      <label>User to invite, by record name<input name="user" list="users" autocomplete="off" \
      spellcheck="false"><datalist id="users">\(options)</datalist></label>
      <label>or by e-mail address<input name="email" autocomplete="off" spellcheck="false"></label>
      \(permission("permission", "The user's permission", selected: "READ_WRITE", from: 1))
      """
  }

  private func permission(
    _ name: String, _ words: String, selected: String, from first: Int = 0
  ) -> HTML {
    let options = ["NONE", "READ_ONLY", "READ_WRITE"].dropFirst(first).map { word -> HTML in
      "<option\("selected", if: word == selected)>\(word)</option>"
    }
    return "<label>\(words)<select name=\"\(name)\">\(options)</select></label>"
  }

  // MARK: Changing

  private func changes(_ share: ResultRecord, _ database: DatabaseScope) -> HTML {
    let info = share.shareInfo
    let location = RecordLocation(database, share.recordID)
    let isOwner = context.actor.owns(location.zone)
    func form(_ operation: String, _ content: HTML) -> HTML {
      """
      <form method="post" action="\(context.path(of: .share))">\(context.actorInput)\
      \(ConsoleRequest.plainInput("operation", operation))\
      \(ConsoleRequest.plainInput("share", location.formText))
      \(content)</form>
      """
    }
    let others = (info?.participants ?? []).filter { $0.role != .owner }
    let options = others.compactMap { participant -> HTML? in
      guard let id = (try? participant.jsonValue())?.participantID else { return nil }
      let identity = participant.userIdentity
      let name =
        identity.knownRecordName ?? identity.lookupInfo?.emailAddress
        ?? identity.lookupInfo?.phoneNumber ?? id
      return "<option value=\"\(HTML(editable: id))\">\(name)</option>"
    }
    let participant: HTML =
      "<label>Participant<select name=\"participant\">\(options)</select></label>"
    let existing: HTML? =
      options.isEmpty
      ? nil
      : """
      <h2>Change a participant</h2>
      \(form("permission", "\(participant)\(permission("permission", "Permission", selected: "READ_ONLY", from: 1))<button>Change</button>"))
      \(form("remove", "\(participant)<button class=\"plain\">Remove</button>"))
      """
    let link: HTML? = info?.shortGUID.map { guid in
      """
      <h2>Join</h2>
      \(form("accept", "\(ConsoleRequest.plainInput("link", guid))<button>Accept as \(context.actor.words)</button>"))
      """
    }
    return """
      \(ShareView(context: context, database: database).participants(of: share))
      \(link)
      <h2>Invite a user</h2>
      \(form("invite", "\(invitee)<button>Invite</button>"))
      \(existing)
      <h2>Everyone who has the link</h2>
      \(form("public", "\(permission("public", "Permission", selected: info?.publicPermission.rawValue ?? "NONE"))<button>Change</button>"))
      <h2>\(isOwner ? "Stop sharing" : "Leave")</h2>
      \(context.deletionForm(share, in: database, isOwner ? "Stop sharing" : "Leave the share"))
      """
  }
}

/// Finds records for a reference: by their names, and by their first texts.
struct ReferenceSearch {
  let context: ConsoleRequest

  /// The number of records that are found, and of those that are searched.
  private static let maxFound = 20
  private static let maxSearched = 5_000
  /// The number of characters of a title.
  private static let maxTitle = 80

  func response() throws -> WebResponse {
    try context.requireEditing()
    guard let text = context.value("in") else {
      throw WebError(.badRequest, "the address names no zone")
    }
    let zone = try ZoneLocation(formText: text)
    let wanted = (context.value("text") ?? "").lowercased()
    var found: [JSONValue] = []
    var searched = 0
    let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    try context.source.readRecords(filter) { record, _ in
      searched += 1
      let title = Self.title(of: record)
      let name = record.recordID.recordName
      if !record.isShare,
        wanted.isEmpty || name.lowercased().contains(wanted)
          || title.lowercased().contains(wanted)
      {
        found.append(
          .object([
            .init("name", .string(name)), .init("type", .string(record.recordType)),
            .init("title", .string(title)),
          ]))
      }
      return found.count < Self.maxFound && searched < Self.maxSearched
    }
    return WebResponse(json: .object([.init("records", .array(found))]))
  }

  /// The first text of a record that is not encrypted.
  private static func title(of record: ResultRecord) -> String {
    for field in record.fields where !field.isEncrypted {
      if case .string(let text) = field.value, !text.isEmpty {
        return String(text.prefix(maxTitle))
      }
    }
    return ""
  }
}
