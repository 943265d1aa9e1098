import Testing

@testable import AppModel

@Suite("Uses of records in source code")
struct RecordUseTests {
  @Test("subscripts of declared records are read and written")
  func subscripts() {
    let uses = scanned(
      """
      func f(record: CKRecord, other: CKRecord?, list: [CKRecord]) {
        record["a"] = 1
        let x = record["b"] as? String
        other?["c"] += 1
        if other!["d"] == nil {}
        list[0]["e"] = nil
        list.first?["f"]
      }
      """)
    #expect(
      uses == [
        "2 write ?.a", "3 read ?.b", "4 write ?.c", "5 read ?.d", "6 write ?.e", "7 read ?.f",
      ])
  }

  @Test("a condition sees the records that those before it bind, and no others")
  func conditions() {
    let uses = scanned(
      """
      func f(x: CKRecord?, rs: [CKRecord], r: [String: Any]) {
        if let r = x, let a = r["a"] as? String, r["b"] != nil { r["c"] }
        while let n = x, n["d"] != nil {}
        if let y = r["e"], let r = x,
          r["f"] == nil { r["g"] }
        for r in rs where r["h"] != nil { r["i"] = 1 }
        r["j"]
        if rs.contains(where: { $0["k"] != nil }), let z = x, z["l"] == nil {}
        guard let w = x, w["m"] != nil else { return }
      }
      """)
    #expect(
      uses == [
        "2 read ?.a", "2 read ?.b", "2 read ?.c", "3 read ?.d", "5 read ?.f", "5 read ?.g",
        "6 read ?.h", "6 write ?.i", "8 read ?.k", "8 read ?.l", "9 read ?.m",
      ])
  }

  @Test("what is not told to be a record is left out")
  func others() {
    #expect(
      scanned(
        """
        func f(record: [String: Any], item: Item) {
          record["a"] = 1
          item["b"] = 1
          item.record["c"] = 1
          UserDefaults.standard.setValue(1, forKey: "d")
          make()["e"] = 1
          json["f"]["g"]
        }
        func g(record: CKRecord) {
          let record = decode(record)
          record["h"]
        }
        func h(_ record: CKRecord.ID, share: CKShare) { record["i"]; share[CKShare.SystemFieldKey.title] }
        func i(record: CKRecord) { f(record)["j"]; { record in record["k"] }() }
        class CKRecordish {}
        """) == [])
  }

  @Test("a type that the files declare is not CloudKit's")
  func ownTypes() {
    #expect(scanned("class CKRecord {}\nfunc f(a: CKRecord) { a[\"x\"] = 1 }") == [])
    #expect(scanned("func f(a: DraftRecord) { a[\"x\"] = 1 }") == [])
    #expect(
      scanned("import RecordPack\nfunc f(a: DraftRecord) { a[\"x\"] = 1 }") == ["2 write ?.x"])
    #expect(scanned("import RecordModel\nfunc f(a: ResultRecord) { a[\"x\"] }") == ["2 read ?.x"])
  }

  @Test("a created record has its type")
  func creation() {
    let uses = scanned(
      """
      import RecordPack
      let typeName = "Chat"
      enum Kind: String { case message = "Message" }
      struct A {
        static let recordType = "Note"
        func f() {
          let a = CKRecord(recordType: "Todo", recordID: id)
          a["a"] = 1
          let b = CKRecord(recordType: Self.recordType)
          b["b"] = 1
          let c: CKRecord = CKRecord(recordType: Kind.message.rawValue)
          c["c"] = 1
          var d = DraftRecord(recordType: typeName, recordID: id)
          d["d"] = 1
          d = DraftRecord(recordType: "Other", recordID: id)
          d["e"] = 1
        }
      }
      """)
    #expect(
      uses == [
        "7 write Todo", "8 write Todo.a", "9 write Note", "10 write Note.b", "11 write Message",
        "12 write Message.c", "13 write Chat", "14 write Chat.d", "15 write Other",
        "16 write Other.e",
      ])
  }

  @Test("calls with keys and encrypted values")
  func calls() {
    let uses = scanned(
      """
      func f(record: CKRecord) {
        record.setObject(x, forKey: "a")
        record.setValue(x, forKey: "b")
        record.object(forKey: "c")
        record.value(forKey: "d")
        record.encryptedValues["e"] = "x"
        record.encryptedValues.setObject(x, forKey: "f")
        let secrets = record.encryptedValues
        secrets["g"]
        (record.encryptedValues["h"] as? String)?.count
        (record as CKRecord)["i"] = 1
      }
      """)
    #expect(
      uses == [
        "2 write ?.a", "3 write ?.b", "4 read ?.c", "5 read ?.d", "6 write ?.e*", "7 write ?.f*",
        "9 read ?.g*", "10 read ?.h*", "11 write ?.i",
      ])
  }

  @Test("properties, extensions and functions of other files tell records")
  func declarations() {
    let uses = scanned(
      """
      class Store { var record: CKRecord?; let cache: [CKRecord.ID: CKRecord]; let made = CKRecord(recordType: "T") }
      func makeRecord() throws -> CKRecord { fatalError() }
      func ambiguous() -> CKRecord { fatalError() }
      func ambiguous(_ x: Int) -> [String: Int] { [:] }
      """,
      """
      extension Store {
        func f(store: Store) {
          record?["a"] = 1
          self.record?["b"] = 1
          store.record!["c"] = 1
          cache[id]?["d"] = 1
          made["e"]
          let x = try! makeRecord()
          x["f"] = 1
          ambiguous()["g"]
        }
      }
      extension CKRecord { var name: String { self["h"] as! String } }
      """)
    #expect(
      uses == [
        "1 write T", "3 write ?.a", "4 write ?.b", "5 write ?.c", "6 write ?.d", "7 read ?.e",
        "9 write ?.f", "13 read ?.h",
      ])
  }

  @Test("conditions, patterns and loops bind records")
  func bindings() {
    let uses = scanned(
      """
      func f(a: CKRecord?, list: [CKRecord], result: Result<CKRecord, Error>) throws {
        if let a { a["a"] }
        guard let b = a, b["b"] != nil else { return }
        b["c"]
        for record in list { record["d"] }
        for (_, record) in list { record["no"] }
        switch result {
        case .success(let record): record["e"]
        case .failure(let record): record["no"]
        }
        if case .success(let r) = result { r["f"] }
        try result.get()["g"]
        list.forEach { $0["h"] }
        list.filter { r in r["i"] != nil }.map { $0["j"] }
        [1].forEach { $0["no"] }
      }
      """)
    #expect(
      uses.sorted() == [
        "11 read ?.f", "12 read ?.g", "13 read ?.h", "14 read ?.i", "14 read ?.j", "2 read ?.a",
        "3 read ?.b", "4 read ?.c", "5 read ?.d", "8 read ?.e",
      ])
  }
}
