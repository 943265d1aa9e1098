import Foundation
import RecordModel
import RecordPlatform

extension BundleWriter {
  /// Creates a bundle in a file; see ``init(path:container:options:overwrite:)``.
  ///
  /// - Throws: ``FrameError`` for invalid options, and if the file cannot be created.
  public convenience init(
    url: URL, container: ContainerInfo, options: Options = Options(), overwrite: Bool = true
  ) throws {
    try self.init(
      path: url.filePath(), container: container, options: options, overwrite: overwrite)
  }
}
