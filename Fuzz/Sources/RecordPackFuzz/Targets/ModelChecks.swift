import RecordSchema

/// What holds for the model of any bytes.
enum ModelChecks {
  static func check(_ model: MirroredModel, size: Int) {
    for problem in model.problems {
      require(
        (problem.location?.span.endOffset ?? 0) <= max(size, 1), "a problem is outside of the file")
    }
    let document = SchemaDocument(model)
    let report = requireNoError("a model is checked") { try SchemaChecker().validate(document) }
    _ = report.text(as: .text)
    let production = SchemaDocument(document.schema, name: "production")
    let drift = requireNoError("a model is compared with its schema") {
      try SchemaChecker().compare(from: production, to: document, kind: .drift)
    }
    require(
      !drift.findings.contains { $0.rule == "FIELD_NOT_DEPLOYED" },
      "a model needs a field that its schema lacks")
  }
}
