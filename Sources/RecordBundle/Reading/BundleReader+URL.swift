import Foundation
import RecordPlatform

extension BundleReader {
  /// Opens a bundle.
  ///
  /// - Parameter url: the URL of the file, or of any file of a split bundle in one directory.
  /// - Throws: as ``init(paths:)``.
  public convenience init(url: URL) throws {
    try self.init(path: url.filePath())
  }

  /// Opens a bundle of one or several files.
  ///
  /// - Parameter urls: the URLs of the files of one bundle, in any order.
  /// - Throws: as ``init(paths:)``.
  public convenience init(urls: [URL]) throws {
    try self.init(paths: urls.map { try $0.filePath() })
  }

  /// Opens several files; see ``open(_:)-([String])``.
  ///
  /// - Throws: as ``init(paths:)``.
  public static func open(_ urls: [URL]) throws -> [BundleReader] {
    try open(urls.map { try $0.filePath() })
  }

  /// Opens a bundle in memory.
  ///
  /// - Parameters:
  ///   - data: the bytes of a whole bundle, not of a file of a split one.
  ///   - name: the name of the bundle in errors.
  /// - Throws: as ``init(paths:)``.
  public convenience init(data: Data, name: String = "data") throws {
    try self.init(files: [BundleFile(RandomAccessFile(data, name: name))])
  }

  /// Opens a bundle from standard input.
  ///
  /// A pipe is copied to a temporary file, because reading needs random access; input that does not
  /// begin as a bundle is refused before.
  ///
  /// - Parameter limit: the maximum number of bytes to copy. For the path `-` it is 64 GiB.
  /// - Throws: as ``init(paths:)``; ``FrameError`` of kind `limitExceeded` if the input is longer.
  public static func standardInput(upTo limit: UInt64) throws -> BundleReader {
    let file = try RandomAccessFile.standardInput(spoolLimit: limit)
    return try BundleReader(files: [BundleFile(file)])
  }
}
