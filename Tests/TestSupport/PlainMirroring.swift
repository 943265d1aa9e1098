/// A plain description of a model that Core Data mirrors, and the record types that mirroring makes
/// of it: a second derivation, written from the rules alone, to compare the product's with.
///
/// Sources: Apple, "Reading CloudKit Records for Core Data"
/// (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>); real
/// pairs of a model and a schema that a server exported.
package struct PlainModel: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case string, integer16, integer32, integer64, boolean, double, float, decimal, date, uuid, uri
    case binary, transformable, composite
  }

  package struct Attribute: Sendable, Equatable {
    package var name: String
    package var kind: Kind
    /// Whether the model alone has it: transient, derived, ephemeral, or ignored by mirroring.
    package var isLocal = false
    package var isEncrypted = false

    package init(
      _ name: String, _ kind: Kind, isLocal: Bool = false, isEncrypted: Bool = false
    ) {
      (self.name, self.kind) = (name, kind)
      (self.isLocal, self.isEncrypted) = (isLocal, isEncrypted)
    }
  }

  package struct Relationship: Sendable, Equatable {
    package var name: String
    package var destination: String
    package var inverse: String
    package var isToMany: Bool

    package init(_ name: String, to destination: String, _ inverse: String, isToMany: Bool) {
      (self.name, self.destination) = (name, destination)
      (self.inverse, self.isToMany) = (inverse, isToMany)
    }
  }

  package struct Entity: Sendable, Equatable {
    package var name: String
    package var parent: String?
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []

    package init(_ name: String, parent: String? = nil) {
      (self.name, self.parent) = (name, parent)
    }
  }

  package var entities: [Entity]

  package init(_ entities: [Entity]) { self.entities = entities }
}

extension PlainModel {
  /// The fields of each record type, and their types as a schema writes them.
  package typealias Types = [String: [String: String]]

  /// The elements without which each save of an object with a value fails.
  package var needed: Types { types(isFull: false, shares: false) }

  /// What `initializeCloudKitSchema()` makes: also the files of long values, receipts of moves, and links.
  ///
  /// - Parameter shares: Whether the app shares objects, whose records then move to another zone.
  package func full(shares: Bool) -> Types { types(isFull: true, shares: shares) }

  private func types(isFull: Bool, shares: Bool) -> Types {
    var types: Types = [:]
    for entity in entities {
      // The records of an entity have the type of the entity at the top of its tree.
      let type = "CD_" + root(of: entity).name
      var fields = types[type] ?? ["CD_entityName": "STRING"]
      for attribute in entity.attributes where !attribute.isLocal {
        let name = "CD_" + attribute.name
        fields[name] = (attribute.isEncrypted ? "ENCRYPTED " : "") + attribute.kind.fieldType
        // A value above the limit of a record is a file, which is never marked as encrypted.
        if isFull, attribute.kind.canBeLong { fields[name + "_ckAsset"] = "ASSET" }
      }
      // The name of the other record. The many side of a relationship has no field.
      for relationship in entity.relationships where !relationship.isToMany {
        fields["CD_" + relationship.name] = "STRING"
      }
      if isFull, shares {
        fields["CD_moveReceipt"] = "BYTES"
        fields["CD_moveReceipt_ckAsset"] = "ASSET"
      }
      types[type] = fields
    }
    // A relationship with many objects on both sides is a record for each link.
    if isFull, entities.contains(where: { $0.relationships.contains(where: isManyToMany) }) {
      types["CDMR"] = [
        "CD_entityNames": "STRING", "CD_recordNames": "STRING", "CD_relationships": "STRING",
      ]
    }
    return types
  }

  private func root(of entity: Entity) -> Entity {
    guard let parent = entities.first(where: { $0.name == entity.parent }) else { return entity }
    return root(of: parent)
  }

  private func isManyToMany(_ relationship: Relationship) -> Bool {
    guard relationship.isToMany else { return false }
    // The inverse can be declared by an entity above the destination.
    var place = entities.first { $0.name == relationship.destination }
    while let entity = place {
      if let inverse = entity.relationships.first(where: { $0.name == relationship.inverse }) {
        return inverse.isToMany
      }
      place = entities.first { $0.name == entity.parent }
    }
    return false
  }
}

extension PlainModel.Kind {
  package var fieldType: String {
    switch self {
    case .string, .uuid, .uri: "STRING"
    case .integer16, .integer32, .integer64, .boolean: "INT64"
    case .double, .float, .decimal: "DOUBLE"
    case .date: "TIMESTAMP"
    case .binary, .transformable, .composite: "BYTES"
    }
  }

  /// Whether a value can be longer than a record. The sources disagree about addresses, for which no
  /// real schema decides.
  package var canBeLong: Bool {
    switch self {
    case .string, .uri, .binary, .transformable, .composite: true
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .uuid:
      false
    }
  }
}
