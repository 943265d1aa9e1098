import RecordModel

extension CloudSchema {
  /// Returns the schema with the record types and fields of another that it lacks, as the
  /// development environment adds what an app saves. Elements that both have differ only in the
  /// types that the other one gives, so that a check sees them.
  func adding(_ other: CloudSchema) -> CloudSchema {
    adding(other) { $0.type = $1.type }
  }

  /// Returns the schema with the roles, record types and fields of another that it lacks. Elements that
  /// both have stay as they are.
  package func adding(whatIsMissing other: CloudSchema) -> CloudSchema {
    var result = adding(other) { _, _ in }
    let known = Set(roles.map { ExactString($0.name) })
    result.roles += other.roles.filter { !known.contains(ExactString($0.name)) }
    return result
  }

  /// - Parameter change: changes a field that both schemas have.
  private func adding(
    _ other: CloudSchema, change: (inout CloudSchema.Field, CloudSchema.Field) -> Void
  ) -> CloudSchema {
    var result = self
    var positions: [ExactString: Int] = [:]
    for (position, type) in recordTypes.enumerated() where positions[ExactString(type.name)] == nil
    {
      positions[ExactString(type.name)] = position
    }
    for type in other.recordTypes {
      guard let position = positions[ExactString(type.name)] else {
        result.recordTypes.append(type)
        continue
      }
      var places: [ExactString: Int] = [:]
      for (place, field) in result.recordTypes[position].fields.enumerated()
      where places[ExactString(field.name)] == nil {
        places[ExactString(field.name)] = place
      }
      for field in type.userFields {
        if let place = places[ExactString(field.name)] {
          change(&result.recordTypes[position].fields[place], field)
        } else {
          result.recordTypes[position].fields.append(field)
        }
      }
    }
    return result
  }
}
