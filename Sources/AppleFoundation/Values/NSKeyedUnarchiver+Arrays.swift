#if os(Linux)
  import Foundation

  extension NSKeyedUnarchiver {
    public static func unarchivedArrayOfObjects<DecodedObjectType: NSObject & NSSecureCoding>(
      ofClass class: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]? {
      try unarchivedArrayOfObjects(ofClasses: [`class`], from: data) as? [DecodedObjectType]
    }
    public static func unarchivedArrayOfObjects(
      ofClasses classes: [AnyClass], from data: Data
    ) throws -> [Any]? {
      // Foundation's own method ends the process when an element has another class.
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
      defer { unarchiver.finishDecoding() }
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      let object = unarchiver.decodeObject(
        of: [NSArray.self] + classes, forKey: NSKeyedArchiveRootObjectKey)
      guard let array = object as? [Any],
        array.allSatisfy({ element in
          classes.contains { (element as? NSObject)?.isKind(of: $0) == true }
        })
      else { throw unarchiver.error ?? CocoaError(.coderReadCorrupt) }
      return array
    }
  }
#endif
