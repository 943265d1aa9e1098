import RecordCoding
import Testing

@testable import RecordBundle

@Suite("Steps between format versions")
struct FormatUpgradeTests {
  private func noting(_ name: String) -> FormatUpgrade.Step {
    { line in .object((line.members ?? []) + [.init(name, .bool(true))]) }
  }

  @Test("are taken one after the other, from the version a line has")
  func chain() throws {
    let current = BundleHeader.currentFormatVersion
    let upgrade = FormatUpgrade(steps: [
      current - 1: noting("last"), current - 2: noting("first"), current - 4: noting("lost"),
      current: noting("future"),
    ])
    #expect(upgrade.oldest == current - 2, "there is a gap before the fourth")
    func names(_ version: Int) throws -> [String] {
      try upgrade.upgraded(.object([]), from: version).members?.map(\.name) ?? []
    }
    #expect(try names(current - 2) == ["first", "last"])
    #expect(try names(current - 1) == ["last"])
    #expect(try names(current) == [])
    #expect(FormatUpgrade.standard.oldest <= current)
  }

  @Test("make the bytes a writer of today would have written")
  func canonical() throws {
    let line =
      #"{ "database":"private", "zoneID":{"ownerRecordName":"_defaultOwner","zoneName":"Z"}, "kind":"zone"}"#
    let buffer = ByteBuffer()
    var text = line
    try text.withUTF8 {
      try FormatUpgrade.standard.append(
        UnsafeRawBufferPointer($0), from: BundleHeader.currentFormatVersion,
        at: LineLocation(source: "x", line: 1), with: RecordJSONReader(), to: buffer)
    }
    let written = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(written.hasPrefix(#"{"kind":"zone","database":"private","zoneID":{"zoneName":"Z""#))
  }
}
