import CloudInterface
import Foundation

public class CKServerChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let data: Data

  init(_ token: ServerChangeToken) {
    ArchiveNames.register()
    data = token.data
    super.init()
  }

  var model: ServerChangeToken { ServerChangeToken(data: data) }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CKServerChangeToken)?.data == data
  }

  public override var hash: Int { data.hashValue }

  public override var description: String {
    described(["data": data.base64EncodedString()])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKServerChangeToken")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(data as NSData, forKey: "ChangeTokenData")
  }

  public required init?(coder: NSCoder) {
    guard let data = coder.optionalObject(of: NSData.self, forKey: "ChangeTokenData") else {
      return nil
    }
    self.data = data as Data
    super.init()
  }
}
