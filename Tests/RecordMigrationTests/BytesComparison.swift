import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordMigration

/// Migrates records as bytes, and compares the results with those of the same records as values.
enum BytesComparison {
  /// The record's canonical bytes, as they are once the content of its assets was stored.
  private static func bytes(of record: ResultRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    let fields = record.fields.map { $0.replacing(stored($0.value)) }
    try RecordJSONWriter().write(
      ResultRecord(systemFields: record.systemFields, fields: fields), to: buffer)
    return Array(buffer.bytes)
  }

  private static func stored(_ value: RecordValue) -> RecordValue {
    func stored(_ asset: Asset) -> Asset {
      var asset = asset
      asset.content = nil
      return asset
    }
    return switch value {
    case .asset(let asset): .asset(stored(asset))
    case .assetList(let assets): .assetList(assets.map(stored))
    default: value
    }
  }

  /// Takes the content out of new assets, as storing it does.
  private static func storeAssets(of record: EditableRecord) {
    for index in 0..<record.fieldCount where record.hasNewValue(at: index) {
      let field = record.field(at: index)
      let value = stored(field.value)
      if value != field.value { record.set(field.replacing(value)) }
    }
  }

  private static func values(_ bytes: [UInt8]) throws -> ResultRecord {
    let record = try bytes.withUnsafeBytes { try ResultRecord(json: JSONParser.parse($0)) }
    return ResultRecord(systemFields: record.systemFields, fields: Array(record.fields))
  }

  /// Runs records as bytes, one after the other as they lie in a bundle, and compares everything with
  /// runs of the same records as values, each alone: records as values are migrated step by step,
  /// whatever was learnt from others.
  ///
  /// - Returns: The number of records left behind.
  @discardableResult
  static func compare(
    _ records: [ResultRecord], _ environment: MigrationEnvironment, _ migrator: Migrator,
    _ what: String
  ) throws -> Int {
    let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    let (reader, record, buffer) = (RecordJSONReader(), EditableRecord(), ByteBuffer())
    var expectedReport = migrator.emptyReport()
    var expectedLeft: [RecordID] = []
    for source in records {
      let bytes = try bytes(of: source)
      let expected = try run(
        values(bytes), environment, migrator, &expectedReport, &expectedLeft)
      let line = RecordLine.opening(for: .private) + bytes.dropFirst()
      buffer.reset()
      try line.withUnsafeBytes { line in
        try #require(reader.load(record, from: line))
        try runner.run(record)
        #expect(runner.results.map(\.resultRecord) == expected, "\(what)")
        for result in runner.results {
          storeAssets(of: result)
          try result.write(to: buffer)
        }
      }
      #expect(try Array(buffer.bytes) == expected.flatMap(self.bytes), "\(what)")
      // What is written is canonical again: it can be read as bytes by the next migration.
      if expected.count == 1 {
        #expect(RecordJSONReader().readCanonical(buffer.bytes) != nil, "\(what)")
      }
    }
    let outcome = runner.takeOutcome()
    #expect(outcome.report == expectedReport, "\(what)")
    #expect(outcome.leftBehind.map(\.recordID) == expectedLeft, "\(what)")
    return expectedLeft.count
  }

  private static func run(
    _ record: ResultRecord, _ environment: MigrationEnvironment, _ migrator: Migrator,
    _ report: inout MigrationReport, _ leftBehind: inout [RecordID]
  ) throws -> [ResultRecord] {
    let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    try runner.run(EditableRecord(record, in: .private))
    let outcome = runner.takeOutcome()
    report.add(outcome.report)
    leftBehind += outcome.leftBehind.map(\.recordID)
    return runner.results.map(\.resultRecord)
  }
}
