extension ModelContainers {
  /// The database of a configuration, as far as one file tells.
  indirect enum Database: Sendable, Hashable {
    /// `.none`: the models stay on the device.
    case none
    /// A database of CloudKit, or one that the code does not tell.
    case other
    /// A constant that another file may declare.
    case named(Name)
    /// The argument of the calls of a function, in any file.
    case argument(function: String, label: String, hasDefault: Bool)
    /// One of several.
    case either([Database])
    /// `flag ? first : second`
    case choice(Name, Database, Database)
  }
}

/// The databases that constants and calls of all files have.
struct DatabaseValues {
  private typealias Database = ModelContainers.Database

  /// Each name and argument is followed once.
  private var known: [Database: Bool] = [:]
  private var constants: [String: [(path: [String], database: Database)]] = [:]
  private var flags: [String: [(path: [String], isTrue: Bool)]] = [:]
  private var calls: [String: [ModelContainers.Call]] = [:]

  init(_ files: [ModelContainers]) {
    for file in files {
      for constant in file.databases {
        constants[constant.path.last ?? "", default: []].append(constant)
      }
      for flag in file.flags { flags[flag.path.last ?? "", default: []].append(flag) }
      for call in file.calls { calls[call.label, default: []].append(call) }
    }
  }

  /// Where a configuration stores its models.
  mutating func place(of configuration: ModelContainers.Configuration) -> ModelContainers.Place {
    guard case .mirrored(let database) = configuration.place, isNone(database) else {
      return configuration.place
    }
    return .local
  }

  /// Whether a database can only be `.none`.
  private mutating func isNone(_ database: Database) -> Bool {
    switch database {
    case .none: return true
    case .other: return false
    case .either(let all):
      for one in all where !isNone(one) { return false }
      return !all.isEmpty
    case .choice(let name, let first, let second):
      let found = Set(Self.matching(name, flags[name.path.last ?? ""]) { $0.path }.map(\.isTrue))
      guard found.count == 1, let isTrue = found.first else {
        return isNone(first) && isNone(second)
      }
      return isNone(isTrue ? first : second)
    case .named, .argument:
      if let known = known[database] { return known }
      // A constant that names itself.
      known[database] = false
      let isNone = isNone(.either(values(of: database)))
      known[database] = isNone
      return isNone
    }
  }

  private func values(of database: Database) -> [Database] {
    switch database {
    case .named(let name):
      return Self.matching(name, constants[name.path.last ?? ""]) { $0.path }.map(\.database)
    case .argument(let function, let label, let hasDefault):
      let isType = function.first?.isUppercase == true
      let found = (calls[label] ?? []).filter {
        $0.function == function || isType && $0.function == "init"
      }
      return found.isEmpty && hasDefault ? [.none] : found.map(\.database)
    default: return []
    }
  }

  private static func matching<Value>(
    _ name: ModelContainers.Name, _ all: [Value]?, path: (Value) -> [String]
  ) -> [Value] {
    let found = (all ?? []).filter { path($0).suffix(name.path.count) == name.path[...] }
    let own = found.filter { path($0) == name.scope + name.path }
    return own.isEmpty ? found : own
  }
}

extension ContainerReader {
  /// Whether a name is that of a database, or of a flag that chooses one.
  static func isAboutDatabases(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.contains("cloud") || name.contains("database")
      || name.contains("sync") && !name.contains("async")
  }

  /// Notes the arguments of a call that may be databases, by their labels.
  mutating func readArguments(at index: Int) {
    let count = file.after(index + 1) - index
    guard count <= argumentBudget else { return }
    argumentBudget -= count
    for argument in file.arguments(of: index + 1) {
      guard let label = argument.label, Self.isAboutDatabases(label) else { continue }
      let database = database(in: argument.tokens)
      result.calls.append(
        .init(function: file.tokens[index].text, label: label, database: database))
    }
  }

  /// Notes a declaration that may be a database, or a flag.
  mutating func readDatabase(_ declaration: Int, _ path: [String]) {
    guard path.contains(where: Self.isAboutDatabases) else { return }
    if let isTrue = flag(declaration) { result.flags.append((path, isTrue)) }
    let ranges = declarations.ranges(of: declaration)
    guard ranges.allSatisfy(isConstant) else { return }
    result.databases.append((path, .either(ranges.map { database(in: $0) })))
  }

