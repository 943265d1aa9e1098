/// Reads the containers of SwiftData in a file, and what their arguments mean.
///
/// An argument has the models that are named in it, and those of the names in it: of constants,
/// variables with all that is assigned to them, functions, and of parameters by the calls of their
/// function. Forms as in about 130 public apps.
struct ContainerReader {
  typealias List = ModelContainers.List
  typealias Configuration = ModelContainers.Configuration

  let file: SourceFile
  let declarations: LocalDeclarations
  var result = ModelContainers()
  /// Each declaration is read once.
  private var lists: [Int: List] = [:]
  /// The number of tokens that may still be read, so that hostile code takes linear time.
  var budget: Int
  /// The same for the arguments of calls.
  var argumentBudget: Int

  static func read(_ file: SourceFile) -> ModelContainers {
    let words: Set<String> = [
      "Schema", "ModelContainer", "modelContainer", "ModelConfiguration", "PersistentModel",
      "SyncEngine",
    ]
    let isRead = file.tokens.indices.contains { index in
      guard let word = file.name(index) else { return false }
      if words.contains(word) { return true }
      // A declaration or an argument.
      return
        (file.isSymbol(index + 1, ":") || file.isSymbol(index + 1, "=")
        || file.isOpen(index + 1, "{"))
        && (isAboutDatabases(word) || isAboutConfigurations(word))
    }
    guard isRead else { return ModelContainers() }
    var reader = ContainerReader(file)
    reader.readAll()
    return reader.result
  }

  private init(_ file: SourceFile) {
    self.file = file
    declarations = LocalDeclarations(file)
    budget = 20 * file.tokens.count + 10_000
    argumentBudget = budget
  }

  private mutating func readAll() {
    // Containers of tests and previews are not the app's.
    let isTest = file.isOfTests
    let labels = file.tokens.indices.compactMap {
      file.isSymbol($0 + 1, ":") ? file.name($0) : nil
    }
    let hasDatabases = labels.contains(where: Self.isAboutDatabases)
    let hasConfigurations = labels.contains(where: Self.isAboutConfigurations)
    var previewEnd = 0
    // The arguments of a container or a configuration have been read with it.
    var end = 0
    for index in file.tokens.indices {
      let token = file.tokens[index]
      if token.kind == .directive, token.text == "#Preview" {
        let open = file.isOpen(index + 1, "(") ? file.after(index + 1) : index + 1
        if file.isOpen(open, "{") { previewEnd = max(previewEnd, file.after(open)) }
      }
      guard token.kind == .name, file.isOpen(index + 1, "("), !isTest, index >= previewEnd,
        !declarations.isPreview(index)
      else { continue }
      let isDeclared =
        file.isName(index - 1, "func")
        || token.text == "init" && !file.isSymbol(index - 1, ".")
      if hasDatabases, !isDeclared { readArguments(at: index) }
      if hasConfigurations, !isDeclared { readConfigurations(at: index) }
      let arguments = { [file] in Call(file.arguments(of: index + 1)) }
      switch token.text {
      case "SyncEngine":
        let call = arguments()
        guard call["tables"] != nil || call["privateTables"] != nil else { continue }
        result.synced.append(list(in: (index + 2)..<max(index + 2, file.after(index + 1) - 1)))
      case "ModelContainer", "modelContainer": add(arguments(), isChecked: true, at: index)
      case "init" where file.isSymbol(index - 1, "."):
        add(arguments(), isChecked: file.isName(index - 2, "ModelContainer"), at: index)
      case "Self" where declarations.scope(at: index) == ["ModelContainer"]:
        add(arguments(), isChecked: true, at: index)
      case "Schema" where index >= end: result.schemas.append(list(in: range(ofCall: index)))
      default: continue
      }
      if token.text != "Schema" { end = max(end, file.after(index + 1)) }
    }
    for (number, declaration) in declarations.all.enumerated() where declaration.isShared {
      let path = declaration.scope + [declaration.name]
      readDatabase(number, path)
      let list = list(of: number)
      if list != List() { result.lists.append((path, list)) }
      let found = configurations(of: number)
      if !found.0.isEmpty {
        result.configurations.append(.init(path: path, found: found.0, references: found.1))
      }
    }
  }

