import Foundation

/// The identifier of a container in an archive.
final class ArchivedContainerID: NSObject, NSSecureCoding {
  let identifier: String

  init(_ identifier: String) { self.identifier = identifier }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKContainerID") }

  func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "ContainerIdentifier")
    // The number of the development environment in archives of CloudKit.
    coder.encode(Int64(2), forKey: "Environment")
  }

  init?(coder: NSCoder) {
    guard
      let identifier = coder.optionalObject(of: NSString.self, forKey: "ContainerIdentifier")
    else { return nil }
    self.identifier = String(identifier)
  }
}
