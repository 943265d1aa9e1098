import RecordArchive
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Texts that only look the same, and names of the signed-in user")
struct ExactValueTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  /// Five persons; the last one writes the text in another way.
  private func source(_ value: (String) -> RecordValue = { .string($0) }) throws -> ArchiveSource {
    try maker.source(
      (0..<5).map { number in
        SourceMaker.record(
          "\(number)", by: "_user\(number)",
          ["v": value(number == 4 ? Self.decomposed : Self.composed)])
      })
  }

  @Test("count as different values", arguments: [false, true])
  func values(inList: Bool) throws {
    let source = try source { inList ? .stringList([$0]) : .string($0) }
    let frequent = try maker.run("types: {Note: {v: {keep-if: 5}}}", source)
    #expect(frequent.report.fields[.init(recordType: "Note", field: "v")]?.kept == 0)
    let enough = try maker.run("types: {Note: {v: {keep-if: 4}}}", source)
    #expect(enough.report.fields[.init(recordType: "Note", field: "v")]?.kept == 4)
    let verdict = try maker.run("types: {Note: {v: keep}}", source).report.verdict
    #expect(verdict.alone == 1 && verdict.traces == [.init(name: "Note.v", alone: 1)])
  }

  @Test("are kept where the policy lists them, and not otherwise")
  func lists() throws {
    let records = try maker.run("types: {Note: {v: {keep: [\(Self.composed)]}}}", source()).records
    let texts = records.compactMap { $0["v"] as String? }
    #expect(texts.filter { $0.sameScalars(as: Self.composed) }.count == 4)
    #expect(texts.filter { $0 == "redacted" }.count == 1)
    let both = "{keep: [\(Self.composed), \(Self.decomposed)]}"
    let all = try maker.run("types: {Note: {v: \(both)}}", source()).records
    #expect(!all.contains { $0["v"] == "redacted" })
  }

  @Test(
    "The signed-in user is one person, by both names",
    arguments: [
      { RecordValue.string($0) },
      { .reference(Reference(recordID: RecordID(recordName: $0))) },
    ] as [@Sendable (String) -> RecordValue])
  func signedInUser(_ person: @Sendable (String) -> RecordValue) throws {
    let source = try maker.source(
      ["_owner", "_other", ZoneID.currentUserOwnerName].enumerated().map {
        SourceMaker.record("\($0)", by: "_doctor", ["p": person($1), "s": .string("x")])
      })
    let yaml = "persons: {Note: p}\ntypes: {Note: {p: identifier, s: {keep-if: 3}}}"
    let (report, records, _) = try maker.run(yaml, source)
    #expect(report.verdict.persons == 2)
    #expect(Set(SourceMaker.texts("s", records)) == ["redacted"])
  }
}
