import Foundation

/// Real responses of the CloudKit server, which lie beside the package where it is developed.
enum Corpus {
  static let folder = Place.corpus("web-services") ?? Place.package

  /// The files, by name; empty on a machine without them.
  static let files: [URL] =
    ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
    ?? []).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }

  static let isThere = !files.isEmpty

  /// The record dictionaries of a file, read by Foundation, in order.
  static func dictionaries(_ file: URL) throws -> [[String: Any]] {
    try dictionaries(in: JSONSerialization.jsonObject(with: Data(contentsOf: file)))
  }

  static func dictionaries(in json: Any) throws -> [[String: Any]] {
    guard let response = json as? [String: Any] else { return [] }
    if let batch = response["batch"] as? [Any] { return try batch.flatMap(dictionaries(in:)) }
    return response["records"] as? [[String: Any]] ?? []
  }
}
