import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// Random records come back with all that their dialect can say.
@Suite struct DialectRoundTripTests {
  @Test(
    "random records come back equal in what the dialect can say",
    arguments: ResponseDialect.written)
  func randomRecords(_ dialect: ResponseDialect) throws {
    var model = RandomModel(seed: 41)
    for round in 0..<10 {
      model.hasExtremeDates = round > 4
      let records = (0..<40).map { _ in model.record() }
      let (page, losses) = try Self.page(records, dialect)
      let contents = try ResponseContents(page, dialect: dialect)
      #expect(contents.unread.isEmpty, "\(contents.unread.first.map(String.init) ?? "")")
      let expected = records.map { $0.said(in: dialect) }
      #expect(contents.records.count == expected.count)
      for (record, expected) in zip(contents.records, expected) { #expect(record == expected) }
      #expect(losses.isEmpty == (dialect == .webServices))
      let again = try Self.page(contents.records, dialect)
      #expect(again.page == page)
      #expect(again.losses.isEmpty, "\(again.losses.clauses)")
    }
  }

  static func page(
    _ records: [ResultRecord], _ dialect: ResponseDialect
  ) throws -> (page: Data, losses: ResponseLosses) {
    var page = Data()
    let stream = try ResponseStream(dialect) { page.append($0) }
    for record in records { try stream.append(record) }
    try stream.finish()
    return (page, stream.losses)
  }
}

extension ResultRecord {
  /// The record with what a dialect can say of it.
  fileprivate func said(in dialect: ResponseDialect) -> ResultRecord {
    guard dialect == .canopy else { return self }
    var systemFields = systemFields
    systemFields.created = systemFields.created?.inMock
    systemFields.modified = systemFields.modified?.inMock
    systemFields.parent = systemFields.parent?.inMock
    systemFields.share = systemFields.share?.inMock
    systemFields.otherMembers = []
    let fields = fields.compactMap { field in
      field.value.inMock.map {
        Field(name: field.name, value: $0, isEncrypted: field.isEncrypted)
      }
    }
    return ResultRecord(systemFields: systemFields, fields: fields)
  }
}

extension RecordStamp {
  fileprivate var inMock: RecordStamp? {
    let stamp = RecordStamp(date: date, userRecordName: userRecordName)
    return stamp == RecordStamp() ? nil : stamp
  }
}

extension Reference {
  fileprivate var inMock: Reference {
    Reference(recordID: recordID, action: action == .validate ? .none : action)
  }
}

extension Location {
  fileprivate var inMock: Location {
    var location = self
    location.otherMembers = []
    return location
  }
}

extension Asset {
  fileprivate var inMock: Asset? {
    downloadURL.flatMap { URL(string: $0) == nil ? nil : Asset(downloadURL: $0) }
  }
}

extension RecordValue {
  fileprivate var inMock: RecordValue? {
    switch self {
    case .reference(let reference): return .reference(reference.inMock)
    case .referenceList(let list) where !list.isEmpty: return .referenceList(list.map(\.inMock))
    case .location(let location): return .location(location.inMock)
    case .locationList(let list) where !list.isEmpty: return .locationList(list.map(\.inMock))
    case .asset(let asset): return asset.inMock.map { .asset($0) }
    case .assetList(let list) where !list.isEmpty:
      let assets = list.compactMap(\.inMock)
      return assets.count == list.count ? .assetList(assets) : nil
    case .unknown: return nil
    default: return elements?.isEmpty == true ? .emptyList : self
    }
  }
}
