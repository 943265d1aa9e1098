import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckasset
public class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckasset/fileurl
  public let fileURL: URL?

  /// https://developer.apple.com/documentation/cloudkit/ckasset/init(fileurl:)
  public convenience init(fileURL: URL) { self.init(file: fileURL) }

  /// Creates an asset; without a file if its content could not be fetched.
  init(file: URL?) {
    fileURL = file
    super.init()
  }

  // MARK: NSSecureCoding, which the header does not show: an archived record has assets.

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool { true }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKAsset") }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(fileURL.map { $0 as NSURL }, forKey: "AssetFileURL")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    fileURL = coder.optionalObject(of: NSURL.self, forKey: "AssetFileURL").map { $0 as URL }
    super.init()
  }
}
