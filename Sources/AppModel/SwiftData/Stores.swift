import RecordSchema

/// The stores of an app, as its containers configure them.
struct Stores {
  /// The models that are mirrored to CloudKit, and those that a store on the device has.
  private(set) var mirrored = ModelChoice.Resolved()
  private(set) var local = ModelChoice.Resolved()
  /// Whether a mirrored container has a list that was not read, so that it may have any model.
  private(set) var isOpen = false
  /// Whether a container is in memory only.
  private(set) var hasMemory = false
  /// Whether a container is not in memory only.
  private(set) var hasContainers = false
  private(set) var problems: [MirroredModel.Problem] = []

  private var localPlace: SchemaLocation?
  private let choice: ModelChoice
  private var values: ConfigurationValues

  init(_ choice: ModelChoice, _ files: [SwiftDeclarations]) {
    self.choice = choice
    values = ConfigurationValues(files.map(\.containers))
    let containers = files.flatMap(\.containers.containers)
    for container in containers { add(container) }
    guard hasContainers, !isOpen, mirrored.models.isEmpty, let first = containers.first else {
      return
    }
    problems.append(
      .init(
        "MODEL_NOT_MIRRORED",
        "no container of the app is mirrored to CloudKit, so none of its classes was checked",
        location: localPlace ?? first.location))
  }

  private mutating func add(_ container: ModelContainers.Container) {
    var configurations = values.configurations(of: container)
    if !configurations.isEmpty, configurations.allSatisfy({ $0.place == .memory }) {
      hasMemory = true
      return
    }
    hasContainers = true
    if configurations.contains(where: { $0.place == .local }), localPlace == nil {
      localPlace = container.location
    }
    if configurations.isEmpty { configurations = [.init(models: nil, place: .mirrored(.other))] }
    let base = choice.resolve(container.models)
    let explicit = configurations.compactMap(\.models).map(choice.resolve)
    let named = explicit.reduce(into: Set<[String]>()) { $0.formUnion($1.models) }
    var found = ModelChoice.Resolved()
    for configuration in configurations where configuration.place != .memory {
      var models = configuration.models.map(choice.resolve) ?? base
      // A configuration without a schema has the models that no other one names.
      if configuration.models == nil, base.models != named { models.models.subtract(named) }
      if models.models.isEmpty, models.unknown.isEmpty { models = base }
      if configuration.place == .local {
        local.formUnion(models)
      } else {
        found.formUnion(models)
      }
    }
    mirrored.formUnion(found)
    guard configurations.contains(where: { $0.place != .local && $0.place != .memory }) else {
      return
    }
    report(found, of: container)
  }

  /// Reports what a mirrored container lists, and what no file explains.
  private mutating func report(
    _ found: ModelChoice.Resolved, of container: ModelContainers.Container
  ) {
    // `T.self` in a generic function.
    let isGeneric = { (path: [String]) in path.count == 1 && path[0].utf8.count == 1 }
    let unknown = found.unknown.filter { !isGeneric($0) }
      .map { $0.joined(separator: ".") }.sorted()
    if found.isOpen || found.models.isEmpty { isOpen = true }
    if !unknown.isEmpty {
      notRead(
        "the container lists '\(unknown.prefix(10).joined(separator: "', '"))', which no file that was "
          + "read declares", at: container.location)
    } else if found.models.isEmpty, found.unknown.isEmpty {
      notRead(
        "no file that was read names the models of the container; all classes are checked",
        at: container.location)
    }
  }

  private mutating func notRead(_ message: String, at location: SchemaLocation) {
    guard !problems.contains(where: { $0.message == message }) else { return }
    problems.append(.init("MODEL_NOT_READ", message, location: location))
  }
}
