import struct Foundation.Date

extension RecordValue: Hashable {
  /// Whether type and content are equal; doubles and dates by their bits, text by its Unicode
  /// scalars.
  public static func == (lhs: RecordValue, rhs: RecordValue) -> Bool {
    switch (lhs, rhs) {
    case (.string(let a), .string(let b)): a.sameScalars(as: b)
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.timestamp(let a), .timestamp(let b)): a.bits == b.bits
    case (.bytes(let a), .bytes(let b)): a == b
    case (.location(let a), .location(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.asset(let a), .asset(let b)): a == b
    case (.unknown(let a, let x), .unknown(let b, let y)): a.sameScalars(as: b) && x == y
    default: lhs.type == rhs.type && lhs.type?.isList == true && lhs.elements == rhs.elements
    }
  }

  /// Hashes the type and the content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(typeName)
    switch self {
    case .string(let value): hasher.combine(value)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .timestamp(let value): hasher.combine(value.bits)
    case .bytes(let value): hasher.combine(value)
    case .location(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .asset(let value): hasher.combine(value)
    case .unknown(_, let json): hasher.combine(json)
    default: hasher.combine(elements)
    }
  }
}

extension Date {
  /// The bits of `timeIntervalSinceReferenceDate`, the seconds since 2001.
  package var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}
