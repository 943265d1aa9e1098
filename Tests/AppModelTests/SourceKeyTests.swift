import Testing

@testable import AppModel

@Suite("Keys of records in source code")
struct SourceKeyTests {
  @Test("constants and raw values are keys")
  func constants() {
    let uses = scanned(
      """
      let globalKey = "a"
      enum Keys { static let b = "b"; enum Inner { static let c: String = "c" } }
      enum Field: String, CaseIterable { case d, e = "E", f }
      struct Note {
        static let g = "g"
        static var h: String { "h" }
        enum CodingKeys: String, CodingKey { case i }
        func f(record: CKRecord) {
          let local = "j"
          record[globalKey]; record[Keys.b]; record[Keys.Inner.c]; record[Field.d.rawValue]
          record[Field.e.rawValue]; record[Self.g]; record[Note.h]; record[CodingKeys.i.stringValue]
          record[local]; record["k" as String]; record["\\("l")"]
        }
      }
      """)
    #expect(
      uses.map { $0.split(separator: ".").last.map(String.init) ?? "" } == [
        "a", "b", "c", "d", "E", "g", "h", "i", "j", "k",
      ])
  }

  @Test("keys of the app's own subscript are those of its enum")
  func ownSubscript() {
    let uses = scanned(
      """
      enum NoteKey: String { case title, body = "text" }
      extension CKRecord { subscript(key: NoteKey) -> Any? { get { self[key.rawValue] } } }
      extension CKRecord.FieldKey { static let owner = "ownerName" }
      func f(record: CKRecord) { record[.title]; record[NoteKey.body]; record[.owner] }
      """)
    #expect(uses == ["4 read ?.title", "4 read ?.text", "4 read ?.ownerName"])
  }

  @Test("a constant of a value's type is a key; a requirement of a protocol is not")
  func constantOfValue() {
    let code = """
      struct Report { let titleKey = "title"; var other: String }
      protocol Keyed { var dateKey: String { get } }
      extension Keyed { var dateKey: String { "date" } }
      class Store {
        let report = Report(other: "")
        func save(record: CKRecord, draft: Report, keyed: Keyed) {
          record[draft.titleKey]; record[report.titleKey]; record[self.report.titleKey]
          record[draft.other]; record[keyed.dateKey]
        }
      }
      """
    #expect(scanned(code) == Array(repeating: "7 read ?.title", count: 3))
    #expect(computed(code) == 2)
  }

  @Test("keys that are not told are counted once")
  func computedKeys() {
    #expect(
      computed(
        """
        enum A { static let key = "a" }
        enum B { enum A { static let key = "b" } }
        func f(record: CKRecord, key: String) {
          record[key] = 1
          record["a\\(key)"] = 1
          record[A.key] = 1
          for k in record.allKeys() { record[k] }
          CKRecord(recordType: kind())
          record[CKShare.SystemFieldKey.title]
        }
        """) == 5)
  }

  @Test("a parameter hides a constant of the same name")
  func hiding() {
    #expect(
      scanned("let key = \"a\"\nfunc f(record: CKRecord, key: String) { record[key] }") == [])
  }
}
