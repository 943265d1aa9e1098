import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What the server refuses as a whole, and what of a single record. Sources at each rule.
struct RequestTests {
  @Test("a request has at most 400 items, 200 in Web Services")
  func items() async throws {
    for (rules, most) in [(ServerRules.native, 400), (.webServices, 200)] {
      let database = try await makeDatabase(rules: rules)
      let deletions = (0...most).map { id("\($0)") }
      let error = await cloudError {
        try await database.modifyRecords(saving: [], deleting: deletions)
      }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message
          == "Your request contains \(most + 1) items which is more than the maximum number of "
          + "items in a single request (\(most))")
      try await database.modifyRecords(saving: [], deleting: deletions.dropLast())
      #expect(
        await cloudError { try await database.records(for: deletions) }?.code == .limitExceeded)
    }
  }

  @Test("a request saves at most 2 MB of fields; unchanged fields are not sent")
  func size() async throws {
    let database = try await makeDatabase()
    var drafts = (0..<3).map { number in
      var draft = note("\(number)")
      draft["text"] = String(repeating: "a", count: 700_000)
      return draft
    }
    let error = await cloudError {
      try await database.modifyRecords(saving: drafts, deleting: [])
    }
    #expect(error?.code == .limitExceeded)
    #expect(try database.names() == [])
    for draft in drafts { try await database.save(draft) }
    for index in drafts.indices {
      drafts[index] = DraftRecord(try await database.record(for: drafts[index].recordID))
      drafts[index]["title"] = "short"
    }
    try await database.modifyRecords(saving: drafts, deleting: [])
    #expect(
      await cloudError {
        try await database.modifyRecords(saving: drafts, deleting: [], savePolicy: .allKeys)
      }?.code == .limitExceeded)
  }

  @Test("a record occurs once in a request")
  func once() async throws {
    let database = try await makeDatabase()
    let twice = await cloudError {
      try await database.modifyRecords(saving: [note("a"), note("a")], deleting: [])
    }
    #expect(twice?.code == .invalidArguments)
    #expect(twice?.message.hasPrefix("You can't save the same record twice") == true)
    let both = await cloudError {
      try await database.modifyRecords(saving: [note("a")], deleting: [id("a")])
    }
    #expect(both?.code == .invalidArguments)
    #expect(try database.names() == [])
  }

  @Test("each account status has its error; the public database is read without an account")
  func account() async throws {
    for (status, code) in [
      (AccountStatus.noAccount, CloudError.Code.notAuthenticated),
      (.restricted, .notAuthenticated), (.couldNotDetermine, .notAuthenticated),
      (.temporarilyUnavailable, .accountTemporarilyUnavailable),
    ] {
      let database = try await makeDatabase()
      let container = database.container
      container.setAccountStatus(status)
      #expect(try await container.accountStatus() == status)
      #expect(await cloudError { try await database.save(note("a")) }?.code == code)
      #expect(await cloudError { try await database.allRecordZones() }?.code == code)
      #expect(await cloudError { try await container.userRecordID() }?.code == code)
      let open = container.publicCloudDatabase
      #expect(try await open.allRecordZones().count == 1)
      #expect(await cloudError { try await open.save(note("a", in: .default)) }?.code == code)
      container.setAccountStatus(.available)
      try await database.save(note("a"))
    }
  }

  @Test("a record of a zone that does not exist is zoneNotFound")
  func zoneNotFound() async throws {
    let database = try await makeDatabase()
    let gone = ZoneID(zoneName: "Gone")
    #expect(
      await cloudError { try await database.save(note("a", in: gone)) }?.code == .zoneNotFound)
    #expect(
      await cloudError { try await database.deleteRecord(withID: id("a", in: gone)) }?.code
        == .zoneNotFound)
    #expect(
      await cloudError { try await database.record(for: id("a", in: gone)) }?.code == .zoneNotFound)
  }

  @Test("a record keeps its type")
  func type() async throws {
    let database = try await makeDatabase()
    try await database.save(note("a"))
    let draft = DraftRecord(recordType: "Other", recordID: id("a"))
    let error = await cloudError { try await database.save(draft, .allKeys) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message == "invalid attempt to update record from type 'Note' to 'Other'")
  }

  @Test("a field called like a property of records is rejected, unless the rules accept it")
  func reservedFieldNames() async throws {
    var rules = ServerRules.native
    rules.reservedFieldNames = .accepted
    for name in ["creationDate", "recordID", "etag", "modifiedByDevice"] {
      var draft = note("a")
      draft[name] = "text"
      let saved = draft
      let database = try await makeDatabase()
      let error = await cloudError { try await database.save(saved) }
      #expect(error?.code == .invalidArguments && error?.message.contains(name) == true)
      #expect(try database.names() == [])
      let lenient = try await makeDatabase(rules: rules)
      #expect(try await lenient.save(saved)[name] == "text")
    }
  }

  @Test("a reference to the empty name, and more than 750 references, are rejected")
  func references() async throws {
    let database = try await makeDatabase()
    var draft = note("a")
    draft["link"] = Reference(recordID: id(""))
    let single = draft
    #expect(await cloudError { try await database.save(single) }?.code == .invalidArguments)
    draft["link"] = nil
    draft["links"] = [Reference(recordID: id("b")), Reference(recordID: id(""))]
    let list = draft
    #expect(await cloudError { try await database.save(list) }?.code == .invalidArguments)
    draft["links"] = (0...750).map { Reference(recordID: id("n\($0)")) }
    let many = draft
    #expect(await cloudError { try await database.save(many) }?.code == .limitExceeded)
    draft["links"] = (1...750).map { Reference(recordID: id("n\($0)")) }
    try await database.save(draft)
  }

  @Test("a field name that starts with an underscore is the server's")
  func systemField() async throws {
    let database = try await makeDatabase()
    var draft = note("a")
    draft["_asset"] = "text"
    let error = await cloudError { try await database.save(draft) }
    #expect(error?.code == .permissionFailure)
    #expect(error?.message == "Unprivileged attempt to insert a system field: _asset")
  }

  @Test("the public database has no encrypted fields")
  func encryption() async throws {
    let database = try await makeDatabase(.public)
    var draft = note("a", in: .default)
    draft.encryptedValues["secret"] = "word"
    let error = await cloudError { try await database.save(draft) }
    #expect(error?.message == "encrypted fields are not supported in the public database")
  }

  @Test("deleting a record that does not exist is no error, and leaves no tombstone")
  func deletingNothing() async throws {
    let database = try await makeDatabase()
    try await database.deleteRecord(withID: id("a"))
    #expect(try database.tombstones() == [])
  }

  @Test("an asset without its file fails its record; one that is too large does")
  func assets() async throws {
    let database = try await makeDatabase()
    var draft = note("a")
    draft["file"] = Asset(fileURL: URL(filePath: "/nowhere/photo.jpg"))
    #expect(await cloudError { try await database.save(draft) }?.code == .assetFileNotFound)
    var rules = ServerRules.native
    rules.recordLimits.assetSize = 10
    let strict = try await makeDatabase(rules: rules)
    draft["file"] = Asset(data: Data(count: 11))
    #expect(await cloudError { try await strict.save(draft) }?.violation?.limit == .assetSize)
    draft["file"] = Asset(data: Data(count: 10))
    let saved = try await strict.save(draft)
    let asset: Asset = try #require(saved["file"])
    #expect(try await strict.data(for: asset) == Data(count: 10))
  }

  @Test("the content of an asset is fetched as a file, which is gone with the container")
  func assetFiles() async throws {
    var file: URL?
    do {
      let database = try await makeDatabase()
      var draft = note("a")
      draft["file"] = Asset(data: Data("photo".utf8))
      let saved = try await database.save(draft)
      let asset: Asset = try #require(saved["file"])
      let url = try await database.fileURL(for: asset)
      #expect(try Data(contentsOf: url) == Data("photo".utf8))
      #expect(try await database.fileURL(for: asset) == url)
      // An app that writes into the file, or moves it, gets another file.
      try Data("other".utf8).write(to: url, options: [])
      let second = try await database.fileURL(for: asset)
      try FileManager.default.removeItem(at: second)
      let third = try await database.fileURL(for: asset)
      #expect(Set([url, second, third]).count == 3)
      #expect(try Data(contentsOf: third) == Data("photo".utf8))
      let folder = url.deletingLastPathComponent().path
      let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
      #expect(mode as? Int == 0o700)
      for name in ["../secret", String(repeating: "0", count: 64)] {
        let error = await cloudError { try await database.fileURL(for: Asset(sha256: name)) }
        #expect(error?.code == .assetNotAvailable)
      }
      file = url
    }
    // A task of the container may end a moment later than its call.
    let path = try #require(file).path
    for _ in 0..<1_000 where FileManager.default.fileExists(atPath: path) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
