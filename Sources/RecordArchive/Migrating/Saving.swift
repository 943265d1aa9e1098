import RecordCoding
import RecordModel

/// What it takes to save the results of a migration in their place, as an app would save them.
///
/// It belongs to one thread.
final class Saving {
  /// Reads the results, while another reader holds the source.
  let reader = RecordJSONReader()
  private let limits: RecordLimits
  /// What the last record that was held to all limits was made of.
  private var known: (recordType: String, zoneID: ZoneID, fields: [KnownField])?

  private struct KnownField {
    var name: String
    var type: ValueType
    var isEncrypted: Bool
  }

  init(_ limits: RecordLimits) { self.limits = limits }

  /// Holds a record to the limits of a save. Small records with the same names, and values that
  /// cannot break a limit, are looked at once.
  ///
  /// - Parameters:
  ///   - name: the record's name in UTF-8.
  ///   - size: bytes of the dictionary.
  /// - Throws: `CloudError` with a violation.
  func check(_ record: EditableRecord, name: UnsafeRawBufferPointer, size: Int) throws {
    // A reference takes more than 32 bytes, and a number of 8 at least one.
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

  /// Whether no value of a type breaks a limit.
  private func fits(_ type: ValueType, isNew: Bool) -> Bool {
    switch type {
    case .location, .locationList, .asset, .assetList: false
    // JSON holds finite numbers only.
    case .double, .doubleList, .timestamp, .timestampList: !isNew
    default: true
    }
  }
}
