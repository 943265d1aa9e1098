import RecordModel
import RecordSchema

/// The schema that a server judges by: that of a container, parsed.
struct ContainerSchema: Sendable {
  /// The environment: in development, saves add to the schema.
  let environment: ContainerInfo.Environment
  /// The schema as it was written. It may omit `Users`, which every container has.
  let schema: CloudSchema
  /// The record types and fields by name, `Users` among them.
  let types: RecordTypeTable

  /// - Throws: `SchemaSyntaxError` if the text has errors.
  init(parsing text: String?, in environment: ContainerInfo.Environment) throws {
    self.environment = environment
    if let text {
      schema = try SchemaDocument(parsing: text, name: "the container's schema").validSchema()
    } else {
      schema = CloudSchema(recordTypes: [.builtInUsers])
    }
    types = RecordTypeTable(schema)
  }
}