  /// The arguments of a call, by their labels. Those without a label belong to the one before them.
  private struct Call {
    var arguments: [(label: String, tokens: [Range<Int>])] = []

    init(_ list: [SourceFile.Argument]) {
      for argument in list {
        if argument.label == nil, !arguments.isEmpty {
          arguments[arguments.count - 1].tokens.append(argument.tokens)
        } else {
          arguments.append((argument.label ?? "", [argument.tokens]))
        }
      }
    }

    subscript(label: String) -> [Range<Int>]? { arguments.first { $0.label == label }?.tokens }
  }

  private func range(ofCall index: Int) -> Range<Int> {
    (index + 2)..<max(index + 2, min(file.matches[index + 1], file.tokens.count))
  }

  // MARK: - Containers

  private static let containerLabels: Set<String> = [
    "for", "migrationPlan", "configurations", "inMemory", "isAutosaveEnabled", "isUndoEnabled",
    "onSetup",
  ]

  /// Adds a container.
  ///
  /// - Parameter isChecked: Whether the name of the type is before the arguments; `.init(for:)` is a
  ///   container by its labels.
  private mutating func add(_ call: Call, isChecked: Bool, at index: Int) {
    guard let models = call["for"],
      call.arguments.allSatisfy({ Self.containerLabels.contains($0.label) })
    else { return }
    let isNamed = isChecked || call["configurations"] != nil || call["migrationPlan"] != nil
    var container = ModelContainers.Container(models: List(), location: file.location(of: index))
    for range in models {
      container.models.formUnion(list(in: range))
      // `ModelContainer(for: Item.self, config)`
      if range != models.first { addConfigurations(in: range, to: &container) }
    }
    guard isNamed || !container.models.types.isEmpty else { return }
    for range in call["configurations"] ?? [] { addConfigurations(in: range, to: &container) }
    if let inMemory = call["inMemory"]?.first {
      let place: ModelContainers.Place = isTrue(inMemory) ? .memory : .mirrored(.other)
      container.configurations.insert(Configuration(models: nil, place: place))
    }
    result.containers.append(container)
  }

  private mutating func addConfigurations(
    in range: Range<Int>, to container: inout ModelContainers.Container
  ) {
    let found = configurations(in: range)
    container.configurations.formUnion(found.0)
    container.references.formUnion(found.0.isEmpty ? found.1 : found.1.filter(\.isArgument))
  }

  // MARK: - Lists

  /// The models that an expression lists.
  mutating func list(in range: Range<Int>, depth: Int = 0) -> List {
    var list = List()
    guard depth < 32, range.count <= budget else { return list }
    budget -= range.count
    var index = range.lowerBound
    while let path = file.firstPath(from: index, before: range.upperBound) {
      index = path.end
      let scope = declarations.scope(at: path.start)
      let names = Self.names(of: path)
      if names.count > 1, names.last == "self" {
        list.types.insert(.init(path: Array(names.dropLast()), scope: scope))
      } else if !path.isLabel, !Self.words.contains(names[0]) || Self.isMemberOfLibrary(names) {
        let found = declarations.find(names, at: path.start, not: "ModelConfiguration")
        for number in found { list.formUnion(self.list(of: number, depth: depth + 1)) }
        // `[Item.self] + more()`: other calls are of functions that the library or the app may have.
        let isAdded =
          file.isSymbol(path.start - 1, "+") && file[path.start - 2]?.isClose("]") == true
        if found.isEmpty, !path.isCalled || names.count > 1 || isAdded {
          let isImplicit = file.isSymbol(path.start - 1, ".")
          list.references.insert(
            .init(path: names, scope: isImplicit ? [] : scope, isAdded: isAdded))
        }
      }
    }
    return list
  }

