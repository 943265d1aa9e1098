import Foundation
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

/// A request to a database, as text to copy: for curl, for CloudKit JS, and in Swift.
///
/// The values of encrypted fields are in it only if somebody has asked to see them, and tokens never.
struct CopiedRequest {
  let method: String
  let scope: DatabaseScope
  /// The path after the database.
  let endpoint: String
  /// The body as it is shown; nil for none.
  let body: JSONValue?
  /// The address with the query.
  let address: String
  let containerIdentifier: String

  /// The path of the request of a test that adds a user.
  static let usersPath = "/admin/users"
  /// The API token of a server that takes any.
  static let anyToken = "test"

  /// - Parameter user: the record name of the user who sends it; nil for nobody.
  /// - Returns: nil for a request that is not one to a database.
  init?(
    _ context: ConsoleRequest, method: String, path: String, body: JSONValue?, user: String?
  ) {
    guard case .endpoint(let endpoint, _, let scope)? = try? WebRoute(path) else { return nil }
    self.method = method
    self.scope = scope
    self.endpoint = endpoint.path
    self.body = body
    containerIdentifier = context.address.identifier
    // Tokens that only some know are not shown.
    let access = context.served.access
    var query = "ckAPIToken=" + (access.apiTokens.isEmpty ? Self.anyToken : "API_TOKEN")
    if let user {
      query +=
        "&ckWebAuthToken=" + (access.userTokens.isEmpty ? user.percentEncoded : "WEB_AUTH_TOKEN")
    }
    address = "\(context.baseURL)\(path)?\(query)"
  }

  // MARK: curl

  /// The request as a command of a POSIX shell.
  var curl: String {
    guard method != "GET" else { return "curl -sS \(address.shellQuoted)" }
    return Self.curl(address, body: body ?? .object([]))
  }

  /// A command that posts JSON.
  static func curl(_ address: String, body: JSONValue) -> String {
    """
    curl -sS \(address.shellQuoted) \\
      -H 'Content-Type: application/json' \\
      --data-binary \(body.compactText.visibleJSON.shellQuoted)
    """
  }

  // MARK: CloudKit JS

  /// The request in JavaScript: by a call of CloudKit JS, or by `fetch` where it has none.
  var javaScript: String {
    let database = "CloudKit.getDefaultContainer().\(scope.rawValue)CloudDatabase"
    func object(_ json: JSONValue?) -> String { json?.compactText.visibleJSON ?? "{}" }
    func call(_ name: String, of member: String) -> String {
      """
      const response = await \(database)
        .\(name)(\(object(body?[member])), \(object(body?.dropping([member]))));
      """
    }
    let operations = body?["operations"]?.elements ?? []
    switch endpoint {
    case "records/modify" where !operations.isEmpty:
      let known = [
        "create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete",
      ]
      let calls = operations.compactMap { operation -> String? in
        guard let kind = operation["operationType"]?.string, known.contains(kind) else {
          return nil
        }
        return "  .\(kind)(\(object(operation["record"])))"
      }
      guard calls.count == operations.count else { break }
      let options = object(body?.dropping(["operations"]))
      return """
        const response = await \(database)
          .newRecordsBatch(\(options))
        \(calls.joined(separator: "\n"))
          .commit();
        """
    case "zones/modify" where !operations.isEmpty:
      let calls = operations.compactMap { operation -> String? in
        let name =
          operation["operationType"]?.string == "delete" ? "deleteRecordZones" : "saveRecordZones"
        return "await \(database).\(name)(\(object(operation["zone"])));"
      }
      return calls.joined(separator: "\n")
    case "records/accept":
      let shares = body?["shortGUIDs"]?.elements ?? []
      return "const response = await CloudKit.getDefaultContainer()\n"
        + "  .acceptShares(\(object(.array(shares))));"
    case "records/lookup": return call("fetchRecords", of: "records")
    case "records/query" where body?["query"] != nil: return call("performQuery", of: "query")
    default: break
    }
    let address = object(.string(address))
    guard method != "GET" else { return "const response = await fetch(\(address));" }
    return """
      const response = await fetch(\(address), {
        method: "\(method)",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(\(object(body))),
      });
      """
  }
}
