import Foundation
import RecordModel
import RecordPlatform

extension BundleWriter {
  /// Begins a bundle in a file; see ``init(path:container:options:mustNotExist:)``.
  ///
  /// - Throws: ``FrameError`` for impossible options, and where the file cannot be made.
  public convenience init(
    url: URL, container: ContainerInfo, options: Options = Options(), mustNotExist: Bool = false
  ) throws {
    try self.init(
      path: url.filePath(), container: container, options: options, mustNotExist: mustNotExist)
  }
}
