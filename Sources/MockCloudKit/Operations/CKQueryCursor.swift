import CloudInterface
import Foundation

extension CKQueryOperation {
  public typealias Cursor = CKQueryCursor
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKQueryCursor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let data: Data

  init(_ cursor: QueryCursor) {
    ArchiveNames.register()
    data = cursor.data
    super.init()
  }

  var model: QueryCursor { QueryCursor(data: data) }

  public override var description: String { described() }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKQueryCursor")
  }

  public func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "CursorData") }

  public required init?(coder: NSCoder) {
    guard let data = coder.optionalObject(of: NSData.self, forKey: "CursorData") else {
      return nil
    }
    self.data = data as Data
    super.init()
  }
}
