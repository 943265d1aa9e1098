import RecordModel

extension RecordValue {
  /// The value in another type of field, if that holds the same: numbers only.
  func fitted(to type: ValueType?) -> RecordValue {
    switch (self, type) {
    case (.int64(let number), .double):
      Double(exactly: number).map(RecordValue.double) ?? self
    case (.double(let number), .int64):
      Int64(exactly: number).map(RecordValue.int64) ?? self
    default: self
    }
  }

  /// Whether all numbers of the value are finite, as those of a field must be.
  var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .timestamp(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .doubleList(let list): list.allSatisfy(\.isFinite)
    case .timestampList(let list):
      list.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite)
    default: true
    }
  }

  /// The type and, where that is short, the value; an encrypted value is left out.
  func description(isEncrypted: Bool) -> String {
    if isEncrypted { return "an encrypted \(typeName)" }
    switch self {
    case .int64(let number): return "INT64 \(number)"
    case .double(let number): return "DOUBLE \(number)"
    case .string(let text):
      return text.count <= 40 ? "STRING \"\(text)\"" : "STRING \"\(text.prefix(40))…\""
    default: return typeName
    }
  }
}
