import RecordSchema

/// The models of the containers in the code of a file.
///
/// A list of models can be a literal, a constant, a schema, or those of a version. Names that the file
/// declares are followed while it is read; those of other files are kept as references.
struct ModelContainers: Sendable {
  /// A name as the code writes it, with the path of the type around it.
  struct Name: Sendable, Hashable {
    var path: [String]
    var scope: [String]
    /// Whether it is added to a list, so that it is one whatever its name.
    var isAdded = false

    /// The argument of the calls of a function, in any file.
    static func argument(_ label: String, of function: String) -> Name {
      // `.init(…)` may be of any type.
      let isType = function.first?.isUppercase == true
      return Name(path: ["\(isType ? "init" : function)(\(label):)"], scope: [])
    }

    var isArgument: Bool { path.last?.hasSuffix(":)") == true }
  }

  /// The models that an expression lists.
  struct List: Sendable, Hashable {
    /// The types that are named with `.self`, which may be versions.
    var types: Set<Name> = []
    /// The names that no declaration of the file explains.
    var references: Set<Name> = []

    mutating func formUnion(_ other: List) {
      types.formUnion(other.types)
      references.formUnion(other.references)
    }
  }

  /// Where a configuration stores its models.
  enum Place: Sendable, Hashable {
    /// In CloudKit, too, unless the database is none.
    case mirrored(Database)
    /// On the device only.
    case local
    /// In memory, as tests and previews do. Says nothing about the app's own store.
    case memory
  }

  /// An argument that may be a database.
  struct Call: Sendable {
    var function: String
    var label: String
    var database: Database
  }

  struct Configuration: Sendable, Hashable {
    /// The models; nil for those of the container.
    var models: List?
    var place: Place
  }

  /// The configurations that have a name for other files: of a declaration, or of an argument.
  struct SharedConfigurations: Sendable {
    var path: [String]
    var found: Set<Configuration>
    /// The names that no declaration of the file explains.
    var references: Set<Name>
  }

  struct Container: Sendable {
    var models: List
    /// The configurations. A container without configurations is mirrored.
    var configurations: Set<Configuration> = []
    /// The names of configurations that no declaration of the file explains.
    var references: Set<Name> = []
    var location: SchemaLocation
  }

  var containers: [Container] = []
  /// The lists of schemas, which count where no container is read.
  var schemas: [List] = []
  /// The lists and configurations that types and files declare, by the paths of their names.
  var lists: [(path: [String], list: List)] = []
  var configurations: [SharedConfigurations] = []
  /// The databases and flags that types and files declare, and those that calls pass.
  var databases: [(path: [String], database: Database)] = []
  var flags: [(path: [String], isTrue: Bool)] = []
  var calls: [Call] = []
  /// The tables that a sync engine of SQLiteData has.
  var synced: [List] = []

  /// Whether every configuration says that nothing is mirrored.
  static func areLocal(_ files: [ModelContainers]) -> Bool {
    var values = ConfigurationValues(files)
    let containers = files.flatMap(\.containers)
    let configurations = containers.map { values.configurations(of: $0) }
    let places = configurations.joined().map(\.place)
    return places.contains(.local) && places.allSatisfy { $0 == .local || $0 == .memory }
      && configurations.allSatisfy { !$0.isEmpty }
      && containers.flatMap(\.references).allSatisfy { !values.configurations(of: $0).isEmpty }
  }
}

/// The configurations that containers have with those of other files.
struct ConfigurationValues {
  private var shared: [String: [ModelContainers.SharedConfigurations]] = [:]
  private var databases: DatabaseValues

  init(_ files: [ModelContainers]) {
    databases = DatabaseValues(files)
    for found in files.flatMap(\.configurations) {
      shared[found.path.last ?? "", default: []].append(found)
    }
  }

  /// The configurations of a container, as far as the files explain them.
  mutating func configurations(
    of container: ModelContainers.Container
  ) -> Set<ModelContainers.Configuration> {
    var all = container.configurations
    for name in container.references { all.formUnion(configurations(of: name)) }
    return Set(all.map { .init(models: $0.models, place: databases.place(of: $0)) })
  }

  /// The configurations that a name means; none if no file explains it.
  func configurations(of name: ModelContainers.Name) -> Set<ModelContainers.Configuration> {
    var seen: Set<ModelContainers.Name> = []
    return configurations(of: name, &seen)
  }

  private func configurations(
    of name: ModelContainers.Name, _ seen: inout Set<ModelContainers.Name>
  ) -> Set<ModelContainers.Configuration> {
    var all: Set<ModelContainers.Configuration> = []
    guard seen.insert(name).inserted else { return all }
    for shared in shared[name.path.last ?? ""] ?? []
    where shared.path.suffix(name.path.count) == name.path[...] {
      var found = shared.found
      for name in shared.references { found.formUnion(configurations(of: name, &seen)) }
      // A call passes a value that no file explains.
      if found.isEmpty, name.isArgument { found = [.init(models: nil, place: .mirrored(.other))] }
      all.formUnion(found)
    }
    return all
  }
}
