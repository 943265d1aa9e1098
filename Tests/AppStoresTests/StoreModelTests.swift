import AppStores
import Foundation
import RecordCoding
import RecordStore
import TestSupport
import Testing

/// Models that no app has, or that are damaged.
@Suite struct StoreModelTests {
  private typealias Content = KeyedArchiveContent

  private static func object(_ name: String, _ members: [(String, Content)]) -> Content {
    .object(class: [name, "NSObject"], members: members.map { (key: $0.0, value: $0.1) })
  }

  private static func attribute(_ name: String, type: Int64?) -> Content {
    object(
      "NSAttributeDescription",
      [("NSPropertyName", .string(name))] + (type.map { [("NSAttributeType", .integer($0))] } ?? [])
    )
  }

  private static func entity(_ name: String, _ attributes: [(String, Content)]) -> Content {
    let properties = object(
      "NSDictionary",
      [
        ("NS.keys", .list(attributes.map { .string($0.0) })),
        ("NS.objects", .list(attributes.map(\.1))),
      ])
    return object(
      "NSEntityDescription", [("NSEntityName", .string(name)), ("NSProperties", properties)])
  }

  /// Opens the sample with another model, and returns the error.
  private static func error(of entities: [Content]) throws -> String {
    var writer = KeyedArchiveWriter()
    let table = object("NSKnownKeysDictionary1", [("values", .mutableArray(entities))])
    writer.add("root", object("NSManagedObjectModel", [("NSEntities", table)]))
    let model = writer.data()
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let db = try SQLiteConnection(path)
    // One block that is not compressed.
    let size = UInt16(model.count)
    let head = [1, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
    try db.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [Data(head) + model])
    let error = #expect(throws: AppStoreError.self) { try CoreDataStore(db, path: path) }
    try db.close()
    return error?.description ?? ""
  }

  @Test func `an attribute without a type is an error with its place`() throws {
    let note = Self.entity("Note", [("title", Self.attribute("title", type: nil))])
    let error = try Self.error(of: [note])
    #expect(error.contains("NSAttributeType"), "\(error)")
    #expect(error.contains("NSProperties"), "\(error)")
  }

  @Test func `names that differ only in their Unicode normalization are an error`() throws {
    let (one, two) = ("\u{E9}tat", "e\u{301}tat")
    #expect(one == two)
    let attributes = [one, two].map { ($0, Self.attribute($0, type: 700)) }
    let models = [
      [Self.entity("Note", attributes)], [Self.entity(one, []), Self.entity(two, [])],
      attributes.enumerated().map { Self.entity("Note\($0)", [$1]) },
    ]
    for model in models {
      let error = try Self.error(of: model)
      #expect(error.contains("only in their Unicode normalization"), "\(error)")
    }
  }
}
