import CloudInterface
import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckserverchangetoken
public class CKServerChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let data: Data

  init(_ token: ServerChangeToken) {
    ArchiveNames.register()
    data = token.data
    super.init()
  }

  var model: ServerChangeToken { ServerChangeToken(data: data) }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CKServerChangeToken)?.data == data
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { data.hashValue }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKServerChangeToken")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(data as NSData, forKey: "ChangeTokenData")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    guard let data = coder.optionalObject(of: NSData.self, forKey: "ChangeTokenData") else {
      return nil
    }
    self.data = data as Data
    super.init()
  }
}
