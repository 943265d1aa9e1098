import Foundation
import RecordPlatform

extension BundleReader {
  /// Opens a bundle.
  ///
  /// - Parameter url: a file; of a split bundle any one, the others are looked for beside it.
  /// - Throws: as ``init(paths:)``.
  public convenience init(url: URL) throws {
    try self.init(path: url.filePath())
  }

  /// Opens a bundle of one or several files.
  ///
  /// - Parameter urls: the files of one bundle, in any order.
  /// - Throws: as ``init(paths:)``.
  public convenience init(urls: [URL]) throws {
    try self.init(paths: urls.map { try $0.filePath() })
  }

  /// Opens several files at once; see ``open(_:)-([String])``.
  ///
  /// - Throws: as ``init(paths:)``.
  public static func open(_ urls: [URL]) throws -> [BundleReader] {
    try open(urls.map { try $0.filePath() })
  }

  /// Opens a bundle that lies in memory.
  ///
  /// - Parameters:
  ///   - data: the bytes of a whole bundle, not of one that was split.
  ///   - name: what errors call it.
  /// - Throws: as ``init(paths:)``.
  public convenience init(data: Data, name: String = "data") throws {
    try self.init(files: [BundleFile(RandomAccessFile(data, name: name), upgrade: .standard)])
  }

  /// Opens a bundle that comes through standard input.
  ///
  /// A pipe is copied to a temporary file, for a bundle is read at any place; what does not begin
  /// as a bundle is refused before.
  ///
  /// - Parameter limit: the most bytes that are copied. By path (`-`) it is 64 GiB.
  /// - Throws: as ``init(paths:)``; ``FrameError`` of the kind `limitExceeded` for more.
  public static func standardInput(upTo limit: UInt64) throws -> BundleReader {
    let file = try RandomAccessFile.standardInput(spoolLimit: limit)
    return try BundleReader(files: [BundleFile(file, upgrade: .standard)])
  }
}
