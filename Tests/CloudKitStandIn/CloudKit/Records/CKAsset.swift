import ArchiveClassNames
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

/// An asset as a record's archive has it: `CKAsset` itself publishes no coding.
final class ArchivedAsset: NSObject, NSSecureCoding {
  let asset: CKAsset

  init(_ asset: CKAsset) { self.asset = asset }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchiveClassNames.CKAsset.self }

  func encode(with coder: NSCoder) {
    coder.encode(asset.fileURL.map { $0 as NSURL }, forKey: "AssetFileURL")
  }

  init?(coder: NSCoder) {
    asset = CKAsset(
      file: coder.optionalObject(of: NSURL.self, forKey: "AssetFileURL").map { $0 as URL })
  }
}
