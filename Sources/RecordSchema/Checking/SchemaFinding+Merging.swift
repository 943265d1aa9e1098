import RecordModel

extension SchemaFinding {
  /// Merges the findings that one decision settles into the first of them, for reports for people.
  static func merged(_ findings: [SchemaFinding], of kind: SchemaCheckKind) -> [SchemaFinding] {
    var result: [SchemaFinding] = []
    var positions: [Decision: Int] = [:]
    for finding in findings {
      guard let decision = finding.decision(in: kind) else {
        result.append(finding)
        continue
      }
      if let position = positions[decision] {
        result[position].others.append(finding)
      } else {
        positions[decision] = result.count
        result.append(finding)
      }
    }
    return result
  }

  private struct Decision: Hashable {
    var rule: SchemaRule.ID
    var severity: SchemaSeverity
    var subject: SchemaSubject?
    var message: String
  }

  /// The fields that Core Data writes in every record type, so that types lack them together.
  private static let commonFields: Set<String> = [
    CoreDataNames.entityNameField, CoreDataNames.moveReceiptField,
  ]

  /// The decision that a finding shares with others: on all uses of a name in code, on a field that Core Data
  /// gives every type, or on information that differs in names only.
  ///
  /// - Returns: nil if the finding is a decision of its own.
  private func decision(in kind: SchemaCheckKind) -> Decision? {
    guard records == nil, subject != .schema else { return nil }
    var decision = Decision(rule: rule, severity: severity, subject: subject, message: "")
    if kind == .source { return decision }
    let isCommon = subject.field.map(Self.commonFields.contains) ?? false
    guard isCommon || severity == .info else { return nil }
    decision.subject = isCommon ? SchemaSubject(field: subject.field) : nil
    decision.message = message
    for name in [subject.recordType, subject.field, subject.role].compactMap({ $0 }) {
      decision.message = decision.message.replacingLiterally("'\(name)'", with: "''")
    }
    return decision
  }

  /// The number of places that a report for people lists.
  private static let maxPlaces = 10

  /// The other subjects, or the other places of the same subject, in words; nil without others.
  package var othersPhrase: String? {
    if others.isEmpty { return nil }
    guard others.allSatisfy({ $0.subject == subject }) else {
      return "the same for " + others.map(\.subject.description).joined(separator: ", ")
    }
    let places = others.compactMap { $0.location?.description }
    let rest = places.count - Self.maxPlaces
    return "also at " + places.prefix(Self.maxPlaces).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
