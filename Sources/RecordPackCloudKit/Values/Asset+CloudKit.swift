#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordModel

  extension Asset {
    /// Creates an asset from one of CloudKit.
    ///
    /// - Parameters:
    ///   - asset: The asset. One that was not downloaded has no file, and the result no content.
    ///   - files: The folder that the file is linked into; nil to use CloudKit's own file, which
    ///     CloudKit may delete.
    /// - Throws: The error of the file system.
    public init(_ asset: CKAsset, keepingFileIn files: AssetFiles? = AssetFiles()) throws {
      guard let url = asset.fileURL else {
        self.init(content: nil)
        return
      }
      let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
      self.init(content: .file(try files?.keep(url) ?? url), size: size?.int64Value)
    }
  }
#endif
