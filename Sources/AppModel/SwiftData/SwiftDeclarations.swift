import RecordSchema

/// The declarations of a file that a model depends on. Its tokens are no longer needed then.
struct SwiftDeclarations: Sendable {
  /// A type.
  struct DeclaredType: Sendable {
    var path: [String]
    var keyword: String
    var inherited: [SwiftType] = []
    /// The cases of an enumeration.
    var cases: Set<String> = []
    var location: SchemaLocation
    /// The macro that makes it a model: `Model` or `Table`.
    var macro: ModelMember.Macro?
    /// The stored properties of a model.
    var members: [ModelMember] = []
    var problems: [(message: String, location: SchemaLocation)] = []
    var uniques: [(properties: [String], location: SchemaLocation)] = []
    /// The version number of a `VersionedSchema`.
    var version: [Int] = []

    var isModel: Bool { macro?.name == "Model" }
    var isTable: Bool { macro?.name == "Table" }
    var isVersion: Bool {
      inherited.contains {
        if case .named(let path, _) = $0 { path.last == "VersionedSchema" } else { false }
      }
    }
  }

  var types: [DeclaredType] = []
  /// Names of types for others, by the path of the name.
  var aliases: [(path: [String], type: SwiftType)] = []
  var problems: [(message: String, location: SchemaLocation)] = []
  var containers = ModelContainers()
  var statements: [SQLText] = []
  var imports: Set<String> = []
  /// The places of words that say how an app uses CloudKit: the first of each.
  var mentions: [String: SchemaLocation] = [:]
  var comments: [SourceUses.Comment] = []
  /// The literals that can be the name of a container, and whether they are where a mirrored store is
  /// given its name.
  var containerNames: [(container: MirroredModel.Container, isCertain: Bool)] = []

  /// A string of SQL that creates or changes a table.
  struct SQLText: Sendable {
    /// The text, in which an interpolated name is between two NUL characters; nil if it is computed.
    var text: String?
    /// The path of the type around it.
    var scope: [String] = []
    var location: SchemaLocation
  }

  /// The constants with texts, such as the names of tables, by their paths.
  var constants: [(path: [String], value: String)] = []

  /// The place where the file shares records: with CloudKit's types, or the view of SQLiteData.
  var sharing: SchemaLocation? {
    mentions["CKShare"] ?? mentions["UICloudSharingController"] ?? mentions["CloudSharingView"]
  }

  /// How deep types are read in other types, so that looking up a name takes little time.
  private static let maxDepth = 16

  private static let words: Set<String> = [
    "NSPersistentCloudKitContainer", "NSPersistentCloudKitContainerOptions", "CKShare",
    "UICloudSharingController", "CloudSharingView", "NSEntityDescription", "NSAttributeDescription",
    "SyncEngine", "NSPersistentContainer", "cloudKitDatabase",
  ]

  init(_ file: SourceFile) {
    comments = file.suppressions
    var scopes: [(path: [String], end: Int, type: Int?)] = []
    var modelKeywords: [Int: ModelMember.Macro] = [:]
    var literalEnd = 0
    for index in file.tokens.indices {
      while let last = scopes.last, last.end <= index { scopes.removeLast() }
      let token = file.tokens[index]
      switch token.kind {
      case .symbol where token.text == "@":
        guard let macro = file.modelMacro(at: index) else { break }
        if let keyword = file.typeKeyword(after: macro.end) {
          modelKeywords[keyword] = macro.macro
        } else {
          problems.append(
            ("the declaration behind '@\(macro.macro.name)' was not read", file.location(of: index))
          )
        }
      // Literals inside of interpolations are not statements.
      case .openInterpolation: literalEnd = max(literalEnd, file.matches[index])
      case .string where index >= literalEnd:
        if token.isPlain, token.text.hasPrefix("iCloud.") {
          let isCertain =
            file.isName(index - 2, "containerIdentifier")
            || file.isOpen(index - 1, "(") && file.isName(index - 2, "private")
          containerNames.append((.init(token.text, location: file.location(of: index)), isCertain))
        }
        if var statement = file.statement(at: index) {
          statement.scope = scopes.last?.path ?? []
          statements.append(statement)
        }
      case .name where file.isSymbol(index - 1, "."):
        statements += GRDBTables.statements(at: index, in: file) ?? []
      case .name:
        let path = scopes.last?.path ?? []
        if let scope = addType(at: index, in: file, path, modelKeywords[index]) {
          scopes.append(scope)
        } else {
          if modelKeywords[index] != nil {
            problems.append(("the declaration of a model was not read", file.location(of: index)))
          }
          addName(at: index, in: file, path, type: scopes.last?.type)
        }
      default: break
      }
    }
    if types.contains(where: { $0.macro != nil }),
      let stray = file.tokens.indices.first(where: {
        file.tokens[$0].closes && file.matches[$0] == $0
      })
    {
      problems.append(
        ("a bracket closes none, so a model may end too early", file.location(of: stray)))
    }
    containers = ContainerReader.read(file)
  }

  // MARK: - Types

