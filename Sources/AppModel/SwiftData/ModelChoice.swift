import RecordSchema

/// Chooses the classes that the app's mirrored store has: of several versions the current one, and
/// those that its containers list.
struct ModelChoice {
  private typealias DeclaredType = SwiftDeclarations.DeclaredType

  private let names: DeclaredTypes
  private let files: [SwiftDeclarations]
  private let all: [SwiftDeclarations.DeclaredType]
  private let versions: [SwiftDeclarations.DeclaredType]

  init(_ names: DeclaredTypes, _ files: [SwiftDeclarations]) {
    self.names = names
    self.files = files
    all = files.flatMap(\.types).filter(\.isModel)
    versions = files.flatMap(\.types).filter(\.isVersion)
  }

  /// - Parameter version: The name of a `VersionedSchema`; nil for the current one.
  func models(
    version: String?, _ problems: inout [MirroredModel.Problem]
  ) -> [SwiftDeclarations.DeclaredType] {
    if let version {
      guard let schema = versions.first(where: { $0.path.last == version }) else {
        problems.append(
          .init("MODEL_NOT_READ", "there is no VersionedSchema '\(version)' in the files"))
        return []
      }
      return withRelated(members(of: schema), in: schema)
    }
    let current = self.current
    var chosen: [SwiftDeclarations.DeclaredType] = []
    var positions: [String: Int] = [:]
    for type in all where isCurrent(type, current) {
      let name = type.path.last ?? ""
      guard let position = positions[name] else {
        positions[name] = chosen.count
        chosen.append(type)
        continue
      }
      if precedes(type, chosen[position]) { chosen[position] = type }
    }
    return inContainers(chosen, current)
  }

  // MARK: - Versions

  /// The schema that a container uses, or the one with the highest number.
  private var current: SwiftDeclarations.DeclaredType? {
    let listed = files.flatMap { $0.containers.listed.union($0.containers.mirrored) }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
    let named = listed.compactMap { names.type(named: $0, in: []) }.filter(\.isVersion)
    return (named.isEmpty ? versions : named).max {
      Self.order($0).lexicographicallyPrecedes(Self.order($1))
    }
  }

  /// The number of a version; the digits of its name if it has none.
  private static func order(_ type: SwiftDeclarations.DeclaredType) -> [Int] {
    if !type.version.isEmpty { return type.version }
    let digits = (type.path.last ?? "").split { !$0.isASCII || !$0.isNumber }
    return digits.map { Int($0) ?? 0 }
  }

  private func version(of type: SwiftDeclarations.DeclaredType) -> SwiftDeclarations.DeclaredType? {
    for count in stride(from: type.path.count - 1, to: 0, by: -1) {
      if let owner = names[Array(type.path.prefix(count))], owner.isVersion { return owner }
    }
    return nil
  }

  /// Whether a class is in no version, or in one that counts: the current one, one that the current
  /// one lists, or one that an alias names.
  private func isCurrent(
    _ type: SwiftDeclarations.DeclaredType, _ current: SwiftDeclarations.DeclaredType?
  ) -> Bool {
    guard let owner = version(of: type), let current else { return true }
    let name = type.path.last ?? ""
    if let alias = names.outermost(name), alias.isModel {
      return alias.path == type.path
    }
    if let models = current.models {
      return models.contains { names.type(named: $0, in: current.path)?.path == type.path }
    }
    return owner.path == current.path
  }

  /// Of two classes of one name, the one that an alias or the plain name means.
  private func precedes(
    _ type: SwiftDeclarations.DeclaredType, _ other: SwiftDeclarations.DeclaredType
  ) -> Bool {
    let named = names.outermost(type.path.last ?? "")
    if named?.path == type.path { return true }
    if named?.path == other.path { return false }
    return type.path.count < other.path.count
  }

  private func members(of schema: SwiftDeclarations.DeclaredType) -> [SwiftDeclarations
    .DeclaredType]
  {
    if let models = schema.models {
      return models.compactMap { names.type(named: $0, in: schema.path) }.filter(\.isModel)
    }
    return all.filter { $0.path.starts(with: schema.path) }
  }

  // MARK: - Containers

  /// The classes that a container lists, with those that they lead to; all if none lists any.
  private func inContainers(
    _ chosen: [SwiftDeclarations.DeclaredType], _ current: SwiftDeclarations.DeclaredType?
  ) -> [SwiftDeclarations.DeclaredType] {
    func paths(_ lists: some Sequence<[String]>) -> Set<[String]> {
      var result: Set<[String]> = []
      for path in lists {
        guard let type = names.type(named: path, in: []) else { continue }
        if type.isVersion {
          for model in members(of: type) { result.insert(model.path) }
        } else {
          result.insert(type.path)
        }
      }
      return result
    }
    let local = paths(files.flatMap(\.containers.local))
    let mirrored = paths(files.flatMap(\.containers.mirrored))
    let listed = paths(files.flatMap(\.containers.listed)).union(mirrored)
    var result = chosen
    let found = chosen.filter { listed.contains($0.path) }
    let isOpen = files.contains { $0.containers.isOpen }
    if !found.isEmpty, !isOpen { result = related(to: found, among: chosen) }
    return result.filter { !local.contains($0.path) || mirrored.contains($0.path) }
  }

  private func withRelated(
    _ models: [SwiftDeclarations.DeclaredType], in schema: SwiftDeclarations.DeclaredType
  ) -> [SwiftDeclarations.DeclaredType] {
    related(
      to: models,
      among: all.filter { type in
        models.contains { $0.path == type.path } || type.path.starts(with: schema.path)
      })
  }

  /// Adds the classes that relationships and inheritance lead to, as SwiftData does.
  private func related(
    to models: [SwiftDeclarations.DeclaredType], among all: [SwiftDeclarations.DeclaredType]
  ) -> [SwiftDeclarations.DeclaredType] {
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
