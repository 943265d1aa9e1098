import RecordModel

extension SchemaRule {
  static let duplicateType = SchemaRule(
    id: "DUPLICATE_TYPE", category: .validate, defaultSeverity: .error,
    title: "A record type is defined twice",
    effect: """
      A schema can have only one record type with a name. Comparisons use the first definition.
      """,
    remedy: "Merge the definitions, or rename one.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, sink in
      var first: [NameKey: SourceSpan?] = [:]
      for type in document.schema.recordTypes {
        let name = NameKey(type.name)
        guard let earlier = first.updateValue(type.origin?.name, forKey: name) else { continue }
        sink.report(
          .type(type.name), "the record type '\(type.name)' is defined twice",
          hint: earlier.map { "the first definition is on line \($0.line)" }, at: type.origin?.name)
      }
    })
}
