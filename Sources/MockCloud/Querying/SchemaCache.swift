import RecordModel
import RecordSchema
import Synchronization

/// The schema of a container, which is parsed once.
final class SchemaCache: Sendable {
  private let parsed = Mutex<(text: String, schema: CloudSchema)?>(nil)

  /// Returns the schema in a container's metadata; nil if there is none.
  ///
  /// - Throws: `internalError` for text that is no schema.
  func schema(of info: ContainerInfo) throws(CloudError) -> CloudSchema? {
    guard let text = info.schema else { return nil }
    if let known = parsed.withLock({ $0 }), known.text.sameScalars(as: text) {
      return known.schema
    }
    let document = SchemaDocument(parsing: text, name: "the schema of the container")
    guard !document.hasErrors else {
      throw CloudError(.internalError, document.diagnosticText())
    }
    parsed.withLock { $0 = (text, document.schema) }
    return document.schema
  }
}
