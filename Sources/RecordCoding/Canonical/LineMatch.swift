import RecordModel

/// Finds record lines of a bundle that do not match the filters of a query, by reading them only up
/// to the fields that the filters compare. For one thread.
package final class LineMatch {
  private let filters: [FieldMatch]
  /// The last of the compared fields.
  private let last: FieldOrder

  /// - Returns: nil if no filter compares a field.
  package init?(_ match: QueryMatch) {
    filters = match.filters.filter(\.isForField).map(FieldMatch.init)
    guard let last = filters.map(\.field).max(by: { compareUTF8($0, $1) < 0 }) else { return nil }
    self.last = FieldOrder(last)
  }

  /// Whether the record of a line may match. False is certain.
  package func mayMatch(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader
  ) -> Bool {
    guard let parts = reader.leadingParts(ofLine: line, through: last) else { return true }
    return filters.allSatisfy { $0.matches(parts) }
  }
}

/// A filter that compares a field, with what it needs for records like the last one.
private final class FieldMatch {
  private let filter: CompiledFilter
  private var shape: RecordShape?
  /// The place of the field in the shape.
  private var index: Int?
  private var conversion: Conversion?

  /// The filter for values of one type in one zone.
  private struct Conversion {
    let type: ValueType
    let envelope: RecordEnvelope
    /// Nil if the filter is not converted.
    let filter: CompiledFilter?
  }

  init(_ filter: CompiledFilter) { self.filter = filter }

  var field: String { filter.field }

  func matches(_ parts: RecordParts) -> Bool {
    if shape !== parts.shape {
      shape = parts.shape
      index = parts.shape.index(of: field)
    }
    guard let index, !parts.entries[index].isEncrypted else { return false }
    let value = parts.value(at: index)
    guard let type = value.type, filter.mayConvert(for: type) else {
      return filter.matches(value, in: parts.envelope.zoneID)
    }
    if conversion?.type != type || conversion?.envelope !== parts.envelope {
      conversion = Conversion(
        type: type, envelope: parts.envelope,
        filter: filter.conversion(for: type, in: parts.envelope.zoneID))
    }
    return conversion?.filter?.matches(value, in: parts.envelope.zoneID)
      ?? filter.matches(value, in: parts.envelope.zoneID)
  }
}