  private static let words: Set<String> = [
    "Schema", "ModelConfiguration", "ModelContainer", "init", "try", "await", "return", "let",
    "var", "if", "else", "switch", "case", "default", "in", "any", "some", "PersistentModel",
    "VersionedSchema", "as", "Array", "nil", "true", "false", "static", "self", "Self", "guard",
    "do", "catch", "URL", "UUID", "ProcessInfo", "Bundle", "FileManager", "print", "fatalError",
  ]

  /// The names of a path, without those that say only where to look.
  private static func names(of path: SourceFile.Path) -> [String] {
    let isPrefix = ["Self", "self", "SwiftData"].contains(path.names[0])
    return isPrefix && path.names.count > 1 ? Array(path.names.dropFirst()) : path.names
  }

  /// Whether a name is that of a member that the app gives a type of SwiftData: `Schema.library`.
  private static func isMemberOfLibrary(_ names: [String]) -> Bool {
    guard names.count == 2, let first = names[1].first, !first.isUppercase else { return false }
    return ["Schema", "ModelContainer", "ModelConfiguration"].contains(names[0])
      && names[1] != "init"
  }

  private mutating func list(of declaration: Int, depth: Int = 0) -> List {
    if let known = lists[declaration] {
      budget -= known.types.count
      return budget < 0 ? List() : known
    }
    // A declaration that names itself.
    lists[declaration] = List()
    var list = List()
    for range in declarations.ranges(of: declaration) {
      list.formUnion(self.list(in: range, depth: depth))
    }
    // Names that are left of code that was followed, such as those of local functions, mean nothing.
    if !list.types.isEmpty, !declarations.all[declaration].isList { list.references = [] }
    lists[declaration] = list
    return list
  }

  // MARK: - Configurations

  /// The configurations that an expression has, and the names in it that the file does not explain.
  private mutating func configurations(
    in range: Range<Int>, depth: Int = 0
  ) -> (Set<Configuration>, Set<ModelContainers.Name>) {
    var found: Set<Configuration> = []
    var references: Set<ModelContainers.Name> = []
    guard depth < 16, range.count <= budget else { return (found, references) }
    budget -= range.count
    var index = range.lowerBound
    while let path = file.firstPath(from: index, before: range.upperBound) {
      let last = path.names.last
      let call = path.end
      let isSelf =
        path.names == ["Self"] && declarations.scope(at: path.start) == ["ModelConfiguration"]
      if path.isCalled, last == "ModelConfiguration" || last == "init" || isSelf {
        let arguments = Call(file.arguments(of: call))
        if last != "init" || path.names.contains("ModelConfiguration")
          || isConfiguration(arguments, at: path.start, in: range)
        {
          found.insert(configuration(arguments))
        }
        index = file.after(call)
        continue
      }
      index = path.end
      if path.isLabel || Self.words.contains(path.names[0]) && path.names.count == 1 { continue }
      let names = Self.names(of: path)
      let numbers = declarations.find(names, at: path.start, not: "Schema")
      if numbers.isEmpty {
        references.insert(.init(path: names, scope: declarations.scope(at: path.start)))
      }
      for number in numbers {
        let inner = configurations(of: number, depth: depth + 1)
        found.formUnion(inner.0)
        references.formUnion(inner.1)
      }
    }
    return (found, references)
  }

  private mutating func configurations(
    of declaration: Int, depth: Int = 0
  ) -> (Set<Configuration>, Set<ModelContainers.Name>) {
    var found: (Set<Configuration>, Set<ModelContainers.Name>) = ([], [])
    let declared = declarations.all[declaration]
    guard declared.hasConfiguration else { return found }
    var ranges = declarations.ranges(of: declaration)
    if let argument = declarations.argument(for: declaration),
      Self.isAboutConfigurations(argument.label)
    {
      found.1.insert(.argument(argument.label, of: argument.function))
      // The default value.
      ranges = declared.values
    }
    for range in ranges {
      let inner = configurations(in: range, depth: depth + 1)
      found.0.formUnion(inner.0)
      found.1.formUnion(inner.1)
    }
    return found
  }

