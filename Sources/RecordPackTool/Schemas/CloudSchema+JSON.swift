import RecordCoding
import RecordSchema

extension CloudSchema {
  /// The schema as a JSON object, in the order of the schema.
  var json: JSONValue {
    .object([
      .init("roles", .array(roles.map { .string($0.name) })),
      .init("recordTypes", .array(recordTypes.map(\.json))),
    ])
  }
}

extension CloudSchema.RecordType {
  fileprivate var json: JSONValue {
    .object([
      .init("name", .string(name)), .init("fields", .array(fields.map(\.json))),
      .init("grants", .array(grants.map(\.json))),
    ])
  }
}

extension CloudSchema.Field {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("type", .string(type.primitive.rawValue)),
      .init("isList", .bool(type.isList)), .init("isEncrypted", .bool(type.isEncrypted)),
      .init("indexes", .array(options.keywords.map(JSONValue.string))),
    ]
    if let preference = type.numberPreference {
      members.append(.init("numberPreference", .string(preference.rawValue)))
    }
    return .object(members)
  }
}

extension CloudSchema.Grant {
  fileprivate var json: JSONValue {
    .object([
      .init("role", .string(role)),
      .init("permissions", .array(permissions.keywords.map(JSONValue.string))),
    ])
  }
}

extension SchemaRule {
  /// What `recordpack schema explain` says of the rule.
  var json: JSONValue {
    let evidence = evidence.map { evidence in
      JSONValue.object([
        .init("strength", .string(evidence.strength.rawValue)),
        .init("text", .string(evidence.text)),
      ])
    }
    return .object([
      .init("rule", .string(id.rawValue)), .init("category", .string(category.rawValue)),
      .init("severity", .string(defaultSeverity.rawValue)), .init("title", .string(title)),
      .init("questions", .array(checkKinds.map { .string($0.rawValue) })),
      .init("needsRecords", .bool(needsRecords)), .init("effect", .string(effect)),
      .init("remedy", .string(remedy)), .init("evidence", .array(evidence)),
    ])
  }
}
