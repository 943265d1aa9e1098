import Foundation
import MockCloud

public class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
  public let fileURL: URL?
  private let uuid = UUID().uuidString
  /// Keeps the file of a fetched asset from being used for another one.
  private let holder: AssetHolder?

  public convenience init(fileURL: URL) { self.init(file: fileURL) }

  /// Creates an asset; without a file if its content could not be fetched.
  init(file: URL?, holder: AssetHolder? = nil) {
    fileURL = file
    self.holder = holder
    super.init()
  }

  // MARK: NSSecureCoding, which the header does not show: an archived record has assets.

  public static var supportsSecureCoding: Bool { true }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKAsset") }

  public override var description: String {
    described(["path": fileURL?.path, "UUID": uuid])
  }

  public func encode(with coder: NSCoder) {
    coder.encode(fileURL.map { $0 as NSURL }, forKey: "AssetFileURL")
  }

  public required init?(coder: NSCoder) {
    holder = nil
    fileURL = coder.optionalObject(of: NSURL.self, forKey: "AssetFileURL").map { $0 as URL }
    super.init()
  }
}
