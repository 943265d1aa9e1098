import Foundation

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
