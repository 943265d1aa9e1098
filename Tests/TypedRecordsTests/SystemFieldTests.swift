import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct SystemFieldTests {
  struct Message: Codable, Hashable {
    @RecordName var id: String
    @RecordIdentity var recordID: RecordID?
    @Parent var chat: Reference?
    @RecordChangeTag var tag: String?
    @CreationDate var createdAt: Date?
    @ModificationDate var modifiedAt: Date?
    @CreatorUserRecordID var author: RecordID?
    @LastModifiedUserRecordID var editor: RecordID?
    var text: String?
  }

  /// As Web Services return it.
  private let chat = Reference(
    recordID: RecordID(recordName: "c", zoneID: chats), action: .validate)

  private var saved: ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "m1", zoneID: chats), recordType: "Message",
        recordChangeTag: "a",
        created: RecordStamp(date: Date(timeIntervalSince1970: 1), userRecordName: "_a"),
        modified: RecordStamp(date: Date(timeIntervalSince1970: 2), userRecordName: "_b"),
        parent: chat),
      fields: [Field(name: "text", value: .string("Hello")), Field(name: "id", value: .int64(1))])
  }

  @Test("system fields are read into properties with their wrappers")
  func decoding() throws {
    let message = try saved.decode(Message.self)
    #expect(message.id == "m1" && message.recordID == saved.recordID && message.chat == chat)
    #expect(message.tag == "a" && message.text == "Hello")
    #expect(message.createdAt == saved.creationDate && message.modifiedAt == saved.modificationDate)
    #expect(message.author == saved.creatorUserRecordID && message.author != nil)
    #expect(message.editor == saved.lastModifiedUserRecordID && message.editor != nil)
  }

  @Test("system fields that a record does not have are nil, or an error")
  func absent() throws {
    let draft = DraftRecord(recordType: "Message", recordID: saved.recordID)
    let message = try draft.decode(Message.self)
    #expect(message.chat == nil && message.tag == nil && message.createdAt == nil)
    #expect(message.author == nil && message.id == "m1")
    struct Linked: Codable { @Parent var chat: Reference }
    struct Owned: Codable { @CreatorUserRecordID var author: RecordID }
    struct Dated: Codable { @CreationDate var date: Date }
    #expect(try failure { try draft.decode(Linked.self) }.code == .missingField)
    #expect(try failure { try draft.decode(Owned.self) }.code == .missingField)
    #expect(try failure { try draft.decode(Dated.self) }.code == .missingField)
  }

  @Test("system fields but the parent are not encoded")
  func encoding() throws {
    let draft = try recoded(saved, as: Message.self) {
      $0.tag = "z"
      $0.createdAt = nil
      $0.author = nil
    }
    #expect(draft == DraftRecord(saved))
  }

  @Test("the parent is set, kept and removed")
  func parent() throws {
    let other = Reference(recordID: RecordID(recordName: "d", zoneID: chats))
    #expect(try recoded(saved, as: Message.self) { $0.chat = other }.parent == other)
    #expect(try recoded(saved, as: Message.self) { $0.chat = nil }.parent == nil)
    struct ByID: Codable { @Parent var chat: RecordID? }
    #expect(try saved.decode(ByID.self).chat == chat.recordID)
    #expect(try recoded(saved, as: ByID.self).parent == chat)
    #expect(try recoded(saved, as: ByID.self) { $0.chat = other.recordID }.parent == other)
    struct Wrong: Codable { @Parent var chat: String? }
    let error = try failure { try DraftRecord(encoding: Wrong(chat: "c"), recordType: "Message") }
    #expect(error.code == .unsupportedType)
  }

  @Test("a value with another identity is refused")
  func identity() throws {
    var draft = DraftRecord(saved)
    var message = try saved.decode(Message.self)
    message.id = "m2"
    #expect(try failure { try draft.encode(message) }.code == .identity)
    message = try saved.decode(Message.self)
    message.recordID = RecordID(recordName: "m1")
    #expect(try failure { try draft.encode(message) }.code == .identity)
    #expect(draft == DraftRecord(saved))
  }

  @Test("a record name can be a UUID, or a type that is encoded as text")
  func names() throws {
    enum Kind: String, Codable { case first, second }
    struct ByUUID: Codable { @RecordName var id: UUID }
    struct ByKind: Codable { @RecordName var id: Kind }
    struct ByNumber: Codable { @RecordName var id: Int }
    let uuid = UUID()
    let lower = RecordID(recordName: uuid.uuidString.lowercased())
    let draft = try DraftRecord(encoding: ByUUID(id: uuid), recordType: "T", recordID: lower)
    #expect(draft.recordID == lower)
    #expect(try draft.decode(ByUUID.self).id == uuid)
    let named = try DraftRecord(encoding: ByKind(id: .second), recordType: "T", zoneID: chats)
    #expect(named.recordID == RecordID(recordName: "second", zoneID: chats))
    #expect(try named.decode(ByKind.self).id == .second)
    #expect(try failure { try draft.decode(ByKind.self) }.code == .invalidValue)
    let number = try failure { try DraftRecord(encoding: ByNumber(id: 1), recordType: "T") }
    #expect(number.code == .unsupportedType)
  }

  @Test("a new draft has the identity of the value, or a random name")
  func newDrafts() throws {
    struct Named: Codable {
      @RecordName var id: String?
      @RecordIdentity var recordID: RecordID?
    }
    func recordID(_ value: Named, _ zoneID: ZoneID? = nil) throws -> RecordID {
      let draft = try DraftRecord(encoding: value, recordType: "T", zoneID: zoneID)
      return draft.recordID
    }
    let id = RecordID(recordName: "m", zoneID: chats)
    #expect(try recordID(Named(id: "m", recordID: nil), chats) == id)
    #expect(try recordID(Named(id: nil, recordID: id)) == id)
    #expect(try recordID(Named(id: "m", recordID: id), chats) == id)
    let random = try recordID(Named(id: nil, recordID: nil), chats)
    #expect(UUID(uuidString: random.recordName) != nil && random.zoneID == chats)
    for (value, zoneID) in [
      (Named(id: nil, recordID: id), ZoneID.default), (Named(id: "x", recordID: id), chats),
    ] {
      #expect(try failure { try recordID(value, zoneID) }.code == .identity)
    }
  }
}
