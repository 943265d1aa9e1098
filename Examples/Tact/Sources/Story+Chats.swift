import RecordPack

extension Story {
  /// Saves a chat and a conversation in it; returns the messages.
  mutating func converse(
    in chat: Chat, messages count: Int, database: DatabaseScope
  ) throws -> [RecordID] {
    clock.advance(minutes: 24 * 60)
    var chat = chat
    chat.wallpaper = Picture.sunset(width: 360, height: 260, hue: random.below(360))
    try save([chat.draft()], in: database, as: chat.members.first)
    var messages: [RecordID] = []
    for number in 0..<count {
      clock.advance(minutes: Double(1 + random.below(180)) / 4)
      let author = chat.members[random.below(chat.members.count)]
      let message = makeMessage(number, in: chat, answering: messages)
      try save([message.draft()], in: database, as: author, deviceID: author.deviceID)
      messages.append(message.recordID)
      if random.below(3) == 0 {
        try react(to: message, in: chat, database: database)
      }
    }
    return messages
  }

  private mutating func makeMessage(
    _ number: Int, in chat: Chat, answering earlier: [RecordID]
  ) -> Message {
    var message = Message(
      recordName: random.uuid(), chat: chat.recordID, text: Phrases.next(&random),
      sentAt: clock.now)
    if random.below(4) == 0 { message.answered = earlier.last }
    switch number % 20 {
    case 7: message.place = Places.next(&random, at: clock.now)
    case 11: message.photo = Picture.sunset(width: 48, height: 36, hue: random.below(360))
    case 15: message.voice = (0..<24).map { _ in UInt8(random.below(256)) }
    default: break
    }
    return message
  }

  private mutating func react(
    to message: Message, in chat: Chat, database: DatabaseScope
  ) throws {
    clock.advance(minutes: 0.25)
    let reaction = Reaction(
      recordName: random.uuid(), message: message.recordID, chat: chat.recordID,
      emoji: ["👍", "❤️", "😂", "🎉", "😮"][random.below(5)],
      strength: Double(1 + random.below(10)) / 10)
    let author = chat.members[random.below(chat.members.count)]
    try save([reaction.draft()], in: database, as: author)
  }

  /// Shares a chat: its record becomes the root, and everything below it by `parent` goes along.
  func share(_ chat: Chat, in database: DatabaseScope) throws {
    clock.advance(minutes: 10)
    let shareID = RecordID(recordName: "Share-\(chat.recordID.recordName)", zoneID: chat.zoneID)

    var share = DraftRecord(recordType: Share.recordType, recordID: shareID)
    share[Share.titleKey] = chat.title
    share[Share.shareTypeKey] = "com.example.tact.chat"
    share.shareInfo = Share(
      publicPermission: .none,
      participants: [
        Person.mira.participant(.owner, .readWrite, .accepted),
        Person.kenji.participant(.privateUser, .readWrite, .accepted),
        Person.ines.participant(.privateUser, .readOnly, .pending),
      ],
      owner: Person.mira.participant(.owner, .readWrite, .accepted),
      currentUserParticipant: Person.mira.participant(.owner, .readWrite, .accepted),
      shortGUID: "0aBcDeFgHiJkLmNoPqRsTuVwX")

    try container.transaction { transaction in
      guard let root = try transaction.record(for: chat.recordID, in: database) else { return }
      var sharedRoot = DraftRecord(root)
      sharedRoot.share = Reference(recordID: shareID)
      try transaction.save([share, sharedRoot], in: database)
    }
  }
}
