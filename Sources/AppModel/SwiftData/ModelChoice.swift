import RecordSchema

/// Chooses the classes that the app's mirrored store has: of several versions the current one, and
/// those that its containers list.
///
/// A container that is in memory or on the device only never removes a class that a mirrored one lists.
struct ModelChoice {
  typealias DeclaredType = SwiftDeclarations.DeclaredType

  private(set) var names: DeclaredTypes
  private let files: [SwiftDeclarations]
  private let all: [DeclaredType]
  private let versions: [DeclaredType]
  private let lists: [String: [(path: [String], list: ModelContainers.List)]]
  private(set) var problems: [MirroredModel.Problem] = []
  /// The classes of the model.
  private(set) var models: [DeclaredType] = []

  /// - Parameter version: The name of a `VersionedSchema`; nil for the current one.
  init(_ names: DeclaredTypes, _ files: [SwiftDeclarations], version: String?) {
    self.names = names
    self.files = files
    all = files.flatMap(\.types).filter(\.isModel)
    versions = files.flatMap(\.types).filter(\.isVersion)
    lists = Dictionary(
      grouping: files.flatMap(\.containers.lists), by: { $0.path.last ?? "" })
    if let version { choose(version) } else { chooseCurrent() }
  }

  private mutating func choose(_ version: String) {
    guard let schema = versions.first(where: { $0.path.last == version }) else {
      return problems.append(
        .init("MODEL_NOT_READ", "there is no VersionedSchema '\(version)' in the files"))
    }
    names.preferred = schema.path
    models = related(to: members(of: schema), in: schema)
  }

  private mutating func chooseCurrent() {
    let stores = Stores(self, files)
    problems = stores.problems
    let schemas = resolve(allSchemas)
    let hints = stores.mirrored.versions
    let known = hints.isEmpty ? schemas.versions : hints
    let current = (known.isEmpty ? versions : Array(known.values)).max {
      Self.order($0).lexicographicallyPrecedes(Self.order($1))
    }
    names.preferred = current?.path ?? []
    let listed = stores.mirrored.models
    let local = stores.local.models.subtracting(listed)
    // A schema with models of another file may be the one of the app's container.
    let isOpen = stores.isOpen || schemas.isOpen
    if !listed.isEmpty, !isOpen {
      models = related(to: onePerName(all.filter { listed.contains($0.path) }, current))
    } else if !isOpen, stores.hasContainers {
      // All are on the device only.
      models = []
    } else {
      models = onePerName(
        all.filter { isCurrent($0, current) || listed.contains($0.path) }, current)
      let found = models.filter { schemas.models.contains($0.path) }
      if !isOpen, !stores.hasMemory, !found.isEmpty { models = related(to: found) }
    }
    models = models.filter { !local.contains($0.path) }
  }

  private var allSchemas: ModelContainers.List {
    files.flatMap(\.containers.schemas).reduce(into: ModelContainers.List()) { $0.formUnion($1) }
  }

  // MARK: - Versions

  /// The number of a version; the digits of its name if it has none.
  private static func order(_ type: DeclaredType) -> [Int] {
    if !type.version.isEmpty { return type.version }
    let digits = (type.path.last ?? "").split { !$0.isASCII || !$0.isNumber }
    return digits.map { Int($0) ?? 0 }
  }

  private func version(of type: DeclaredType) -> DeclaredType? {
    for count in stride(from: type.path.count - 1, to: 0, by: -1) {
      if let owner = names[Array(type.path.prefix(count))], owner.isVersion { return owner }
    }
    return nil
  }

  /// Whether a class is in no version, or in one that counts: the current one, one that the current
  /// one lists, or one that an alias names.
  private func isCurrent(_ type: DeclaredType, _ current: DeclaredType?) -> Bool {
    guard version(of: type) != nil, let current else { return true }
    if let alias = names.outermost(type.path.last ?? ""), alias.isModel {
      return alias.path == type.path
    }
    return members(of: current).contains { $0.path == type.path }
  }

  /// Of several classes with one name, the one that an alias or the plain name means, else that of the
  /// current version.
  private func onePerName(_ types: [DeclaredType], _ current: DeclaredType?) -> [DeclaredType] {
    let isNewer = { (type: DeclaredType) in current.map { type.path.starts(with: $0.path) } ?? false
    }
    var chosen: [DeclaredType] = []
    var positions: [String: Int] = [:]
    for type in types {
      let name = type.path.last ?? ""
      guard let position = positions[name] else {
        positions[name] = chosen.count
        chosen.append(type)
        continue
      }
      let other = chosen[position]
      let named = names.outermost(name)?.path
      let isBetter =
        named == type.path || named != other.path && (isNewer(type) && !isNewer(other))
        || named != other.path && isNewer(type) == isNewer(other)
          && type.path.count < other.path.count
      if isBetter { chosen[position] = type }
    }
    return chosen
  }

