import RecordCoding
import RecordModel
import RecordPages
import RecordStore

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
