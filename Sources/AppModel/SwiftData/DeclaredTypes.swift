/// The types that a set of files declares, by name.
struct DeclaredTypes: Sendable {
  typealias DeclaredType = SwiftDeclarations.DeclaredType

  private(set) var types: [String: DeclaredType] = [:]
  /// The path of the type whose members a name means where several types have one.
  var preferred: [String] = []
  /// The paths of types by their last names.
  private(set) var paths: [String: [[String]]] = [:]
  private var aliases: [String: [(path: [String], type: SwiftType)]] = [:]

  init(_ declarations: [SwiftDeclarations]) {
    for file in declarations {
      for type in file.types {
        let key = Self.key(type.path)
        // A model comes before a type of the same name in a test.
        guard types[key] == nil || types[key]?.macro == nil && type.macro != nil else { continue }
        if types[key] == nil { paths[type.path.last ?? "", default: []].append(type.path) }
        types[key] = type
      }
      for alias in file.aliases { aliases[alias.path.last ?? "", default: []].append(alias) }
    }
  }

  private static func key(_ path: some Sequence<String>) -> String { path.joined(separator: ".") }

  subscript(path: [String]) -> DeclaredType? { types[Self.key(path)] }

  /// The meaning of a name.
  enum Meaning {
    case type(DeclaredType)
    case alias(SwiftType, scope: [String])
  }

  /// Looks a name up in its scope, then in those around it, then anywhere.
  ///
  /// - Returns: nil if no file declares it, or several do and none is nearer.
  func meaning(of path: [String], in scope: [String], depth: Int = 0) -> Meaning? {
    guard let last = path.last else { return nil }
    for count in stride(from: scope.count, through: 0, by: -1) {
      let candidate = Array(scope.prefix(count)) + path
      let type = self[candidate]
      // A module has one declaration of a name. A model comes before another module's alias, as a test has.
      if let type, type.isModel { return .type(type) }
      if let alias = aliases[last]?.first(where: { $0.path == candidate }) {
        return .alias(alias.type, scope: Array(candidate.dropLast()))
      }
      if let type { return .type(type) }
    }
    // `Current.Item`, where `Current` is an alias of a version.
    if path.count > 1, depth < 2,
      let owner = type(named: Array(path.dropLast()), in: scope, depth: depth + 1)
    {
      if let type = self[owner.path + [last]] { return .type(type) }
      if let alias = aliases[last]?.first(where: { $0.path == owner.path + [last] }) {
        return .alias(alias.type, scope: owner.path)
      }
    }
    let isSuffix = { (other: [String]) in Array(other.suffix(path.count)) == path }
    // Types in extensions of types, and in enclosing types that are named by an alias.
    let found = (paths[last] ?? []).filter(isSuffix)
    let named = (aliases[last] ?? []).filter { isSuffix($0.path) }
    if let alias = named.first, named.allSatisfy({ $0.type == alias.type }), found.isEmpty {
      return .alias(alias.type, scope: Array(alias.path.dropLast()))
    }
    guard
      let first = found.first(where: { !preferred.isEmpty && $0.starts(with: preferred) })
        ?? found.first
    else { return nil }
    let all = found.compactMap { self[$0] }
    guard all.count == 1 || Set(all.map(\.isModel)).count == 1 else { return nil }
    return self[first].map { .type($0) }
  }

  /// The type that a name means outside of all types: declared there, or named by an alias there.
  func outermost(_ name: String) -> DeclaredType? {
    if let type = self[[name]], type.isModel { return type }
    if let alias = aliases[name]?.first(where: { $0.path == [name] }) {
      guard case .named(let target, _) = alias.type else { return nil }
      return target == [name] ? nil : type(named: target, in: [])
    }
    return self[[name]]
  }

  /// The type that a name leads to, through aliases.
  func type(named path: [String], in scope: [String], depth: Int = 0) -> DeclaredType? {
    var (path, scope) = (path, scope)
    for _ in 0..<16 {
      switch meaning(of: path, in: scope, depth: depth) {
      case .type(let type): return type
      case .alias(.named(let target, _), let next):
        if target == path, next == scope { return nil }
        (path, scope) = (target, next)
      default: return nil
      }
    }
    return nil
  }
}
