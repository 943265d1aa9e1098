import RecordCoding
import RecordModel

/// The state for saving migration results in place, as an app would. Used by one thread.
final class Saving {
  /// The reader for results; another one is in use for the source.
  let reader = RecordJSONReader()
  private let limits: RecordLimits
  /// The shape of the last record that was checked against all limits.
  private var known: (recordType: String, zoneID: ZoneID, fields: [KnownField])?

  private struct KnownField {
    var name: String
    var type: ValueType
    var isEncrypted: Bool
  }

  init(_ limits: RecordLimits) { self.limits = limits }

  /// Checks a record against the limits of a save. Skips small records with the shape of the last
  /// one, if its values cannot exceed a limit.
  ///
  /// - Parameters:
  ///   - name: The record's name in UTF-8.
  ///   - size: The size of its JSON in bytes.
  /// - Throws: `CloudError` for a violation.
  func check(_ record: EditableRecord, name: UnsafeRawBufferPointer, size: Int) throws {
    // In JSON, a reference takes more than 32 bytes and an 8-byte number at least one.
    let isSmall = size / 32 <= limits.referenceCount && size * 8 <= limits.recordSize
    if isSmall, isPlain(name), isKnown(record) { return }
    try limits.check(DraftRecord(record.resultRecord))
    let fields = (0..<record.fieldCount).compactMap { index in
      record.valueType(at: index).map {
        KnownField(
          name: record.name(at: index), type: $0, isEncrypted: record.isEncrypted(at: index))
      }
    }
    known =
      fields.count == record.fieldCount
      ? (record.recordType, record.zoneID, fields) : nil
  }

  private func isPlain(_ name: UnsafeRawBufferPointer) -> Bool {
    1...limits.recordNameLength ~= name.count && name[0] != UInt8(ascii: "_")
      && name.allSatisfy { 0x21...0x7E ~= $0 }
  }

  private func isKnown(_ record: EditableRecord) -> Bool {
    guard let known, known.fields.count == record.fieldCount,
      known.recordType.sameScalars(as: record.recordType), known.zoneID == record.zoneID
    else { return false }
    return known.fields.indices.allSatisfy { index in
      let field = known.fields[index]
      return record.valueType(at: index) == field.type
        && record.isEncrypted(at: index) == field.isEncrypted
        && record.name(at: index).sameScalars(as: field.name)
        && fits(field.type, isNew: record.hasNewValue(at: index))
    }
  }

  /// Whether no value of a type can exceed a limit.
  private func fits(_ type: ValueType, isNew: Bool) -> Bool {
    switch type {
    case .location, .locationList, .asset, .assetList: false
    // JSON contains only finite numbers.
    case .double, .doubleList, .timestamp, .timestampList: !isNew
    default: true
    }
  }
}
