import CloudInterface
import MockCloud
import RecordModel
import RecordSchema
import Testing

/// Refused saves leave no trace in the schema, whatever refuses them.
struct SchemaTraceTests {
  private let other = ZoneID(zoneName: "Other")

  /// A note with a new field whose parent does not exist.
  private func orphan(_ name: String, in zoneID: ZoneID = notes) -> DraftRecord {
    var draft = note(name, in: zoneID, "new", .int64(1))
    draft.parent = Reference(recordID: id("nobody", in: zoneID))
    return draft
  }

  @Test("a record that another rule refuses creates nothing", arguments: [true, false])
  func refused(atomically: Bool) async throws {
    let container = try await makeContainer(.development)
    let database = container.privateCloudDatabase
    try await database.save(note("known", "text", .string("x")))
    let answer = try await database.modifyRecords(
      saving: [orphan("a"), note("known", "newer", .int64(1))], deleting: [],
      atomically: atomically)
    let saved = answer.saveResults.values.filter(\.isSuccess)
    #expect(saved.isEmpty)
    #expect(try container.schemaText == noteSchema)
  }

  @Test("an atomic zone creates nothing if one of its records is refused; another zone does")
  func atomicZone() async throws {
    let container = try await makeContainer(.development)
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: other))
    let answer = try await database.modifyRecords(
      saving: [
        note("a", "new", .int64(1)), note("b", "text", .int64(1)),
        // This would not fit the field that the first zone does not create.
        note("c", in: other, "new", .string("x")),
      ], deleting: [])
    #expect(answer.saveResults[id("a")]?.cloudError?.code == .batchRequestFailed)
    #expect(answer.saveResults[id("b")]?.cloudError?.code == .invalidArguments)
    #expect(answer.saveResults[id("c", in: other)]?.isSuccess == true)
    #expect(try container.field("new")?.type == .string)
  }

  @Test("a zone that fails by a deletion creates nothing")
  func deletion() async throws {
    let container = try await makeContainer(.development)
    let database = container.privateCloudDatabase
    try await database.modifyRecords(
      saving: [note("p"), note("c", below: "p")], deleting: [])
    let answer = try await database.modifyRecords(
      saving: [
        note("a", "links", .stringList(["x"])), note("b", in: .default, "links", .emptyList),
      ],
      deleting: [id("p")])
    #expect(answer.deleteResults[id("p")]?.cloudError?.code == .referenceViolation)
    #expect(answer.saveResults[id("a")]?.cloudError?.code == .batchRequestFailed)
    // It would need the field.
    let second = answer.saveResults[id("b", in: .default)]?.cloudError
    #expect(second?.message.hasPrefix("cannot use an empty list") == true)
    #expect(try container.schemaText == noteSchema)
  }

  @Test("without atomicity, a child fails with the parent that the schema refuses")
  func parent() async throws {
    let container = try await makeContainer(.production)
    let database = container.privateCloudDatabase
    let answer = try await database.modifyRecords(
      saving: [note("c", below: "p"), note("p", "new", .int64(1)), note("d")], deleting: [],
      atomically: false)
    #expect(answer.saveResults[id("p")]?.cloudError?.code == .invalidArguments)
    #expect(answer.saveResults[id("c")]?.cloudError?.code == .referenceViolation)
    #expect(try database.names() == ["d"])
  }
}
