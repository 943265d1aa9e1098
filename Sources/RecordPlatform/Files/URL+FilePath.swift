import Foundation

extension URL {
  /// The path of a file URL, as the system's calls take it: not percent-encoded.
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
