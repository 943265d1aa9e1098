import Foundation
import RecordCoding
import RecordModel

/// Responses of cktool and Canopy. Each input is read in both dialects.
struct DialectsTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    for dialect in [ResponseDialect.cktool, .canopy] {
      guard let contents = try? ResponseContents(Data(input), dialect: dialect) else { continue }
      for record in contents.records {
        checkCircle(record)
        checkAccess(record)
      }
      guard ResponseDialect.written.contains(dialect) else { continue }
      let page = requireNoError("writing what was read") {
        try Self.page(contents.records, dialect)
      }
      let back = requireNoError("reading the written page") {
        try ResponseContents(page, dialect: dialect)
      }
      require(back.unread.isEmpty, "what was written is not read: \(difference(page, input))")
      let again = requireNoError("writing it again") { try Self.page(back.records, dialect) }
      require(again == page, "records are written changed: \(difference(again, page))")
    }
  }

  static func page(_ records: [ResultRecord], _ dialect: ResponseDialect) throws -> Data {
    var page = Data()
    let stream = try ResponseStream(dialect) { page.append($0) }
    for record in records { try stream.append(record) }
    try stream.finish()
    return page
  }
}
