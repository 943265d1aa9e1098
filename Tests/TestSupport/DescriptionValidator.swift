import Foundation

/// Checks responses against the OpenAPI description in `Schemas`, with Python's validator for JSON
/// Schema.
package enum DescriptionValidator {
  /// A response of the service.
  package struct Response: Codable, Sendable {
    package var method: String
    package var path: String
    package var status: Int
    package var body: String

    package init(method: String, path: String, status: Int, body: String) {
      self.method = method
      self.path = path
      self.status = status
      self.body = body
    }
  }

  private static let script = """
    import json, re, sys
    try:
        import jsonschema, yaml
    except ImportError:
        print("absent"); sys.exit(0)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    described = yaml.load(open(sys.argv[1]), loader)
    components = described["components"]
    for schema in components["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    paths = [(re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", path) + "$"), operations)
             for path, operations in described["paths"].items()]
    validators = {}
    for index, response in enumerate(json.load(sys.stdin)):
        name = f"{index}: {response['method']} {response['path']} {response['status']}"
        found = [o for pattern, o in paths if pattern.match(response["path"])]
        operation = found[0].get(response["method"].lower()) if found else None
        if operation is None:
            # What leads nowhere, or has another method, is an error.
            content = components["responses"]["Error"]
        else:
            content = operation["responses"].get(str(response["status"]))
            if content is None:
                print(f"{name}: the status is not described"); continue
            if "$ref" in content:
                content = components["responses"][content["$ref"].split("/")[-1]]
        media = content.get("content", {}).get("application/json")
        if media is None:
            continue
        key = json.dumps(media["schema"])
        if key not in validators:
            schema = dict(media["schema"], components=components)
            validators[key] = jsonschema.Draft202012Validator(schema)
        for error in validators[key].iter_errors(json.loads(response["body"])):
            print(f"{name}: {error.json_path}: {error.message[:300]}")
    print("done")
    """

  /// Returns what is wrong with responses, each line with the index of one; nil where the validator is
  /// not installed.
  package static func problems(in responses: [Response]) async throws -> [String]? {
    let run = try await Command(
      "python3", "-c", script, Place.inPackage("Schemas/cloudkit-web-services.yaml"),
      input: JSONEncoder().encode(responses))
    if run.output.hasPrefix("absent") || run.code == 127 { return nil }
    var lines = run.output.split(separator: "\n").map(String.init)
    guard run.code == 0, lines.popLast() == "done" else { return [run.output] }
    return lines
  }
}
