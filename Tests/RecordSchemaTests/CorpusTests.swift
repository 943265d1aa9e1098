import Testing

@testable import RecordSchema

@Suite("Real schema files", .enabled(if: Corpus.isPresent, "the corpus is not beside the package"))
struct CorpusTests {
  /// Files (all versions, or those named) in Apple's export form, sorted as exports are.
  static let exportForm: [String: [String]] = [
    "2001Y__app-4-marin": [], "alexanderchopan__casberi": [], "cozyGarage__TablePro": [],
    "frasergraham__HexRain": [], "frasergraham__Hexfall": [], "fritzzetik__hv-melde-app": [],
    "pagoda8__Walking-Buddy": [], "pvillareal__gutenberg-rdf-parser": [],
    "kasianov-mikhail__scout": ["/001-", "/002-", "/003-"],
    "robbiet480__Dispatch": ["/CloudKit__schema.ckdb/"],
    "apple__sample-cloudkit-tooling": ["src__sample", "coins_v1", "empty"],
  ]

  /// In export form but for the order of types or fields, as people add at the end.
  static let exportFormUnsorted: [String: [String]] = [
    "MoYuM__AngelLive": [], "furfarch__furfarchApp25001": [],
    "apple__sample-cloudkit-tooling": ["github-action", "coins_v2"],
    "kasianov-mikhail__scout": ["/004-", "/005-", "/006-", "/007-", "/008-"],
  ]

  static func isListed(_ file: Corpus.File, in list: [String: [String]]) -> Bool {
    let owner = file.path.split(separator: "/").first.map(String.init) ?? ""
    guard let parts = list[owner] else { return false }
    return parts.isEmpty || parts.contains { file.path.contains($0) }
  }

  @Test("the corpus is whole")
  func corpusIsWhole() {
    #expect(Corpus.files.count == 56)
    #expect(Corpus.pairs.count == 24)
  }

  @Test("parses without error or warning", arguments: Corpus.files)
  func parses(_ file: Corpus.File) throws {
    let document = SchemaDocument(parsing: try file.bytes, name: file.path)
    #expect(document.diagnostics.isEmpty, "\(document.diagnosticText())")
    #expect(!document.schema.recordTypes.isEmpty)
  }

  @Test("comes back byte for byte where it is in export form", arguments: Corpus.files)
  func exportFormIsKept(_ file: Corpus.File) throws {
    let document = SchemaDocument(parsing: try file.bytes, name: file.path)
    let isExport = Self.isListed(file, in: Self.exportForm)
    let isUnsorted = Self.isListed(file, in: Self.exportFormUnsorted)
    #expect(SchemaPrinter(order: .canonical).isPrinted(document) == isExport)
    #expect(SchemaPrinter(order: .asWritten).isPrinted(document) == (isExport || isUnsorted))
  }

  @Test("print after parse is a fixed point and changes no meaning", arguments: Corpus.files)
  func printIsAFixedPoint(_ file: Corpus.File) throws {
    let schema = try SchemaDocument(parsing: try file.bytes, name: file.path).validSchema()
    for order in [SchemaPrinter.Order.canonical, .asWritten] {
      let printed = SchemaPrinter(order: order).print(schema)
      let again = try SchemaDocument(parsing: printed).validSchema()
      #expect(SchemaPrinter(order: order).print(again) == printed)
      #expect(again.semanticForm() == schema.semanticForm())
      #expect(Set(Self.comments(of: again)) == Set(Self.comments(of: schema)))
    }
  }

  static func comments(of schema: CloudSchema) -> [String] {
    var all = schema.comments.all
    for role in schema.roles { all += role.comments.all }
    for type in schema.recordTypes {
      all += type.comments.all
      for field in type.fields { all += field.comments.all }
      for grant in type.grants { all += grant.comments.all }
    }
    return all.map(\.source)
  }

  @Test("every comment of a file is kept", arguments: Corpus.files)
  func commentsAreKept(_ file: Corpus.File) throws {
    let bytes = try file.bytes
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("//") || $0.hasPrefix("--") }
      .map { CloudSchema.Comment.trimmingEnd(String($0)) }
    let schema = SchemaDocument(parsing: bytes).schema
    #expect(Self.comments(of: schema) == lines)
  }

  @Test("a real edit is classified as it was", arguments: Corpus.pairs)
  func pairs(_ pair: Corpus.Pair) throws {
    let report = try SchemaChecker().compare(
      from: SchemaDocument(parsing: try pair.from.bytes, name: "from"),
      to: SchemaDocument(parsing: try pair.to.bytes, name: "to"))
    let refused = report.findings.contains {
      ($0.category == .deploy || $0.category == .client) && $0.severity == .error
    }
    #expect(refused == !pair.isAdditive, "\(report.text(as: .text))")
    let rules: [(event: String, rule: SchemaRule.ID)] = [
      ("type-added", "RECORD_TYPE_ADDED"), ("field-added", "FIELD_ADDED"),
      ("field-removed", "FIELD_REMOVED"), ("type-removed", "RECORD_TYPE_REMOVED"),
    ]
    for (event, rule) in rules {
      let count = report.findings.count { $0.rule == rule }
      #expect(count == pair.events[event] ?? 0, "\(event): \(report.text(as: .text))")
    }
    // The list counts options; a finding names all that a field gains or loses.
    let events: [(event: String, rule: SchemaRule.ID)] = [
      ("index-added", "INDEX_ADDED"), ("index-removed", "INDEX_REMOVED"),
    ]
    for (event, rule) in events {
      let words = report.findings.filter { $0.rule == rule }.flatMap {
        $0.message.split { " ,".contains($0) }
      }
      let count = words.count {
        CloudSchema.IndexOptions.keywords.map(\.keyword).contains(String($0))
      }
      #expect(count == pair.events[event] ?? 0, "\(event): \(report.text(as: .text))")
    }
  }

  @Test("scout's rename of user_id is recognised in every type")
  func scoutRename() throws {
    let pair = try #require(Corpus.pairs.first { !$0.isAdditive })
    let report = try SchemaChecker().compare(
      from: SchemaDocument(parsing: try pair.from.bytes, name: "from"),
      to: SchemaDocument(parsing: try pair.to.bytes, name: "to"))
    let renames = report.findings.filter { $0.rule == "PROBABLE_RENAME" }
    #expect(renames.count == 6)
    #expect(renames.allSatisfy { $0.subject.field == "user_id" })
    #expect(renames.allSatisfy { $0.message.contains("renamed to 'install_id'") })
  }

  @Test("no real schema has an error of its own", arguments: Corpus.files)
  func validates(_ file: Corpus.File) throws {
    let document = SchemaDocument(parsing: try file.bytes, name: file.path)
    let report = try SchemaChecker().validate(document)
    // Three were written by hand for Core Data, or have types of its names that the app writes; one
    // of them cost its owners their container.
    let errors = Set(report.findings.filter { $0.severity == .error }.map(\.rule))
    let isHandWritten = ["2001Y__", "furfarch__", "otomore__"].contains { file.path.hasPrefix($0) }
    let known: Set<SchemaRule.ID> = ["ENTITY_NAME_MISSING", "MIRRORED_FIELD_TYPE"]
    #expect(
      errors.subtracting(isHandWritten ? known : []) == [], "\(report.text(as: .text))")
  }
}

extension CloudSchema.Comments {
  /// All comments, in file order.
  fileprivate var all: [CloudSchema.Comment] {
    leading + [trailing].compactMap { $0 } + closing + [ending].compactMap { $0 }
  }
}
