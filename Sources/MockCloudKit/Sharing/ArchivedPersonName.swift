import Foundation

/// A person's name in an archive. The archive of swift-corelibs-foundation has another layout than
/// Apple's.
final class ArchivedPersonName: NSObject, NSSecureCoding {
  let components: PersonNameComponents

  init(_ components: PersonNameComponents) { self.components = components }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { NSPersonNameComponents.self }

  private static let key = "NS.nameComponentsPrivate"

  func encode(with coder: NSCoder) {
    coder.encode(ArchivedPersonNameData(components), forKey: Self.key)
  }

  init?(coder: NSCoder) {
    components =
      coder.optionalObject(of: ArchivedPersonNameData.self, forKey: Self.key)?.components
      ?? PersonNameComponents()
  }
}
