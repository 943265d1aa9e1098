import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckasset
public class CKAsset: NSObject, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckasset/fileurl
  public let fileURL: URL?

  /// https://developer.apple.com/documentation/cloudkit/ckasset/init(fileurl:)
  public convenience init(fileURL: URL) { self.init(file: fileURL) }

  /// Creates an asset; without a file if its content could not be fetched.
  init(file: URL?) {
    fileURL = file
    super.init()
  }
}
