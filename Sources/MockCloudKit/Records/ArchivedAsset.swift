import Foundation

/// An asset as a record's archive has it: `CKAsset` itself publishes no coding.
final class ArchivedAsset: NSObject, NSSecureCoding {
  let asset: CKAsset

  init(_ asset: CKAsset) { self.asset = asset }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKAsset") }

  func encode(with coder: NSCoder) {
    coder.encode(asset.fileURL.map { $0 as NSURL }, forKey: "AssetFileURL")
  }

  init?(coder: NSCoder) {
    asset = CKAsset(
      file: coder.optionalObject(of: NSURL.self, forKey: "AssetFileURL").map { $0 as URL })
  }
}
