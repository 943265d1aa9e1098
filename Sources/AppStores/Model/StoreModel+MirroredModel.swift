import RecordModel
import RecordSchema

extension StoreModel {
  /// The model as the checks of schemas read it, with what Core Data's mirroring sends.
  ///
  /// Whether an attribute is encrypted in CloudKit is not known: no public description of compiled
  /// models says where that is.
  package func mirrored(named name: String, _ kind: MirroredModel.Kind) -> MirroredModel {
    var problems: [MirroredModel.Problem] = []
    let entities = entities.map { entity in
      let parent = entity.superentity.flatMap(self.entity)
      var result = MirroredModel.Entity(entity.name, parent: entity.superentity)
      result.uniqueConstraints = entity.uniqueConstraints
      result.isAbstract = entity.isAbstract
      for attribute in entity.attributes where parent?.has(attribute.name) != true {
        guard attribute.isMirrored else { continue }
        guard let type = attribute.kind.mirrored else {
          problems.append(
            .init(
              "MODEL_TYPE_UNSUPPORTED", entity: entity.name, property: attribute.name,
              "'\(attribute.name)' of '\(entity.name)' has the type "
                + "'\(attribute.kind == .objectID ? "Object ID" : "Undefined")', which CloudKit "
                + "cannot store; Core Data rejects the model at launch"))
          continue
        }
        result.attributes.append(
          .init(
            attribute.name, type, isOptional: attribute.isOptional,
            hasDefault: attribute.hasDefault))
      }
      for relationship in entity.relationships
      where parent?.has(relationship.name) != true && !relationship.isTransient {
        result.relationships.append(
          .init(
            relationship.name, to: relationship.destination, isToMany: relationship.isToMany,
            isOptional: relationship.isOptional, inverse: relationship.inverse,
            isOrdered: relationship.isOrdered, deniesDeletion: relationship.isDenied))
      }
      return result
    }
    return MirroredModel(name: name, kind: kind, entities: entities, problems: problems)
  }

  /// The schema of the records that are read from the store: that of the mirroring, and a list of
  /// record names for each relationship that Core Data cannot mirror.
  func schema(named name: String) -> CloudSchema {
    var schema = mirrored(named: name, .coreData).fullSchema
    for entity in entities {
      let type = CoreDataNames.recordType(of: root(of: entity).name)
      guard let place = schema.recordTypes.firstIndex(where: { $0.name == type }) else { continue }
      for relationship in entity.relationships where relationship.isList {
        let field = CoreDataNames.field(of: relationship.name)
        guard !schema.recordTypes[place].fields.contains(where: { $0.name == field }) else {
          continue
        }
        schema.recordTypes[place].fields.append(
          CloudSchema.Field(field, .list(of: .string), [.queryable]))
      }
    }
    return schema
  }
}

extension StoreAttribute {
  /// Whether the mirroring sends the attribute, apart from its type.
  var isMirrored: Bool { !isTransient && !isDerived && !isIgnored }

  /// Whether a large value is a file in its record.
  var hasFile: Bool {
    switch kind {
    case .string, .uri, .data, .transformable, .composite, .undefined, .objectID: true
    default: false
    }
  }
}

extension StoreAttribute.Kind {
  /// The type in the checks of schemas; nil for one that CloudKit cannot store.
  fileprivate var mirrored: MirroredModel.AttributeType? {
    switch self {
    case .int16, .int32, .int64: .integer
    case .boolean: .boolean
    case .double, .float: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .data: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .transformable: .transformable
    case .composite: .composite
    case .undefined, .objectID: nil
    }
  }
}
