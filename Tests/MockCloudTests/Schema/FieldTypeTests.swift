import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Values and the types of their fields, in both environments. Sources: Seam3 #18, CloudCore #42,
/// MistKit #392.
struct FieldTypeTests {
  static let misfits: [(String, RecordValue, String, String)] = [
    ("count", .string("x"), "STRING", "INT64"), ("count", .double(1.5), "DOUBLE", "INT64"),
    ("price", .int64(1), "INT64", "DOUBLE"), ("amount", .string("x"), "STRING", "NUMBER"),
    ("text", .stringList(["x"]), "STRING_LIST", "STRING"),
    ("tags", .string("x"), "STRING", "STRING_LIST"),
    ("tags", .int64List([1]), "INT64_LIST", "STRING_LIST"),
    ("owner", .string("x"), "STRING", "REFERENCE"),
    ("image", .asset(Asset(data: Data("x".utf8))), "ASSETID", "BYTES"),
    ("secret", .string("x"), "STRING", "ENCRYPTED_STRING"),
  ]

  @Test(
    "a value of another type is refused in the server's words",
    arguments: ContainerInfo.Environment.allCases)
  func misfit(environment: ContainerInfo.Environment) async throws {
    let container = try await makeContainer(environment)
    for (name, value, found, defined) in Self.misfits {
      let error = await container.refusal(of: note("n", name, value))
      #expect(error?.code == .invalidArguments)
      #expect(
        error?.message == "invalid attempt to set value type \(found) for field '\(name)' for "
          + "type 'Note', defined to be: \(defined)")
    }
    let encrypted = await container.refusal(
      of: note("n", "text", .string("secret words"), isEncrypted: true))
    #expect(encrypted?.message == "Attempt to save encrypted data in non encrypted field type")
    let number = await container.refusal(of: note("n", "secret", .int64(7777), isEncrypted: true))
    #expect(number?.message.contains("ENCRYPTED_INT64") == true)
    #expect(number?.message.contains("7777") == false)
    let list = await container.refusal(of: note("n", "text", .emptyList))
    #expect(list?.code == .invalidArguments)
    #expect(try container.privateCloudDatabase.names() == [])
    #expect(try container.schemaText == noteSchema)
  }

  @Test(
    "values of the field's type are saved; both kinds of numbers in NUMBER, empty lists in lists",
    arguments: ContainerInfo.Environment.allCases)
  func fit(environment: ContainerInfo.Environment) async throws {
    let container = try await makeContainer(environment)
    let values: [(String, RecordValue)] = [
      ("text", .string("x")), ("count", .int64(1)), ("price", .double(1)), ("amount", .int64(1)),
      ("amount", .double(1.5)), ("tags", .stringList(["x"])), ("tags", .emptyList),
      ("image", .bytes(Data("x".utf8))), ("owner", .reference(Reference(recordID: id("x")))),
    ]
    for (number, (name, value)) in values.enumerated() {
      #expect(await container.refusal(of: note("n\(number)", name, value)) == nil)
    }
    let secret = note("s", "secret", .string("x"), isEncrypted: true)
    #expect(await container.refusal(of: secret) == nil)
  }
}
