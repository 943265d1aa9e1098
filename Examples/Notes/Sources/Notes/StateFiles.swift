import Foundation

/// Values as JSON in the files of a folder, each written whole or not at all.
///
/// They contain the decrypted text of notes. Use a folder of the app that is not part of a backup, such
/// as one in `applicationSupportDirectory` with `isExcludedFromBackup`.
public struct StateFiles: Sendable {
  /// The folder; created with the first file.
  public let folder: URL

  /// Creates a place for values.
  public init(folder: URL) { self.folder = folder }

  /// Returns a value; nil if there is no file with that name.
  func load<Value: Decodable>(_: Value.Type, named name: String) throws -> Value? {
    guard FileManager.default.fileExists(atPath: url(name).path) else { return nil }
    return try JSONDecoder().decode(Value.self, from: Data(contentsOf: url(name)))
  }

  /// Writes a value.
  func save(_ value: some Encodable, named name: String) throws {
    let data = try JSONEncoder().encode(value)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: url(name), options: .atomic)
  }

  /// Removes a file, if there is one.
  func remove(_ name: String) throws {
    guard FileManager.default.fileExists(atPath: url(name).path) else { return }
    try FileManager.default.removeItem(at: url(name))
  }

  /// The name may have any characters: those of a user's identifier, say.
  private func url(_ name: String) -> URL {
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return folder.appendingPathComponent(encoded + ".json", isDirectory: false)
  }
}
