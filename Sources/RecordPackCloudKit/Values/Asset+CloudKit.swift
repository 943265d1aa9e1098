#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension Asset {
    /// Creates an asset from one of CloudKit, as a saved asset: with the SHA-256 and the size of its
    /// content.
    ///
    /// - Parameters:
    ///   - asset: The asset. One that was not downloaded has no file, and the result neither.
    ///   - files: The folder that the file is copied to, where ``AssetFiles/fileURL(for:)`` finds it.
    /// - Throws: The error of the file system.
    public init(_ asset: CKAsset, keepingFileIn files: AssetFiles = AssetFiles()) throws {
      self = try asset.fileURL.map { try files.keep($0) } ?? Asset(content: nil)
    }
  }
#endif
