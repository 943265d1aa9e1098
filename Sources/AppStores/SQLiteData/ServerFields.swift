import Foundation
import RecordModel

/// The fields of a record as the sync engine would send them: those of the server's record, changed where
/// the app's row differs.
///
/// SQLiteData merges records by the times of their fields. A field with an equal value keeps its time, and
/// fields that the app does not have, such as those of its newer versions, stay.
///
/// Source: SQLiteData (`nextRecordZoneChangeBatch`, `CKRecord.setValue`, `setAsset`, `removeValue`).
struct ServerFields {
  static let time = "sqlitedata_icloud_userModificationTime"

  static func time(of column: String) -> String { "\(time)_\(column)" }

  private var fields: [ExactString: Field] = [:]
  /// Whether the fields of the server's record are known.
  private let hasServer: Bool
  /// The time of the row's last change; nil if the engine does not know the row.
  private let rowTime: Int64?

  init(_ state: SyncMetadata.State?) {
    hasServer = state?.fields != nil
    rowTime = state?.time
    for field in state?.fields ?? [] { fields[ExactString(field.name)] = field }
    if value(of: Self.time) == nil { set(time: Self.time) }
  }

  private func value(of name: String) -> RecordValue? { fields[ExactString(name)]?.value }

  /// Sets a time to that of the row, unless it is later.
  private mutating func set(time name: String) {
    guard let rowTime else { return }
    var time = rowTime
    if case .int64(let known) = value(of: name) { time = max(time, known) }
    fields[ExactString(name)] = Field(name: name, value: .int64(time), isEncrypted: true)
  }

  /// Sets the fields of a column.
  mutating func set(_ column: String, _ new: [Field]) {
    let isEqual = hasServer && isEqual(column, new)
    if new.isEmpty { fields[ExactString(column)] = nil }
    for field in new { fields[ExactString(field.name)] = field }
    let time = Self.time(of: column)
    if !isEqual {
      set(time: time)
      set(time: Self.time)
    } else if new.isEmpty, value(of: time) == nil {
      set(time: time)
    }
  }

  private func isEqual(_ column: String, _ new: [Field]) -> Bool {
    guard let first = new.first else { return value(of: column) == nil }
    // The value of an asset is in its hash.
    let compared = first.value.isOfAssets ? new.last ?? first : first
    return value(of: compared.name).map { Self.isEqual($0, compared.value) } ?? false
  }

  /// Whether the values of a server's field and of a column are equal. CloudKit has one type for numbers,
  /// and columns have dates as text or numbers.
  private static func isEqual(_ server: RecordValue, _ own: RecordValue) -> Bool {
    switch (server, own) {
    case (.int64(let a), .double(let b)), (.double(let b), .int64(let a)): Double(a) == b
    case (.timestamp(let date), .double(let number)): date.timeIntervalSince1970 == number
    case (.timestamp(let date), .int64(let number)): date.timeIntervalSince1970 == Double(number)
    case (.timestamp(let date), .string(let text)):
      self.date(text).map { abs($0.timeIntervalSince(date)) < 0.001 } ?? false
    default: server == own
    }
  }

  /// Reads a date as SQLite has it, such as `2026-12-01 08:30:00.000`.
  private static func date(_ text: String) -> Date? {
    let text = text.replacing(" ", with: "T") + (text.hasSuffix("Z") ? "" : "Z")
    return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: .iso8601))
  }

  var all: [Field] { Array(fields.values) }

  /// The names of the files that only the server has: their bytes are not in the store.
  var missingFiles: [String] {
    fields.values.filter { field in
      if case .asset(let asset) = field.value { asset.sha256 == nil } else { false }
    }.map(\.name)
  }
}
