import Foundation

/// Python's validator for JSON Schema, which is not ours.
package enum SchemaValidator {
  private static let script = """
    import json, sys
    try:
        import jsonschema, yaml
    except ImportError:
        print("absent"); sys.exit(0)
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for text in json.load(sys.stdin):
        try:
            print("yes" if validator.is_valid(yaml.safe_load(text)) else "no")
        except yaml.YAMLError:
            print("no")
    """

  /// Whether YAML documents are valid; nil where the validator is not installed.
  ///
  /// - Parameter schema: The name of a file in `Schemas`.
  package static func verdicts(of documents: [String], by schema: String) async throws -> [Bool]? {
    let run = try await Command(
      "python3", "-c", script, Place.inPackage("Schemas/" + schema),
      input: JSONEncoder().encode(documents), mergesErrors: false)
    if run.output.hasPrefix("absent") || run.code == 127 { return nil }
    return run.output.split(separator: "\n").map { $0 == "yes" }
  }
}
