import Foundation
import RecordSchema

/// The file `record-type-generator-config.json` beside a schema.
///
/// ```json
/// { "access": "public", "systemFields": true }
/// ```
struct GeneratorConfiguration {
  private(set) var options = SwiftSource.Options()

  /// - Throws: `GeneratorError` for text that is not JSON, a member that does not exist, or a value
  ///   that it cannot have: a misspelled setting must not be left out silently.
  init(json: Data, file: String) throws {
    let error = { (text: String) in GeneratorError("\(file):1:1: error: \(text)") }
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
      throw error("expected a JSON object with the members \"access\" and \"systemFields\"")
    }
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "access":
        guard let access = (value as? String).flatMap(SwiftSource.Options.Access.init) else {
          let levels = SwiftSource.Options.Access.allCases.map { "\"\($0.rawValue)\"" }
          throw error("\"access\" must be one of \(levels.joined(separator: ", "))")
        }
        options.access = access
      case "systemFields":
        guard let hasSystemFields = value as? Bool else {
          throw error("\"systemFields\" must be true or false")
        }
        options.hasSystemFields = hasSystemFields
      default:
        throw error("there is no member \"\(name)\", only \"access\" and \"systemFields\"")
      }
    }
  }
}