  /// Adds the type that begins at an index. Returns the scope of its body.
  private mutating func addType(
    at index: Int, in file: SourceFile, _ scope: [String], _ macro: ModelMember.Macro?
  ) -> (path: [String], end: Int, type: Int?)? {
    guard let declaration = file.typeDeclaration(at: index) else { return nil }
    let end = file.matches[declaration.body]
    let keyword = file.tokens[index].text
    if keyword == "extension" { return (declaration.path, end, nil) }
    guard scope.count < Self.maxDepth else {
      if macro != nil {
        problems.append(("a model is nested too deeply to be read", file.location(of: index)))
      }
      return (scope, end, nil)
    }
    var type = DeclaredType(
      path: scope + declaration.path, keyword: keyword, location: file.location(of: index + 1))
    type.inherited = file.inheritedTypes(from: index + 2, to: declaration.body)
    type.macro = macro
    if macro != nil {
      var reader = MemberReader(file)
      reader.read(body: declaration.body)
      (type.members, type.problems, type.uniques) = (
        reader.members, reader.problems, reader.uniques
      )
    }
    types.append(type)
    return (type.path, end, types.count - 1)
  }

  private mutating func addName(
    at index: Int, in file: SourceFile, _ scope: [String], type: Int?
  ) {
    let word = file.tokens[index].text
    switch word {
    case "let", "var":
      guard let variable = file.variable(at: index), let text = file.constantText(of: variable),
        text.utf8.count < 200
      else { return }
      constants.append((scope + [variable.name], text))
    case "typealias":
      guard let name = file.name(index + 1) else { return }
      var next = index + 2
      if file.isSymbol(next, "<") {
        guard let equals = file.first(from: next, where: { file.isSymbol($0, "=") }) else { return }
        next = equals
      }
      guard file.isSymbol(next, "="), let (target, _) = file.type(at: next + 1) else { return }
      aliases.append((scope + [name], target))
    case "import":
      // `@testable import SwiftData`, `import struct SwiftData.Schema`
      for offset in 1...2 {
        if let name = file.name(index + offset) { imports.insert(name) }
      }
    case "case":
      guard let type, types[type].keyword == "enum", !file.isSymbol(index + 1, ".") else { return }
      var next = index + 1
      while let name = file.name(next), types[type].cases.count < 10_000 {
        types[type].cases.insert(name)
        next += 1
        if file.isOpen(next, "(") { next = file.after(next) }
        if file.isSymbol(next, "=") {
          next = file.after(next + 1 < file.tokens.count ? next + 1 : next)
        }
        guard file.isSymbol(next, ",") else { break }
        next += 1
      }
    case "versionIdentifier":
      guard let type, file.isName(index - 1, "var") || file.isName(index - 1, "let"),
        let open = file.first(
          from: index + 1, to: index + 30,
          where: { file.isName($0 - 1, "Version") && file.isOpen($0, "(") })
          ?? file.versionCall(after: index)
      else { return }
      types[type].version = file.arguments(of: open).map { argument in
        Int(file.text(of: argument.tokens.lowerBound)) ?? 0
      }
    default:
      if Self.words.contains(word), mentions[word] == nil {
        mentions[word] = file.location(of: index)
      }
    }
  }
}

extension SourceFile {
  /// Reads `@Model`, `@SwiftData.Model` or `@Table(…)`.
  fileprivate func modelMacro(at index: Int) -> (macro: ModelMember.Macro, end: Int)? {
    guard var name = name(index + 1) else { return nil }
    var next = index + 2
    if isSymbol(next, "."), let part = self.name(next + 1),
      name == "SwiftData" || name == "SQLiteData"
        || name == "StructuredQueries"
    {
      name = part
      next += 2
    }
    guard ["Model", "Table", "Selection"].contains(name) else { return nil }
    var macro = ModelMember.Macro(name: name, arguments: [])
    if isOpen(next, "("), !tokens[next].followsLineBreak {
      macro.arguments = arguments(of: next).map { argument in
        (argument.label, argument.tokens.prefix(20).map { tokens[$0].text })
      }
      next = after(next)
    }
    return (macro, next)
  }

  private static let typeModifiers: Set<String> = [
    "public", "open", "internal", "package", "private", "fileprivate", "final", "nonisolated",
    "dynamic", "indirect",
  ]

  /// The keyword of the type behind further attributes and modifiers.
  fileprivate func typeKeyword(after start: Int) -> Int? {
    var index = start
    var steps = 0
    while let token = self[index], steps < 60 {
      steps += 1
      if token.isSymbol("@"), name(index + 1) != nil {
        index += 2
        while isSymbol(index, "."), name(index + 1) != nil { index += 2 }
        if isOpen(index, "("), !tokens[index].followsLineBreak { index = after(index) }
      } else if token.kind == .name, Self.typeModifiers.contains(token.text) {
        index += 1
        if isOpen(index, "(") { index = after(index) }
      } else if token.kind == .name, ["class", "struct", "enum", "actor"].contains(token.text) {
        return index
      } else {
        return nil
      }
    }
    return nil
  }

  /// The types behind the colon of a declaration.
  fileprivate func inheritedTypes(from start: Int, to body: Int) -> [SwiftType] {
    var index = start
    var depth = 0
    while index < body, depth > 0 || !isSymbol(index, ":") {
      if isSymbol(index, "<") { depth += 1 }
      if isSymbol(index, ">") { depth -= 1 }
      if isName(index, "where") { return [] }
      index += 1
    }
    var result: [SwiftType] = []
    index += 1
    while index < body, let (type, end) = type(at: index), end <= body {
      result.append(type)
      guard isSymbol(end, ",") else { break }
      index = end + 1
    }
    return result
  }

  /// The parenthesis of `Schema.Version(1, 0, 0)` in the body of a property.
  fileprivate func versionCall(after index: Int) -> Int? {
    for position in (index + 1)..<min(index + 30, tokens.count)
    where isName(position, "Version") && isOpen(position + 1, "(") {
      return position + 1
    }
    return nil
  }
}
