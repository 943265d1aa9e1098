extension SchemaRule {
  /// The text of a finding. Only built if the finding is listed.
  struct Note {
    let message: () -> String
    let hint: () -> String?

    init(
      _ message: @autoclosure @escaping () -> String,
      hint: @autoclosure @escaping () -> String? = nil
    ) {
      self.message = message
      self.hint = hint
    }
  }
}

/// Checks that report each element of a kind for which `note` returns text.
extension SchemaRule.Check {
  typealias Note = SchemaRule.Note
  typealias FieldSpan = KeyPath<CloudSchema.Field, SourceSpan?> & Sendable

  static func fields(
    at span: FieldSpan = \.nameSpan,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note?
  ) -> Self {
    .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields {
          guard let note = note(field, type.name) else { continue }
          sink.report(.field(field.name, of: type.name), note, at: field[keyPath: span])
        }
      }
    }
  }

  /// Checks the fields that are in both schemas and differ.
  static func changedFields(
    _ question: SchemaQuestion, at span: FieldSpan = \.nameSpan,
    _ note: @escaping @Sendable (NamedPair<CloudSchema.Field>, _ type: String) -> Note?
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields {
          guard let note = note(field, type.name) else { continue }
          sink.report(
            .field(field.name, of: type.name), note, at: field.to[keyPath: span],
            former: field.from[keyPath: span])
        }
      }
    }
  }

  /// Checks the fields that only the new schema has, in types that both have.
  static func addedFields(
    _ question: SchemaQuestion,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for type in comparison.types {
        for field in type.addedFields {
          let subject = SchemaSubject.field(field.name, of: type.name)
          sink.report(subject, note(field, type.name), at: field.nameSpan)
        }
      }
    }
  }

  /// Checks the fields that only the old schema has, in types that both have.
  static func removedFields(
    _ question: SchemaQuestion,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for type in comparison.types {
        for field in type.removedFields {
          let subject = SchemaSubject.field(field.name, of: type.name)
          sink.report(subject, note(field, type.name), former: field.nameSpan)
        }
      }
    }
  }

  static func changedGrants(
    _ question: SchemaQuestion,
    _ note: @escaping @Sendable (NamedPair<CloudSchema.Grant>, _ type: String) -> Note?
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants {
          guard let note = note(grant, type.name) else { continue }
          sink.report(
            .grant(to: grant.name, on: type.name), note, at: grant.to.nameSpan,
            former: grant.from.nameSpan)
        }
      }
    }
  }

  /// Checks the record types or roles that only the new schema has.
  static func added<Element: TopLevelElement>(
    _ elements: KeyPath<SchemaComparison, [Element]> & Sendable, _ question: SchemaQuestion,
    _ note: @escaping @Sendable (Element) -> Note
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for element in comparison[keyPath: elements] {
        sink.report(element.subject, note(element), at: element.nameSpan)
      }
    }
  }

  /// Checks the record types or roles that only the old schema has.
  static func removed<Element: TopLevelElement>(
    _ elements: KeyPath<SchemaComparison, [Element]> & Sendable, _ question: SchemaQuestion,
    _ note: @escaping @Sendable (Element) -> Note?
  ) -> Self {
    .comparison([question]) { comparison, sink in
      for element in comparison[keyPath: elements] {
        guard let note = note(element) else { continue }
        sink.report(element.subject, note, former: element.nameSpan)
      }
    }
  }

  /// Combines comparisons for one question.
  static func all(_ question: SchemaQuestion, _ checks: [Self]) -> Self {
    .comparison([question]) { comparison, sink in
      for case .comparison(_, let body) in checks { body(comparison, &sink) }
    }
  }

  /// Reports the problems that ``RecordCheck`` found under the rule.
  static func data(hint: String) -> Self {
    .records { check, sink in check.report(hint: hint, to: &sink) }
  }

  /// Checks the fields that the predicates of subscriptions compare. The field is `nil` if
  /// production does not have it.
  static func comparedFields(
    _ note:
      @escaping @Sendable (
        CloudSchema.Field?, SubscriptionRequirements, SubscriptionRequirements.Comparison,
        _ type: String
      ) -> Note?
  ) -> Self {
    .records { check, sink in
      for watch in check.subscriptions {
        guard let type = watch.recordType.flatMap({ check.production[$0] }) else { continue }
        for filter in watch.comparisons {
          let field = filter.field(of: type.name, in: check.production)
          guard let note = note(field, watch, filter, type.name) else { continue }
          sink.report(.field(field?.name ?? filter.name, of: type.name), note)
        }
      }
    }
  }
}
