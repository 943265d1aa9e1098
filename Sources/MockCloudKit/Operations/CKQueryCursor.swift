import CloudInterface
import Foundation

extension CKQueryOperation {
  /// https://developer.apple.com/documentation/cloudkit/ckqueryoperation/cursor-swift.class
  public typealias Cursor = CKQueryCursor
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckqueryoperation/cursor-swift.class
public class CKQueryCursor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let data: Data

  init(_ cursor: QueryCursor) {
    ArchiveNames.register()
    data = cursor.data
    super.init()
  }

  var model: QueryCursor { QueryCursor(data: data) }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKQueryCursor")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "CursorData") }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    guard let data = coder.optionalObject(of: NSData.self, forKey: "CursorData") else {
      return nil
    }
    self.data = data as Data
    super.init()
  }
}
