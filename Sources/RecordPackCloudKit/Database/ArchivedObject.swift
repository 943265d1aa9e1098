#if canImport(CloudKit)
  import Foundation
  import RecordModel

  /// Objects of CloudKit whose content only CloudKit reads, as bytes: tokens and cursors.
  enum ArchivedObject {
    /// Returns the keyed archive of an object.
    static func data(of object: some NSObject & NSSecureCoding) throws -> Data {
      try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns the object in a keyed archive.
    ///
    /// - Throws: The error with this code if the archive has no such object.
    static func object<Object: NSObject & NSSecureCoding>(
      _ type: Object.Type, from data: Data, orThrow code: CloudError.Code
    ) throws -> Object {
      guard let object = try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data) else {
        throw CloudError(code, "not an archived \(type): \(data.count) bytes")
      }
      return object
    }
  }
#endif
