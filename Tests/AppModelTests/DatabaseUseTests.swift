import Testing

@testable import AppModel

@Suite("Records of databases and queries in source code")
struct DatabaseUseTests {
  @Test("the calls of a database give records")
  func databases() {
    let uses = scanned(
      """
      struct A {
        let database: CKDatabase
        func f() async throws {
          let a = try await database.record(for: id)
          a["a"] = 1
          database.fetch(withRecordID: id) { record, error in
            guard let record = record else { return }
            record["b"] = 1
          }
          CKContainer.default().privateCloudDatabase.fetch(withRecordID: id) { (r, _) in r?["c"] }
          let saved = try await database.save(a)
          saved["d"]
          for (id, result) in try await database.records(for: ids) {
            if case .success(let r) = result { r["e"] }
          }
          store.record(for: id)["no"]
        }
      }
      """)
    #expect(
      uses == [
        "5 write ?.a", "8 write ?.b", "10 read ?.c", "12 read ?.d", "14 read ?.e",
      ])
  }

  @Test("queries have record types, predicates and sort descriptors")
  func queries() {
    let uses = scanned(
      """
      func f(db: CKDatabase) async throws {
        let p = NSPredicate(format: "owner == %@ AND NOT (done = 1) && tags CONTAINS[c] 'x y = 1'", me)
        let query = CKQuery(recordType: "Todo", predicate: p)
        query.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
        let (matches, _) = try await db.records(matching: query)
        for record in matches.compactMap({ try? $0.1.get() }) { record["a"] }
        let operation = CKQueryOperation(query: query)
        operation.desiredKeys = ["b", "c"]
        operation.recordFetchedBlock = { record in record["d"] }
        operation.recordMatchedBlock = { id, result in
          switch result { case .success(let r): r["e"]; default: break }
        }
        CKQuerySubscription(recordType: "List", predicate: NSPredicate(value: true))
      }
      """)
    #expect(
      uses == [
        "2 query Todo.owner", "2 query Todo.done", "2 query Todo.tags", "3 query Todo",
        "4 query Todo.order", "6 read Todo.a", "8 read Todo.b", "8 read Todo.c", "9 read Todo.d",
        "11 read Todo.e", "13 query List",
      ])
  }

  @Test("predicates of several parts are read, and those that are not understood are counted")
  func parts() {
    let code = """
      func f(v: String, other: NSPredicate) {
        let a = NSPredicate(format: "a = %@ AND " + "b = %@", 1, 2)
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "c == 1"))
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: [a, not, .init(format: "d > %d", 1)])
        CKQuery(recordType: "T", predicate: all)
        CKQuery(recordType: "T", predicate: .init(format: "e==%@", v))
        CKQuery(recordType: "T", predicate: .init(value: true))
      """
    let uses = scanned(code + "}")
    #expect(
      uses == [
        "2 query T.a", "2 query T.b", "3 query T.c", "4 query T.d", "5 query T", "6 query T",
        "6 query T.e", "7 query T",
      ])
    #expect(computed(code + "}") == 0)
    let others = [
      "other", "NSPredicate(format: \"a == \\(v)\")", "NSPredicate(format: v)", "make()",
      "NSCompoundPredicate(orPredicateWithSubpredicates: [a, other])",
      "NSPredicate(block: { _, _ in true })",
    ]
    for predicate in others {
      let text = code + "CKQuery(recordType: \"T\", predicate: \(predicate)) }"
      #expect(scanned(text) == uses + ["7 query T"], "\(predicate)")
      #expect(computed(text) == 1, "\(predicate)")
    }
  }

  @Test("keys of sort descriptors and desired keys that are not in literals are counted")
  func keys() {
    let code = """
      func f(query: CKQuery, operation: CKQueryOperation, keys: [String], by: NSSortDescriptor) {
        query.sortDescriptors = [.init(key: "a", ascending: true), CKLocationSortDescriptor(key: "b", relativeLocation: l)]
        query.sortDescriptors = [by]
        query.sortDescriptors = nil
        operation.desiredKeys = keys
        operation.desiredKeys = nil
        print(operation.desiredKeys)
      }
      """
    #expect(scanned(code) == ["2 query ?.a", "2 query ?.b"])
    #expect(computed(code) == 2)
  }

  @Test("a predicate compares names, not texts or arguments")
  func predicates() {
    #expect(PredicateFields.names(in: "a == %@ AND b IN %@") == ["a", "b"])
    #expect(PredicateFields.names(in: "%K == 'x'") == ["%K"])
    #expect(PredicateFields.names(in: "TRUEPREDICATE").isEmpty)
    #expect(PredicateFields.names(in: "self CONTAINS 'a = b'").isEmpty)
    let distance = "distanceToLocation:fromLocation:(place, %@) < 5"
    #expect(PredicateFields.names(in: distance) == ["place"])
    #expect(PredicateFields.names(in: "a==%@ && b ==%d AND c>=%@") == ["a", "b", "c"])
    #expect(
      PredicateFields.names(in: "%@ IN a AND nil != b AND 3 < c AND %@ == %K") == [
        "a", "b", "c", "%K",
      ])
    #expect(PredicateFields.names(in: "a != nil AND b == TRUE OR c IN {1, 2}") == ["a", "b", "c"])
    #expect(PredicateFields.names(in: "a BEGINSWITH 'b' and a > 1") == ["a"])
  }

  @Test("types that are decoded from a record have their coding keys")
  func codable() {
    let uses = scanned(
      """
      import RecordPack
      struct Message: Codable {
        @RecordName var id: String
        var text: String
        @Encrypted var secret: String
        enum CodingKeys: String, CodingKey { case id, text = "body", secret }
      }
      func f(record: ResultRecord) throws { try record.decode(Message.self) }
      func g() throws { try DraftRecord(encoding: Message(id: "1"), recordType: "M", recordID: id) }
      """)
    #expect(
      uses == [
        "8 read ?.secret*", "8 read ?.body", "9 write M.secret*", "9 write M.body", "9 write M",
      ])
  }

  @Test("an initializer without a type is that of the declared type, or of CloudKit by its labels")
  func implicitInitializers() {
    let code = """
      let r: CKRecord = .init(recordType: "A"); r["a"] = 1
      let o: CloudKit.CKRecord? = .init(recordType: "B", recordID: id)
      let q: CKQuery = .init(recordType: "C", predicate: .init(format: "c = 1"))
      let s: CKQuerySubscription = .init(recordType: "D", predicate: p, options: [])
      try await d.save(.init(recordType: "E"))
      f(flag ? .init(recordType: "F") : nil, .init(recordType: "G", predicate: .init(value: true)))
      func g() -> CKRecord { .init(recordType: "H") }
      func h(d: CKDatabase) async throws { let r = try await d.save(.init(recordType: "I")); r["i"] }
      let own: Thing = .init(recordType: "No")
      use(.init(name: "No"), Thing.init(recordType: "No"))
      """
    #expect(
      scanned("struct Thing {}", code) == [
        "1 write A", "1 write A.a", "2 write B", "3 query C", "3 query C.c", "4 query D",
        "5 write E", "6 write F", "6 query G", "7 write H", "8 write I", "8 read I.i",
      ])
    #expect(computed("d.save(.init(recordType: name))") == 1)
    for own in ["struct T { let recordType: String }", "class T { init(recordType: String) {} }"] {
      #expect(scanned(own, "d.save(.init(recordType: \"A\"))").isEmpty)
      #expect(computed(own + "; d.save(.init(recordType: \"A\"))") == 1)
    }
    let others =
      "extension CKRecord { convenience init(recordType: Kind) {} }; "
      + "struct T { static let recordType: String = f(); var recordType: String { \"\\(x)\" } }"
    #expect(scanned(others, "d.save(.init(recordType: \"A\"))") == ["1 write A"])
  }

  @Test("an extension of CKRecord names its members without self")
  func extensions() {
    #expect(
      scanned(
        """
        extension CKRecord {
          func g() {
            setValue(1, forKey: "a"); _ = object(forKey: "b"); encryptedValues["c"] = 1
            run { setObject(1, forKey: "d") }
          }
        }
        extension Other { func g() { setValue(1, forKey: "no"); encryptedValues["no"] = 1 } }
        """) == ["3 write ?.a", "3 read ?.b", "3 write ?.c*", "4 write ?.d"])
  }
}
