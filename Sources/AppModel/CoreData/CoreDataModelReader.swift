import RecordSchema

/// Reads the XML of a Core Data model: the file `contents` in an `.xcdatamodel`.
struct CoreDataModelReader {
  private let file: String
  private var problems: [MirroredModel.Problem] = []

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - bytes: The XML.
  ///   - file: The name of the file in findings.
  ///   - name: The display name of the model.
  ///   - configuration: The configuration of the store with CloudKit; nil for the default, which has
  ///     all entities.
  /// - Returns: The model. Its problems name the elements that cannot be read.
  static func read(
    _ bytes: [UInt8], file: String, named name: String, configuration: String? = nil
  ) -> MirroredModel {
    var reader = CoreDataModelReader(file: file)
    return reader.model(of: bytes, named: name, configuration)
  }

  private init(file: String) { self.file = file }

  private mutating func model(
    of bytes: [UInt8], named name: String, _ configuration: String?
  ) -> MirroredModel {
    let root: XMLElement
    do {
      root = try XMLElement.read(bytes)
    } catch {
      notRead("the model is not XML that can be read: \(error.message)", at: error.span)
      return MirroredModel(name: name, kind: .coreData, entities: [], problems: problems)
    }
    guard root.name == "model" else {
      notRead("the file is not a Core Data model: it begins with '\(root.name)'", at: root.span)
      return MirroredModel(name: name, kind: .coreData, entities: [], problems: problems)
    }
    var elements = root.children(named: "entity")
    for element in root.children
    where !["entity", "configuration", "fetchRequest", "elements", "compositeAttribute"].contains(
      element.name)
    {
      notRead("'\(element.name)' in a model is not known", at: element.span)
    }
    if let configuration {
      elements = members(of: configuration, in: root, among: elements)
    }
    var names: Set<String> = []
    let entities = elements.compactMap { entity(of: $0, &names) }
    if entities.isEmpty, problems.isEmpty {
      notRead("the model has no entity", at: root.span)
    }
    var model = MirroredModel(
      name: name, kind: .coreData, entities: entities, problems: problems)
    for element in elements {
      guard let name = element.attributes["name"] else { continue }
      // The renaming identifier.
      model.originalNames[[name]] = element.attributes["elementID"]
      for child in element.children {
        if let property = child.attributes["name"], let original = child.attributes["elementID"] {
          model.originalNames[[name, property]] = original
        }
      }
    }
    return model
  }

  private func location(_ span: SourceSpan) -> SchemaLocation {
    SchemaLocation(file: file, span: span)
  }

  private mutating func notRead(_ message: String, at span: SourceSpan) {
    problems.append(.init("MODEL_NOT_READ", message, location: location(span)))
  }

  /// The entities of a configuration.
  private mutating func members(
    of configuration: String, in root: XMLElement, among entities: [XMLElement]
  ) -> [XMLElement] {
    guard
      let element = root.children(named: "configuration").first(where: {
        $0.attributes["name"] == configuration
      })
    else {
      problems.append(
        .init(
          "MODEL_CONFIGURATION", "the model has no configuration '\(configuration)'",
          location: location(root.span)))
      return []
    }
    let names = Set(element.children(named: "memberEntity").compactMap { $0.attributes["name"] })
    if names.isEmpty {
      problems.append(
        .init(
          "MODEL_CONFIGURATION", "the configuration '\(configuration)' has no entities",
          location: location(element.span)))
    }
    return entities.filter { names.contains($0.attributes["name"] ?? "") }
  }

  private mutating func entity(
    of element: XMLElement, _ names: inout Set<String>
  ) -> MirroredModel.Entity? {
    guard let name = element.attributes["name"], !name.isEmpty else {
      notRead("an entity has no name", at: element.span)
      return nil
    }
    guard names.insert(name).inserted else {
      notRead("the entity '\(name)' is declared twice", at: element.span)
      return nil
    }
    var entity = MirroredModel.Entity(
      name, parent: element.attributes["parentEntity"], location: location(element.span))
    entity.isAbstract = element.attributes["isAbstract"] == "YES"
    var properties: Set<String> = []
    for child in element.children {
      switch child.name {
      case "attribute":
        if let attribute = attribute(of: child, in: name), isNew(child, in: name, &properties) {
          entity.attributes.append(attribute)
        }
      case "relationship":
        if let found = relationship(of: child, in: name), isNew(child, in: name, &properties) {
          entity.relationships.append(found)
        }
      case "uniquenessConstraints":
        for constraint in child.children(named: "uniquenessConstraint") {
          entity.uniqueConstraints.append(
            constraint.children(named: "constraint").compactMap { $0.attributes["value"] })
        }
      // Neither is stored in CloudKit.
      case "fetchedProperty", "fetchIndex", "userInfo", "compoundIndexes": break
      default: notRead("'\(child.name)' in the entity '\(name)' is not known", at: child.span)
      }
    }
    return entity
  }

  private mutating func isNew(
    _ element: XMLElement, in entity: String, _ known: inout Set<String>
  ) -> Bool {
    let name = element.attributes["name"] ?? ""
    if known.insert(name).inserted { return true }
    notRead("'\(name)' of '\(entity)' is declared twice", at: element.span)
    return false
  }

