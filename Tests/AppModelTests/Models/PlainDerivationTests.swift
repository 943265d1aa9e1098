import RecordSchema
import TestSupport
import Testing

@testable import AppModel

/// The schema of a model, derived twice by people who did not read each other's code: the product's, and
/// ``PlainModel``.
@Suite("The schema of a model and a second derivation")
struct PlainDerivationTests {
  @Test("agree for models at random: all types and fields, on both levels")
  func random() {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed)
      let model = RandomModel(&random)
      let read = CoreDataModel.read(Array(model.xml.utf8), file: "m", named: "m")
      #expect(Self.types(of: read.fullSchema) == model.plain.full(shares: true), "\(seed)")
      #expect(
        Self.types(of: read.neededSchema(for: CloudSchema())) == model.plain.needed, "\(seed)")
    }
  }

  @Test("agree for each kind of attribute, alone and encrypted")
  func kinds() {
    for kind in PlainModel.Kind.allCases {
      for isEncrypted in [false, true] {
        var entity = PlainModel.Entity("Note")
        entity.attributes = [.init("value", kind, isEncrypted: isEncrypted)]
        let encryption = isEncrypted ? " allowsCloudEncryption=\"YES\"" : ""
        let xml = """
          <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Note">
          <attribute name="value" optional="YES" attributeType="\(kind.xml)"\(encryption)/>
          </entity></model>
          """
        let read = CoreDataModel.read(Array(xml.utf8), file: "m", named: "m")
        #expect(
          Self.types(of: read.fullSchema) == PlainModel([entity]).full(shares: true), "\(kind)")
      }
    }
  }

  /// The fields of an app, by their types.
  private static func types(of schema: CloudSchema) -> PlainModel.Types {
    schema.recordTypes.filter { $0.name.hasPrefix("CD") }.reduce(into: [:]) {
      types, type in
      types[type.name] = type.userFields.reduce(into: [:]) { $0[$1.name] = "\($1.type)" }
    }
  }
}

extension PlainModel.Kind {
  fileprivate var xml: String {
    switch self {
    case .string: "String"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .boolean: "Boolean"
    case .double: "Double"
    case .float: "Float"
    case .decimal: "Decimal"
    case .date: "Date"
    case .uuid: "UUID"
    case .uri: "URI"
    case .binary: "Binary"
    case .transformable: "Transformable"
    case .composite: "Composite"
    }
  }
}

extension RandomModel {
  var plain: PlainModel {
    PlainModel(
      entities.map { entity in
        var plain = PlainModel.Entity(entity.name, parent: entity.parent)
        plain.attributes = entity.attributes.compactMap { attribute in
          PlainModel.Kind.allCases.first { $0.xml == attribute.type.xml }.map {
            PlainModel.Attribute(
              attribute.name, $0, isLocal: attribute.isTransient,
              isEncrypted: attribute.isEncrypted)
          }
        }
        plain.relationships = entity.relationships.map {
          PlainModel.Relationship(
            $0.name, to: $0.destination, $0.inverse, isToMany: $0.isToMany)
        }
        return plain
      })
  }
}