  /// Whether a value is that of a constant, or the body of a function or property.
  private func isConstant(_ range: Range<Int>) -> Bool {
    if file.isOpen(range.lowerBound, "{") { return true }
    let keyword = file.tokens[..<range.lowerBound].suffix(8)
      .last { $0.isName("let") || $0.isName("var") }
    return keyword?.isName("let") == true
  }

  /// The value of a declaration that is always `true` or always `false`.
  private func flag(_ declaration: Int) -> Bool? {
    let ranges = declarations.ranges(of: declaration)
    guard ranges.count == 1, isConstant(ranges[0]) else { return nil }
    let isBody = file.isOpen(ranges[0].lowerBound, "{")
    guard ranges[0].count == (isBody ? 3 : 1) else { return nil }
    switch file.name(ranges[0].lowerBound + (isBody ? 1 : 0)) {
    case "true": return true
    case "false": return false
    default: return nil
    }
  }

  /// The database that an expression is.
  mutating func database(in range: Range<Int>, depth: Int = 0) -> ModelContainers.Database {
    guard depth < 8, range.count <= budget else { return .other }
    budget -= range.count
    if let choice = choice(in: range, depth) { return choice }
    var all: Set<ModelContainers.Database> = []
    var hasValue = false
    var index = range.lowerBound
    while let path = file.firstPath(from: index, before: range.upperBound) {
      index = path.end
      if path.names == ["return"] { continue }
      for value in values(of: path, depth) where value != .none { all.insert(value) }
      // One of many is enough to know, and hostile code has no more.
      if all.contains(.other) || all.count > 8 { return .other }
      hasValue = true
    }
    if all.count > 1 { return .either(Array(all)) }
    return all.first ?? (hasValue ? .none : .other)
  }

  /// The databases that a name means.
  private mutating func values(
    of path: SourceFile.Path, _ depth: Int
  ) -> [ModelContainers.Database] {
    if path.names.last == "none" { return [.none] }
    let found = declarations.find(path.names, at: path.start)
    guard !found.isEmpty else {
      let name = ModelContainers.Name(
        path: path.names, scope: declarations.scope(at: path.start))
      return [path.isCalled ? .other : .named(name)]
    }
    var all: [ModelContainers.Database] = []
    for number in found {
      let declaration = declarations.all[number]
      var ranges = declarations.ranges(of: number)
      if declarations.isOpenParameter(number), let parameter = declaration.parameter {
        guard let label = parameter.label, Self.isAboutDatabases(label) else { return [.other] }
        ranges = declaration.values
        all.append(
          .argument(function: parameter.function, label: label, hasDefault: !ranges.isEmpty))
      } else if ranges.isEmpty {
        return [.other]
      }
      for range in ranges {
        let value = database(in: range, depth: depth + 1)
        if value == .other { return [.other] }
        all.append(value)
      }
    }
    return all
  }

  /// Reads `flag ? first : second`.
  private mutating func choice(in range: Range<Int>, _ depth: Int) -> ModelContainers.Database? {
    guard let path = file.firstPath(from: range.lowerBound, before: range.upperBound),
      path.start == range.lowerBound, file.isSymbol(path.end, "?"), path.end < range.upperBound,
      let colon = file.first(from: path.end + 1, where: { file.isSymbol($0, ":") }),
      colon < range.upperBound
    else { return nil }
    // Without its context, `? .none` could be a member of an optional.
    let isMember = file.isSymbol(path.end + 1, ".")
    let isNone = isMember && file.isName(path.end + 2, "none") && colon == path.end + 3
    let first: ModelContainers.Database =
      isNone
      ? .none : isMember ? .other : database(in: (path.end + 1)..<colon, depth: depth + 1)
    let second = database(in: (colon + 1)..<range.upperBound, depth: depth + 1)
    let flags = declarations.find(path.names, at: path.start)
    if flags.count == 1, let isTrue = flag(flags[0]) { return isTrue ? first : second }
    // A parameter or variable, whatever a constant of this name is elsewhere.
    guard flags.isEmpty else { return .either([first, second]) }
    return .choice(
      .init(path: path.names, scope: declarations.scope(at: path.start)), first, second)
  }
}