  private static let types: [String: MirroredModel.AttributeType] = [
    "String": .string, "Integer 16": .integer, "Integer 32": .integer, "Integer 64": .integer,
    "Boolean": .boolean, "Double": .double, "Float": .double, "Decimal": .decimal, "Date": .date,
    "UUID": .uuid, "URI": .uri, "Binary": .binary, "Transformable": .transformable,
    "Composite": .composite,
  ]

  /// Returns an attribute that is stored in CloudKit. Transient and derived ones are not
  /// (OpenCloudData: properties that are read-only).
  private mutating func attribute(
    of element: XMLElement, in entity: String
  ) -> MirroredModel.Attribute? {
    guard let name = element.attributes["name"], !name.isEmpty else {
      notRead("an attribute of '\(entity)' has no name", at: element.span)
      return nil
    }
    if isSet(element, "transient") || isSet(element, "derived")
      || element.attributes["derivationExpression"] != nil
    {
      return nil
    }
    let isOptional = isSet(element, "optional")
    if isIgnored(element) {
      if !isOptional {
        problems.append(
          .init(
            "MODEL_PROPERTY_IGNORED", entity: entity, property: name,
            "'\(name)' of '\(entity)' is left out of CloudKit and not optional; Core Data rejects the "
              + "model at launch", location: location(element.span)))
      }
      return nil
    }
    let typeName = element.attributes["attributeType"] ?? ""
    guard let type = Self.types[typeName] else {
      if typeName.isEmpty || typeName == "Undefined" || typeName == "Object ID"
        || typeName == "ObjectID"
      {
        problems.append(
          .init(
            "MODEL_TYPE_UNSUPPORTED", entity: entity, property: name,
            "'\(name)' of '\(entity)' has the type '\(typeName.isEmpty ? "Undefined" : typeName)', which "
              + "CloudKit cannot store; Core Data rejects the model at launch",
            location: location(element.span)))
      } else {
        problems.append(
          .init(
            "MODEL_NOT_READ", entity: entity, property: name,
            "'\(name)' of '\(entity)' has the type '\(typeName)', which is not known",
            location: location(element.span)))
      }
      return nil
    }
    return MirroredModel.Attribute(
      name, type, isOptional: isOptional, hasDefault: hasDefault(element),
      isEncrypted: isSet(element, "allowsCloudEncryption"), location: location(element.span))
  }

  private func hasDefault(_ element: XMLElement) -> Bool {
    // defaultValueString, and defaultDateTimeInterval of a date.
    element.attributes.keys.contains { $0.hasPrefix("default") }
  }

  private mutating func relationship(
    of element: XMLElement, in entity: String
  ) -> MirroredModel.Relationship? {
    guard let name = element.attributes["name"], !name.isEmpty else {
      notRead("a relationship of '\(entity)' has no name", at: element.span)
      return nil
    }
    if isSet(element, "transient") { return nil }
    if isIgnored(element) || isSet(element, "allowsCloudEncryption") {
      problems.append(
        .init(
          "MODEL_PROPERTY_IGNORED", entity: entity, property: name,
          "the relationship '\(name)' of '\(entity)' is "
            + (isIgnored(element) ? "left out of CloudKit" : "encrypted")
            + "; Core Data rejects the model at launch", location: location(element.span)))
    }
    guard let destination = element.attributes["destinationEntity"], !destination.isEmpty else {
      problems.append(
        .init(
          "MODEL_NOT_READ", entity: entity, property: name,
          "the relationship '\(name)' of '\(entity)' has no destination",
          location: location(element.span)))
      return nil
    }
    // Xcode writes toMany="YES"; older versions of it maxCount alone.
    let isToMany =
      isSet(element, "toMany")
      || element.attributes["toMany"] == nil && element.attributes["maxCount"] != "1"
    return MirroredModel.Relationship(
      name, to: destination, isToMany: isToMany, isOptional: isSet(element, "optional"),
      inverse: element.attributes["inverseName"], isOrdered: isSet(element, "ordered"),
      deniesDeletion: element.attributes["deletionRule"] == "Deny",
      location: location(element.span))
  }

  private func isSet(_ element: XMLElement, _ name: String) -> Bool {
    ["YES", "TRUE", "1"].contains(element.attributes[name]?.uppercased() ?? "")
  }

  /// Whether the user info leaves a property out of CloudKit.
  private func isIgnored(_ element: XMLElement) -> Bool {
    element.children(named: "userInfo").flatMap { $0.children(named: "entry") }.contains {
      $0.attributes["key"] == "NSCloudKitMirroringDelegateIgnoredPropertyKey"
        && !["NO", "FALSE", "0"].contains($0.attributes["value"]?.uppercased() ?? "")
    }
  }
}

/// Reads which version of a model is current: the property list `.xccurrentversion` in an
/// `.xcdatamodeld`.
package enum CurrentModelVersion {
  package static let key = "_XCCurrentVersionName"

  /// Returns the name of the current version's folder, such as `App 2.xcdatamodel`; nil if the file
  /// does not tell, or is not XML.
  package static func read(_ bytes: [UInt8]) -> String? {
    guard let root = try? XMLElement.read(bytes),
      let dictionary = root.children(named: "dict").first
    else { return nil }
    let children = dictionary.children
    for (key, value) in zip(children, children.dropFirst())
    where key.name == "key" && key.text == Self.key && value.name == "string" {
      return value.text
    }
    return nil
  }
}
