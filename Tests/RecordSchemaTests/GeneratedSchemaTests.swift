import Testing

@testable import RecordSchema

@Suite("Generated schemas")
struct GeneratedSchemaTests {
  static let seeds = 1...100

  @Test("printing and reading is identity, comments and order included")
  func printAndParse() throws {
    for seed in Self.seeds {
      var generator = SchemaGenerator(seed: UInt64(seed))
      let schema = generator.schema()
      let printed = SchemaPrinter(order: .asWritten).print(schema)
      let document = SchemaDocument(parsing: printed)
      #expect(
        document.diagnostics.isEmpty, "seed \(seed): \(document.diagnosticText())\n\(printed)")
      #expect(document.schema == schema, "seed \(seed):\n\(printed)")
    }
  }

  @Test("the canonical text is a fixed point and means the same")
  func canonicalText() throws {
    for seed in Self.seeds {
      var generator = SchemaGenerator(seed: UInt64(seed))
      let schema = generator.schema()
      let printed = SchemaPrinter().print(schema)
      let again = try SchemaDocument(parsing: printed).validSchema()
      #expect(again == schema.canonicalized(), "seed \(seed)")
      #expect(SchemaPrinter().print(again) == printed, "seed \(seed)")
      #expect(again.semanticForm() == schema.semanticForm(), "seed \(seed)")
    }
  }

  @Test("a schema does not differ from itself, in whatever order and with whatever comments")
  func selfDifference() {
    for seed in Self.seeds {
      var generator = SchemaGenerator(seed: UInt64(seed))
      let schema = generator.schema()
      #expect(SchemaDiff(from: schema, to: schema).isEmpty, "seed \(seed)")
      #expect(SchemaDiff(from: schema, to: schema.canonicalized()).isEmpty, "seed \(seed)")
      #expect(SchemaDiff(from: schema.semanticForm(), to: schema).isEmpty, "seed \(seed)")
    }
  }

  @Test("the difference applied to one schema gives the other")
  func applyDifference() {
    var changes = 0
    for seed in Self.seeds {
      var generator = SchemaGenerator(seed: UInt64(seed))
      let a = generator.schema()
      let b = seed.isMultiple(of: 2) ? generator.edited(a) : generator.schema()
      let diff = SchemaDiff(from: a, to: b)
      changes += diff.changes.count
      #expect(a.applying(diff).semanticForm() == b.semanticForm(), "seed \(seed)")
      #expect(diff.isEmpty == (a.semanticForm() == b.semanticForm()), "seed \(seed)")
    }
    #expect(changes > 1000, "the generator makes schemas that differ")
  }

  @Test("no difference is passed over in silence, in either question")
  func everyDifferenceIsReported() throws {
    let configuration = SchemaConfiguration()
    let checker = SchemaChecker(configuration: configuration)
    for seed in Self.seeds {
      var generator = SchemaGenerator(seed: UInt64(seed))
      let a = generator.schema()
      let b = generator.edited(a)
      for kind in [SchemaCheckKind.deploy, .drift] {
        // Of `Users` left out, nothing is said of what the server alone decides on.
        let changes = SchemaComparison(from: a, to: b, kind: kind).changes
        let subjects = Set(changes.map(\.subject))
        let report = try checker.compare(
          from: SchemaDocument(a, name: "a"), to: SchemaDocument(b, name: "b"), kind: kind)
        let comparing = report.findings.filter { finding in
          if case .comparison = SchemaRule.named(finding.rule)?.check { return true }
          return false
        }
        let found = Set(comparing.filter { $0.rule != "USERS_TYPE_MISSING" }.map(\.subject))
        #expect(found.isSuperset(of: subjects), "seed \(seed), \(kind)")
        // Open grants of a new type are told apart from the type.
        let further = found.subtracting(subjects).filter { $0.role == nil }
        #expect(further.isEmpty, "seed \(seed), \(kind)")
      }
    }
  }
}