  /// The classes of a version: those that it lists, or all in it.
  private func members(of schema: DeclaredType) -> [DeclaredType] {
    var found = Resolved()
    resolveModels(of: schema, &found)
    return all.filter { found.models.contains($0.path) }
  }

  // MARK: - Lists

  /// The meaning of a list of models, with the names of other files.
  struct Resolved {
    var models: Set<[String]> = []
    var versions: [[String]: DeclaredType] = [:]
    /// The types that no file declares.
    var unknown: Set<[String]> = []
    /// Whether a part of the list is in no file.
    var isOpen = false
    fileprivate var seen: Set<ModelContainers.Name> = []

    mutating func formUnion(_ other: Resolved) {
      models.formUnion(other.models)
      versions.merge(other.versions) { first, _ in first }
      unknown.formUnion(other.unknown)
      isOpen = isOpen || other.isOpen
    }
  }

  func resolve(_ list: ModelContainers.List) -> Resolved {
    var resolved = Resolved()
    resolve(list, &resolved)
    return resolved
  }

  private func resolve(_ list: ModelContainers.List, _ resolved: inout Resolved) {
    for name in list.types {
      guard let type = names.type(named: name.path, in: name.scope) else {
        resolved.unknown.insert(name.path)
        continue
      }
      if type.isVersion {
        resolveModels(of: type, &resolved)
      } else if type.isModel {
        resolved.models.insert(type.path)
      }
    }
    for name in list.references where resolved.seen.insert(name).inserted {
      let found = declarations(of: name)
      for list in found { resolve(list, &resolved) }
      if found.isEmpty, name.isAdded || Self.isList(name.path.joined()) { resolved.isOpen = true }
    }
  }

  private func resolveModels(of version: DeclaredType, _ resolved: inout Resolved) {
    guard resolved.versions.updateValue(version, forKey: version.path) == nil else { return }
    let path = version.path + ["models"]
    let listed = (lists["models"] ?? []).filter { $0.path == path }
    for declared in listed { resolve(declared.list, &resolved) }
    if listed.isEmpty {
      for type in all where type.path.starts(with: version.path) {
        resolved.models.insert(type.path)
      }
    }
  }

  /// The lists that a name of another file means.
  private func declarations(of name: ModelContainers.Name) -> [ModelContainers.List] {
    let last = name.path.last ?? ""
    let candidates = lists[last] ?? []
    let owner = Array(name.path.dropLast())
    if owner.isEmpty {
      for count in stride(from: name.scope.count, through: 0, by: -1) {
        let path = Array(name.scope.prefix(count)) + [last]
        let found = candidates.filter { $0.path == path }
        if !found.isEmpty { return found.map(\.list) }
      }
      return candidates.map(\.list)
    }
    if let type = names.type(named: owner, in: name.scope) {
      if type.isVersion, last == "models" {
        return [.init(types: [.init(path: type.path, scope: [])])]
      }
      let found = candidates.filter { $0.path == type.path + [last] }
      if !found.isEmpty { return found.map(\.list) }
    }
    // Any type may be that of a value.
    let isValue = owner[0].first.map { $0.isLowercase || $0 == "$" } ?? false
    return candidates.filter { isValue || Array($0.path.suffix(name.path.count)) == name.path }
      .map(\.list)
  }

  /// Whether a name is that of a list of models, so that code of another module may have more.
  private static func isList(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["model", "schema", "types", "entities", "entries"].contains { name.contains($0) }
  }

  // MARK: - Related classes

  private func related(to models: [DeclaredType], in schema: DeclaredType) -> [DeclaredType] {
    related(
      to: models,
      among: all.filter { type in
        models.contains { $0.path == type.path } || type.path.starts(with: schema.path)
      })
  }

  private func related(to models: [DeclaredType]) -> [DeclaredType] {
    related(to: models, among: all)
  }

  /// Adds the classes that relationships and inheritance lead to, as SwiftData does.
  private func related(to models: [DeclaredType], among all: [DeclaredType]) -> [DeclaredType] {
    var reached = Set(models.map(\.path))
    var pending = models
    while let type = pending.popLast() {
      var targets = type.members.compactMap { member -> [String]? in
        guard let declared = member.type else { return nil }
        switch names.meaning(of: declared, in: type.path).type {
        case .toOne(let path), .toMany(let path): return path
        default: return nil
        }
      }
      if case .named(let base, _)? = type.inherited.first,
        let parent = names.type(named: base, in: Array(type.path.dropLast())), parent.isModel
      {
        targets.append(parent.path)
      }
      for path in targets where reached.insert(path).inserted {
        if let target = names[path] { pending.append(target) }
      }
    }
    return all.filter { reached.contains($0.path) }
  }
}
