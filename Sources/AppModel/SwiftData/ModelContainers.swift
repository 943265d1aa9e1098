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
  var configurations: [(path: [String], Set<Configuration>)] = []
  /// The databases and flags that types and files declare, and those that calls pass.
  var databases: [(path: [String], database: Database)] = []
  var flags: [(path: [String], isTrue: Bool)] = []
  var calls: [Call] = []
  /// The tables that a sync engine of SQLiteData has.
  var synced: [List] = []

  /// Whether every configuration says that nothing is mirrored.
  static func areLocal(_ files: [ModelContainers]) -> Bool {
    let containers = files.flatMap(\.containers)
    var values = DatabaseValues(files)
    let places = containers.flatMap(\.configurations).map { values.place(of: $0) }
    return places.contains(.local) && places.allSatisfy { $0 == .local || $0 == .memory }
      && containers.allSatisfy { !$0.configurations.isEmpty && $0.references.isEmpty }
  }
}
