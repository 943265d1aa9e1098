import Foundation

/// The parts of a person's name in an archive.
final class ArchivedPersonNameData: NSObject, NSSecureCoding {
  let components: PersonNameComponents

  init(_ components: PersonNameComponents) { self.components = components }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "_NSPersonNameComponentsData")
  }

  func encode(with coder: NSCoder) {
    func encode(_ part: String?, _ key: String) {
      coder.encode(part.map { $0 as NSString }, forKey: key)
    }
    encode(components.namePrefix, "NS.namePrefix")
    encode(components.givenName, "NS.givenName")
    encode(components.middleName, "NS.middleName")
    encode(components.familyName, "NS.familyName")
    encode(components.nameSuffix, "NS.nameSuffix")
    encode(components.nickname, "NS.nickname")
  }

  init?(coder: NSCoder) {
    func part(_ key: String) -> String? {
      coder.optionalObject(of: NSString.self, forKey: key).map { String($0) }
    }
    var components = PersonNameComponents()
    components.namePrefix = part("NS.namePrefix")
    components.givenName = part("NS.givenName")
    components.middleName = part("NS.middleName")
    components.familyName = part("NS.familyName")
    components.nameSuffix = part("NS.nameSuffix")
    components.nickname = part("NS.nickname")
    self.components = components
  }
}
