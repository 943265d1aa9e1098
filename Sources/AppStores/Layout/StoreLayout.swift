/// Where a store has the properties of its model: tables and columns, by the rules that Core Data
/// names them.
///
/// The names follow from the model and the numbers of its entities; a migration changes the order of
/// columns, so they are found by name. There is no public description of the rules: they were
/// derived from 52 stores, in which they explain each of 4,513 columns.
struct StoreLayout {
  /// An entity with objects, or an abstract one.
  struct Entity {
    var model: StoreEntity
    /// The number in `Z_PRIMARYKEY` and `Z_ENT`.
    var number: Int64
    /// The number of the entity at the top of the tree, whose row counts the keys.
    var root: Int64
    var table: String
    var attributes: [Attribute] = []
    var toOnes: [ToOne] = []
    var lists: [List] = []
  }

  struct Attribute {
    var model: StoreAttribute
    /// The column, or those of the elements of a composite attribute.
    var columns: [String]
  }

  struct ToOne {
    var model: StoreRelationship
    var column: String
    /// The column with the number of the target's entity, if that has sub-entities.
    var entityColumn: String?
    /// The column with the place among the objects of an ordered inverse.
    var orderColumn: String?
  }

  /// A relationship to many objects that is a list in the record of its object.
  struct List {
    enum Place {
      /// The targets refer to the object.
      case column(table: String, column: String, order: String?, isHidden: Bool)
      /// A table of pairs.
      case join(Join, side: Int)
    }

    var model: StoreRelationship
    var place: Place
  }

  /// The table of a many-to-many relationship.
  struct Join {
    struct Side {
      var entity: String
      var relationship: StoreRelationship
      /// The column with the objects that have the relationship.
      var column: String
      /// The column with the order of the relationship's targets.
      var orderColumn: String?
    }

    var table: String
    /// The sides: by entity without regard to case, then by relationship.
    var sides: [Side]
    /// Whether the relationship is its own inverse: each link is a row in both directions.
    var isReflexive: Bool {
      sides[0].entity == sides[1].entity
        && sides[0].relationship.name == sides[1].relationship.name
    }
  }

  private(set) var entities: [Entity] = []
  private(set) var joins: [Join] = []
  /// The columns that the model does not explain, as `TABLE.COLUMN`.
  private(set) var unexplained: [String] = []
  /// The places of the entities by number and by name.
  private(set) var byNumber: [Int64: Int] = [:]
  private(set) var byName: [String: Int] = [:]

  func entity(_ name: String) -> Entity? { byName[name].map { entities[$0] } }

  /// The tables of objects, in the order of their record types.
  var tables: [(name: String, root: Int64)] {
    var known: Set<Int64> = []
    return entities.filter { known.insert($0.root).inserted }.map { ($0.table, $0.root) }
  }

  /// A row of `Z_PRIMARYKEY`.
  struct PrimaryKey {
    var number: Int64
    var name: String
  }

  /// - Parameters:
  ///   - keys: The rows of `Z_PRIMARYKEY`.
  ///   - columns: The columns of each table.
  ///   - fail: Makes an error of a text.
  init(
    _ model: StoreModel, _ keys: [PrimaryKey], columns: [String: [String]],
    fail: (String) -> any Error
  ) throws {
    var maker = LayoutMaker(model: model, columns: columns)
    try maker.number(keys, fail)
    try maker.placeProperties(fail)
    try maker.placeRelationships(fail)
    entities = maker.entities
    joins = maker.joins
    for (place, entity) in entities.enumerated() {
      byNumber[entity.number] = place
      byName[entity.model.name] = place
    }
    unexplained = maker.unexplained
  }
}
