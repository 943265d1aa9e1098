import Foundation

/// A path, split at its last slash.
///
/// `NSString.deletingLastPathComponent` stops the process for paths of one character on Linux.
package struct SplitPath {
  /// The path of the directory; empty if the path contains no slash.
  package let directory: String
  /// The name in that directory; empty if the path ends with a slash.
  package let name: String

  /// Splits a path.
  package init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      directory = ""
      name = path
      return
    }
    directory = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path.utf8[path.utf8.index(after: slash)...]) ?? ""
  }

  /// The path of the directory for system calls, which is `.` if the path contains no slash.
  package var openableDirectory: String { directory.isEmpty ? "." : directory }

  /// Returns the path of another file in the directory.
  package func sibling(_ name: String) -> String {
    directory.isEmpty || directory == "/" ? directory + name : "\(directory)/\(name)"
  }
}

extension URL {
  /// Returns the path of a file URL for system calls, without percent encoding.
  ///
  /// - Throws: `CocoaError.fileReadUnsupportedScheme` for any other URL.
  package func filePath() throws -> String {
    guard isFileURL else {
      throw CocoaError(
        .fileReadUnsupportedScheme,
        userInfo: [
          NSURLErrorKey: self,
          NSLocalizedDescriptionKey: "'\(absoluteString)' is not a file URL",
        ])
    }
    return path(percentEncoded: false)
  }
}
