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
    case (.stringList(let a), .stringList(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.sameScalars(as: $1) }
    case (.int64List(let a), .int64List(let b)): a == b
    case (.doubleList(let a), .doubleList(let b)): a.map(\.bitPattern) == b.map(\.bitPattern)
    case (.timestampList(let a), .timestampList(let b)): a.map(\.bits) == b.map(\.bits)
    case (.bytesList(let a), .bytesList(let b)): a == b
    case (.locationList(let a), .locationList(let b)): a == b
    case (.referenceList(let a), .referenceList(let b)): a == b
    case (.assetList(let a), .assetList(let b)): a == b
    case (.emptyList, .emptyList): true
    case (.unknown(let a, let x), .unknown(let b, let y)): a.sameScalars(as: b) && x == y
    default: false
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
    case .stringList(let value): hasher.combine(value)
    case .int64List(let value): hasher.combine(value)
    case .doubleList(let value): hasher.combine(value.map(\.bitPattern))
    case .timestampList(let value): hasher.combine(value.map(\.bits))
    case .bytesList(let value): hasher.combine(value)
    case .locationList(let value): hasher.combine(value)
    case .referenceList(let value): hasher.combine(value)
    case .assetList(let value): hasher.combine(value)
    case .emptyList: break
    case .unknown(_, let json): hasher.combine(json)
    }
  }
}

extension Date {
  /// The bits of `timeIntervalSinceReferenceDate`, the seconds since 2001.
  package var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}
