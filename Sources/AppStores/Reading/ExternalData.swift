import Foundation

/// The values of attributes with external storage: in the cell behind a byte 1, or in a file that a
/// cell names behind a byte 2.
struct ExternalData {
  /// The maximum size of a file that is read.
  static let maxSize = 256 << 20

  private let folder: String

  /// - Parameter path: The path of the store.
  init(beside path: String) {
    let folders = AppStoreFile.places(of: path).map { url in
      let name = url.deletingPathExtension().lastPathComponent
      return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT/_EXTERNAL_DATA/"
    }
    folder = folders.first { FileManager.default.fileExists(atPath: $0) } ?? folders[0]
  }

  /// Returns the bytes of a value; nil if the cell is of another form, or its file cannot be read.
  func value(_ cell: UnsafeRawBufferPointer) -> Data? {
    switch cell.first {
    case 1: return Data(cell.dropFirst())
    case 2:
      var name = String(decoding: cell.dropFirst(), as: UTF8.self)
      if name.hasSuffix("\0") { name.removeLast() }
      // Any other name could lead out of the folder.
      guard UUID(uuidString: name) != nil else { return nil }
      return file(folder + name)
    default: return nil
    }
  }

  private func file(_ path: String) -> Data? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? NSNumber, size.intValue <= Self.maxSize
    else { return nil }
    return FileManager.default.contents(atPath: path)
  }
}
