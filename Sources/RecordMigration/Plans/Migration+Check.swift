import RecordModel
import RecordSchema

extension Migration {
  /// Checks the steps against the known schemas, and completes them with information from the
  /// schemas.
  ///
  /// - Parameters:
  ///   - fromLocation: The location of errors in steps that have no location of their own.
  ///   - toLocation: The location of errors about the target schema.
  /// - Throws: ``PlanError``.
  public mutating func checkAgainstSchemas(
    fromLocation: PlanLocation? = nil, toLocation: PlanLocation? = nil
  ) throws {
    guard let fromSchema else { return }
    let location = PlanLocation(file: described, line: 1, column: 1)
    var walk = SchemaWalk(fromSchema, fromLocation ?? location)
    for index in steps.indices {
      do {
        try walk.take(&steps[index])
      } catch let error as PlanError where steps[index].location == nil {
        throw PlanError(
          error.location, "step \(index + 1), \(steps[index].title): \(error.message)",
          about: error.subject)
      }
    }
    if let toSchema { try walk.checkEnd(toSchema, version: to, toLocation ?? location) }
  }

  /// The migration as shown in messages.
  private var described: String { "the migration from '\(from)' to '\(to)'" }

  /// Returns the migration after checking it and completing its steps with information from the
  /// schemas.
  ///
  /// - Throws: ``MigrationError/invalid(_:)``.
  func checked() throws -> Migration {
    for (version, member) in [(from, "from"), (to, "to")] where !version.isVersion {
      throw MigrationError.invalid(
        "\(described): '\(member)' is not a valid version name: 1 to 255 bytes, without control "
          + "characters")
    }
    guard from != to else {
      throw MigrationError.invalid("\(described): both are the same version")
    }
    for step in steps { try step.check() }
    // A reversed migration passes through states that no schema describes.
    guard !steps.contains(where: \.treatsFailedConditionAsFalse) else { return self }
    var checked = self
    do {
      try checked.checkAgainstSchemas()
    } catch let error as PlanError {
      let hasLocation = error.location.file != described
      throw MigrationError.invalid(
        hasLocation ? error.description : "\(described): \(error.message)")
    }
    return checked
  }
}

extension String {
  fileprivate var isVersion: Bool {
    (1...255).contains(utf8.count)
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
