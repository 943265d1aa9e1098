import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordStore
import TestSupport

@testable import RecordFixtures

/// Containers of a few records, and what an anonymisation makes of them.
struct SourceMaker {
  let folder: TestFolder
  static let zoneID = ZoneID(zoneName: "Notes")

  init() throws { folder = try TestFolder() }

  static func record(
    _ name: String, _ type: String = "Note", by user: String? = nil, zone: ZoneID = zoneID,
    parent: String? = nil, _ fields: [String: RecordValue] = [:]
  ) -> ResultRecord {
    let id = RecordID(recordName: name, zoneID: zone)
    let stamp = RecordStamp(date: Date(timeIntervalSince1970: 1_600_000_000), userRecordName: user)
    return ResultRecord(
      systemFields: SystemFields(
        recordID: id, recordType: type, created: stamp,
        parent: parent.map { Reference(recordID: RecordID(recordName: $0, zoneID: zone)) }),
      fields: fields.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) })
  }

  static func record(_ name: String, _ fields: [String: RecordValue]) -> ResultRecord {
    record(name, "Note", fields)
  }

  func source(
    _ records: [ResultRecord], schema: String? = nil,
    _ more: (ImportTransaction) throws -> Void = { _ in }
  ) throws -> ArchiveSource {
    var info = ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_owner")
    info.schema = schema
    let path = folder.path("\(UUID()).sqlite")
    try ContainerStore.build(path: path, info: info) { writer in
      for zone in Set(records.map(\.recordID.zoneID)).union([Self.zoneID]) {
        try writer.add(RecordZone(zoneID: zone), to: .private)
      }
      for record in records { try writer.add(record, to: .private) }
      try more(writer)
    }
    return .container(try ContainerStore.open(path: path, mode: .readOnly))
  }

  /// A source with one record of these fields.
  func source(fields: [Field], schema: String? = nil) throws -> ArchiveSource {
    let system = SystemFields(
      recordID: RecordID(recordName: "note", zoneID: Self.zoneID), recordType: "Note",
      recordChangeTag: "1")
    return try source([ResultRecord(systemFields: system, fields: fields)], schema: schema)
  }

  static func policy(_ yaml: String) throws -> AnonymisationPolicy {
    try AnonymisationPolicy(yaml: "recordpack-policy: 1\n" + yaml)
  }

  static func anonymisation(_ yaml: String) throws -> Anonymisation {
    Anonymisation(try policy(yaml), key: try PseudonymTests.key())
  }

  /// The fields that replace those of one record.
  func fields(_ yaml: String, _ fields: [Field]) throws -> [Field] {
    let records = try run(yaml, source(fields: fields)).records
    return records.flatMap { Array($0.fields) }
  }

  /// The report, and the records in the order of the result.
  func run(
    _ yaml: String, _ source: ArchiveSource, filter: RecordFilter = .all
  ) throws -> (report: AnonymisationReport, records: [ResultRecord], path: String) {
    var anonymisation = try Self.anonymisation(yaml)
    anonymisation.archiver.filter = filter
    let path = folder.path("\(UUID()).recordpack")
    let report = try anonymisation.write(source, to: path)
    var records: [ResultRecord] = []
    try BundleReader(path: path).forEachRecord { record, _ in records.append(record) }
    return (report, records, path)
  }

  /// The values of a field, sorted.
  static func texts(_ name: String, _ records: [ResultRecord]) -> [String] {
    records.compactMap { $0[name] as String? }.sorted()
  }
}
