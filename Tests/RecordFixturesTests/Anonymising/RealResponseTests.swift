import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Anonymised responses of a real server")
struct RealResponseTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test("Real responses lose user IDs, file names, checksums and locations")
  func realResponses() throws {
    guard let corpus = Place.corpus("web-services") else {
      print("skipped: there is no corpus of real responses")
      return
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
      .filter { $0.hasSuffix(".json") }.sorted()
    #expect(files.count == 11)
    for file in files {
      let path = corpus.appending(path: file).path
      let container = folder.path(file + ".sqlite")
      let responses = ResponseSet(try ResponseSource.sources(at: path))
      try Archiver().run(from: [.responses(responses)], into: .newContainer(path: container))
      let source = ArchiveSource.container(
        try ContainerStore.open(path: container, mode: .readOnly))
      var policy = try PolicyDraft(of: source).policy
      policy.defaultRule = .redact
      let out = folder.path(file + ".recordpack")
      try Anonymisation(policy, key: PseudonymTests.key()).write(source, to: out)
      let result = try BundleReader(path: out).recordsText()
      var strings: Set<String> = []
      try source.forEachRecord { record, _ in
        Self.collect(try record.jsonValue(), nil, &strings)
      }
      var needles = Needles()
      for string in strings { needles.add(Array(string.utf8), "\(file): '\(string.prefix(60))'") }
      #expect(needles.found(in: Array(result.utf8)) == [])
    }
  }

  /// Collects the values that are no words of the format.
  private static func collect(_ json: JSONValue, _ name: String?, _ strings: inout Set<String>) {
    let fixed = ["recordType", "type", "action", "size"]
    if let members = json.members {
      for member in members { collect(member.value, member.name, &strings) }
    } else if let elements = json.elements {
      for element in elements { collect(element, name, &strings) }
    } else if let text = json.string ?? json.numberText, text.utf8.count >= 8,
      name.map(fixed.contains) != true,
      ![ZoneID.currentUserOwnerName, ZoneID.defaultZoneName].contains(text)
    {
      strings.insert(text)
    }
  }
}

extension BundleReader {
  /// The JSON of all records.
  func recordsText() throws -> String {
    var text = ""
    try forEachRecord { record, _ in text += try record.jsonValue().compactText }
    return text
  }
}
