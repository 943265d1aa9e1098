extension RecordExpression {
  /// Whether the expression reads the record's name, type, zone or parent.
  var readsIdentity: Bool {
    root.contains { node in
      switch node {
      case .system(.recordName), .system(.recordType), .system(.zoneName), .system(.ownerName),
        .system(.parent):
        true
      default: false
      }
    }
  }

  /// Whether the expression converts references to names or names to references.
  var readsReferences: Bool {
    root.contains { node in
      switch node {
      case .call(.name, _, _), .call(.reference, _, _): true
      default: false
      }
    }
  }

  /// Returns the conjunction of two conditions.
  func and(_ other: RecordExpression) -> RecordExpression {
    RecordExpression(
      root: .binary(.and, root, other.root, column: 1), source: "(\(source)) and (\(other.source))")
  }
}