  /// Whether a name is that of an argument with configurations.
  private static func isAboutConfigurations(_ name: String) -> Bool {
    name.lowercased().contains("config")
  }

  /// Notes the arguments of a call that may be configurations, by their labels.
  private mutating func readConfigurations(at index: Int) {
    let function = file.tokens[index].text
    let count = file.after(index + 1) - index
    guard function.lowercased() != "modelcontainer", count <= argumentBudget else { return }
    argumentBudget -= count
    for argument in file.arguments(of: index + 1) {
      guard let label = argument.label, Self.isAboutConfigurations(label) else { continue }
      let found = configurations(in: argument.tokens)
      let name = ModelContainers.Name.argument(label, of: function)
      result.configurations.append(.init(path: name.path, found: found.0, references: found.1))
    }
  }

  /// Whether `.init(…)` makes a configuration: by its labels, or by its place as a whole value.
  private func isConfiguration(_ call: Call, at index: Int, in range: Range<Int>) -> Bool {
    let labels: Set<String> = [
      "schema", "isStoredInMemoryOnly", "allowsSave", "groupContainer", "cloudKitDatabase",
    ]
    return call.arguments.contains { labels.contains($0.label) }
      || index - 1 == range.lowerBound || file.isOpen(index - 2, "[")
  }

  private mutating func configuration(_ call: Call) -> Configuration {
    var configuration = Configuration(models: nil, place: .mirrored(.other))
    if let models = call["schema"] ?? call["for"] {
      var list = List()
      for range in models { list.formUnion(self.list(in: range)) }
      if list != List() { configuration.models = list }
    }
    if let range = call["cloudKitDatabase"]?.first {
      configuration.place = .mirrored(database(in: range))
    }
    if let inMemory = call["isStoredInMemoryOnly"]?.first, isTrue(inMemory) {
      configuration.place = .memory
    }
    return configuration
  }

  /// Whether an expression is `true`, or a constant that is.
  private func isTrue(_ range: Range<Int>) -> Bool {
    guard range.count == 1, let name = file.name(range.lowerBound) else { return false }
    if name == "true" { return true }
    let found = declarations.find([name], at: range.lowerBound).flatMap(declarations.ranges)
    return found.count == 1 && found[0].count == 1 && file.isName(found[0].lowerBound, "true")
  }
}

extension SourceFile {
  /// A name with its members: `Self.schema`, `V1.Item.self`, `.library`.
  struct Path {
    var names: [String]
    var start: Int
    var end: Int
    /// Whether a parenthesis follows.
    var isCalled: Bool
    /// Whether it is the label of an argument.
    var isLabel: Bool
  }

  /// The first name that begins in a range.
  func firstPath(from start: Int, before end: Int) -> Path? {
    var index = start
    while index < end {
      if let path = path(at: index) { return path }
      index += 1
    }
    return nil
  }

  /// The name that begins at an index.
  func path(at index: Int) -> Path? {
    guard let first = name(index), !isSymbol(index - 1, ".") || self[index - 2]?.endsOperand != true
    else { return nil }
    var names = [first]
    var next = index + 1
    while names.count < 16, isSymbol(next, "."), let part = name(next + 1) {
      names.append(part)
      next += 2
    }
    return Path(
      names: names, start: index, end: next,
      isCalled: isOpen(next, "(") && self[next]?.followsLineBreak == false,
      isLabel: names.count == 1 && isSymbol(next, ":")
        && (self[index - 1]?.kind == .open || isSymbol(index - 1, ",")))
  }
}
