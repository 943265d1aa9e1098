import RecordCoding
import RecordModel
import RecordPages

/// Shares a record or a zone, and changes what participants may do.
struct SharingView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    let zone = try context.zone()
    let record: ResultRecord? = context.value("name") == nil ? nil : try context.storedRecord().0
    var shareID = zone.zoneID.zoneWideShare
    if let record { shareID = record.isShare ? record.recordID : record.share?.recordID ?? shareID }
    let isOfRecord = record?.isShare == true || record?.share != nil
    let share =
      record == nil || isOfRecord
      ? try context.record(at: RecordLocation(zone.database, shareID)) : nil
    let title =
      record.flatMap { $0.isShare ? context.title(of: $0) : nil } ?? record?.recordID.recordName
      ?? zone.zoneID.zoneName
    return context.editingPage(
      "Sharing of \(title)", trail: context.trail(zone),
      """
      \(context.actorLine)
      \(share.map { changes($0, zone.database) } ?? creation(record, zone))
      """)
  }

  // MARK: Creating

  private func creation(_ record: ResultRecord?, _ zone: ZoneLocation) -> HTML {
    let hidden: [(String, String?)] = [
      ("operation", "create"), ("zone", zone.formText),
      ("record", record.map { RecordLocation(zone.database, $0.recordID).formText }),
      ("tag", record?.recordChangeTag),
    ]
    return """
      <h2>\(record == nil ? "Share the zone" : "Share the record")</h2>
      \(context.form(.share, hidden, """
        <label>Title<input name="title" autocomplete="off"></label>
        \(permission("public", "Everyone who has the link", selected: "NONE"))
        \(invitee())
        <button>Share</button>
        """))
      """
  }

  /// The user to invite: one of the container's, or another one by an address.
  private func invitee(besides participants: [ShareParticipant] = []) -> HTML {
    let names = participants.compactMap(\.userIdentity.knownRecordName)
    let users = context.users.filter { user in
      !names.contains { $0.sameScalars(as: user.userRecordName) }
        && context.actor.name?.sameScalars(as: user.userRecordName) != true
    }
    let choices = users.prefix(ConsoleRequest.maxUsers).map { user in
      let words = [user.userRecordName, user.identity.fullName].filter { !$0.isEmpty }
      return (user.userRecordName, words.joined(separator: ", "))
    }
    return """
      \(ConsoleRequest.select("user", "User", none: "nobody", choices))
      <label>or by e-mail address<input name="email" autocomplete="off" spellcheck="false"></label>
      \(permission("permission", "The user's permission", selected: "READ_WRITE", from: 1))
      """
  }

  private func permission(
    _ name: String, _ words: String, selected: String, from first: Int = 0
  ) -> HTML {
    ConsoleRequest.select(
      name, "\(words)",
      ["NONE", "READ_ONLY", "READ_WRITE"].dropFirst(first).map { ($0, $0) }, selected: selected)
  }

  // MARK: Changing

  private func changes(_ share: ResultRecord, _ database: DatabaseScope) -> HTML {
    let info = share.shareInfo
    let location = RecordLocation(database, share.recordID)
    let isOwner = context.actor.owns(location.zone)
    func form(_ operation: String?, _ content: HTML) -> HTML {
      context.form(.share, [("share", location.formText), ("operation", operation)], content)
    }
    let participants = info?.participants ?? []
    let choices = participants.filter { $0.role != .owner }.compactMap { participant in
      (try? participant.jsonValue())?.participantID.map { id in
        (id, participant.userIdentity.words.first ?? id)
      }
    }
    return """
      \(ShareView(context: context, database: database).participants(of: share))
      \(isOwner || hasJoined(participants) ? nil : info?.shortGUID.map { guid in
        """
        <h2>Join</h2>
        \(context.form(.accept, [("share", location.formText), ("link", guid)],
          "<button>Accept as \(context.actor.words)</button>"))
        """
      })
      <h2>Invite a user</h2>
      \(form("invite", "\(invitee(besides: participants))<button>Invite</button>"))
      \(when: !choices.isEmpty, """
        <h2>Change a participant</h2>
        \(form(nil, """
          \(ConsoleRequest.select("participant", "Participant", choices))
          \(permission("permission", "Permission", selected: "READ_ONLY", from: 1))
          <button name="operation" value="permission">Change</button>
          <button class="plain" name="operation" value="remove">Remove</button>
          """))
        """)
      <h2>Everyone who has the link</h2>
      \(form("public", "\(permission("public", "Permission", selected: info?.publicPermission.rawValue ?? "NONE"))<button>Change</button>"))
      <h2>\(isOwner ? "Stop sharing" : "Leave")</h2>
      \(context.deletionForm(share, in: database, isOwner ? "Stop sharing" : "Leave the share"))
      """
  }

  /// Whether the actor has accepted the share.
  private func hasJoined(_ participants: [ShareParticipant]) -> Bool {
    participants.contains { participant in
      guard let name = participant.userIdentity.knownRecordName,
        participant.acceptanceStatus == .accepted
      else { return false }
      return ConsoleActor(name.percentEncoded, in: context.served).name == context.actor.name
    }
  }
}
