import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite("The header")
struct BundleHeaderTests {
  private func read(_ members: String) throws -> BundleHeader {
    let line = #"{"kind":"header","format":"recordpack","formatVersion":1\#(members)}"#
    return try Array(line.utf8).withUnsafeBytes { try BundleHeader(line: $0, of: "a.recordpack") }
  }

  @Test("that requires a feature nobody knows here is refused, and the feature named")
  func requirements() throws {
    for (names, unknown) in [(#"["accounts"]"#, "accounts"), (#"["x","flags"]"#, "'x', 'flags'")] {
      let error = #expect(throws: BundleError.self) { try read(#","requires":\#(names)"#) }
      #expect(error?.code == .tooNew)
      #expect(error?.message.contains(unknown) == true, "\(String(describing: error))")
      #expect(error?.message.contains("use a newer recordpack") == true)
    }
    for wrong in [#""accounts""#, "[1]", "{}"] {
      let error = #expect(throws: BundleError.self) { try read(#","requires":\#(wrong)"#) }
      #expect(error?.code == .malformed)
    }
    _ = try read(#","requires":[]"#)
  }

  @Test("keeps members that nobody knows here, and writes them back behind the others")
  func unknownMembers() throws {
    let line =
      #"{"kind":"header","format":"recordpack","formatVersion":1,"container":"c","schema":"S","a":[1.50,null],"z":{"b":1,"a":"é"}}"#
    let header = try Array(line.utf8).withUnsafeBytes { try BundleHeader(line: $0, of: "x") }
    #expect(header.container.otherMembers.map(\.name) == ["a", "z"])
    #expect(try header.jsonValue().compactText == line)
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a", container: header.container)
      _ = try writer.finish()
      let reader = try BundleReader(path: "\(folder)/a")
      #expect(reader.container == header.container)
      #expect(try reader.verify().isIntact)
    }
  }

  @Test("counts for the content without its place in a set, and in the first file only")
  func contentHash() throws {
    func hash(_ members: String) throws -> ContentHash {
      let line = #"{"kind":"header","format":"recordpack","formatVersion":1\#(members)}"#
      return try Array(line.utf8).withUnsafeBytes(BundleHeader.contentHash)
    }
    let whole = try hash(#","container":"c","x":1"#)
    #expect(try hash(#","container":"c","shard":{"number":1},"x":1"#) == whole)
    #expect(
      try hash(#","container":"c","shard":{"number":2,"previousSHA256":"00"},"x":1"#)
        == ContentHash())
    #expect(try hash(#","container":"d","x":1"#) != whole)
  }
}
