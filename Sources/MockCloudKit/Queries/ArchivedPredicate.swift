import AppleFoundation
import Foundation
import RecordModel

/// A predicate in an archive. Foundation on Linux does not archive predicates, so archives of queries
/// are for the mock's own reader.
final class ArchivedPredicate: NSObject, NSSecureCoding {
  let predicate: NSPredicate

  init(_ predicate: NSPredicate) { self.predicate = predicate }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "RecordPackPredicate")
  }

  func encode(with coder: NSCoder) {
    guard let text = try? PredicateText(predicate) else { return }
    let arguments: [any CKRecordValue] = text.arguments.compactMap {
      try? RecordValue(predicateArgument: $0).plainObject()
    }
    // A predicate with a value that no record has is one that no query takes.
    guard arguments.count == text.arguments.count else { return }
    coder.encode(text.format as NSString, forKey: "Format")
    coder.encode(NSArray(array: arguments), forKey: "Arguments")
  }

  init?(coder: NSCoder) {
    let classes: [AnyClass] = [
      NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, CLLocation.self,
      CKRecord.Reference.self,
    ]
    guard let format = coder.optionalObject(of: NSString.self, forKey: "Format"),
      let arguments = coder.optionalObject(of: classes, forKey: "Arguments") as? [Any]
    else { return nil }
    predicate = NSPredicate(format: String(format), argumentArray: arguments)
  }
}
