import RecordModel

extension SchemaRule {
  static let duplicateType = SchemaRule(
    "DUPLICATE_TYPE", .validate, .error,
    title: "A record type is defined twice",
    effect: "A name stands for one record type. Comparisons look at the first definition.",
    remedy: "Put the definitions together, or rename one.",
    evidence: [Evidence(.inference, "no real schema has it")],
    check: .schema { document, sink in
      var first: [NameKey: SourceSpan?] = [:]
      for type in document.schema.recordTypes {
        let name = NameKey(type.name)
        guard let earlier = first.updateValue(type.origin?.name, forKey: name) else { continue }
        sink.report(
          .type(type.name), "the record type '\(type.name)' is defined a second time",
          hint: earlier.map { "the definition before it is on line \($0.line)" },
          at: type.origin?.name)
      }
    })
}
