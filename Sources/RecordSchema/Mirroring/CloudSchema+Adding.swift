import RecordModel

extension CloudSchema {
  /// Returns the schema with the record types and fields of another that it lacks, as the
  /// development environment adds what an app saves. Elements that both have differ only in the
  /// types that the other one gives, so that a check sees them.
  func adding(_ other: CloudSchema) -> CloudSchema {
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
          result.recordTypes[position].fields[place].type = field.type
        } else {
          result.recordTypes[position].fields.append(field)
        }
      }
    }
    return result
  }
}
