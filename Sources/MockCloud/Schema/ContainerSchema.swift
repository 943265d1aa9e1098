import RecordModel
import RecordSchema
import Synchronization

/// The schema that a server checks records against: the container's schema, parsed.
struct ContainerSchema: Sendable {
  /// The environment: in development, saves add to the schema.
  let environment: ContainerInfo.Environment
  /// The schema as it was written. It may omit `Users`, which every container has.
  let schema: CloudSchema
  /// The record types and fields by name, `Users` among them.
  let types: SchemaIndex

  /// - Throws: `SchemaError.syntax` if the text has errors.
  init(parsing text: String?, in environment: ContainerInfo.Environment) throws {
    self.environment = environment
    if let text {
      schema = try SchemaDocument(parsing: text, name: "the container's schema").validSchema()
    } else {
      schema = CloudSchema(recordTypes: [.builtInUsers])
    }
    types = SchemaIndex(schema)
  }
}

/// The schemas of a container: the last one is kept, so that a text is parsed once.
final class ContainerSchemas: Sendable {
  private let last = Mutex<Parsed?>(nil)

  private struct Parsed {
    var text: String?
    var schema: ContainerSchema
  }

  /// Returns the schema of a container; nil if it has neither a schema nor an environment, so that
  /// there is nothing to check against.
  ///
  /// - Throws: `SchemaError.syntax` if the schema cannot be parsed.
  func schema(of info: ContainerInfo, _ rules: ServerRules) throws -> ContainerSchema? {
    guard info.schema != nil || info.environment != nil else { return nil }
    let environment = info.environment ?? rules.unknownEnvironment
    return try last.withLock { last in
      if let last, last.schema.environment == environment, last.text.isSame(as: info.schema) {
        return last.schema
      }
      let schema = try ContainerSchema(parsing: info.schema, in: environment)
      last = Parsed(text: info.schema, schema: schema)
      return schema
    }
  }
}

extension String? {
  fileprivate func isSame(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.sameScalars(as: other)
  }
}
