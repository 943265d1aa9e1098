import RecordModel
import RecordPlatform

/// A user of the container.
struct FixtureUser: Sendable {
  let recordName: String
  let givenName: String
  let familyName: String
  let email: String

  /// Makes so many users; their record names differ.
  static func users(_ count: Int, seed: UInt64) -> [FixtureUser] {
    let key = GeneratorKey.key(seed, "users")
    let names = Vocabulary.en
    return (0..<count).map { number in
      var random = SeededNumbers(seed: key, stream: UInt64(number))
      func digits(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
      }
      // Users of one container have names in the order of nothing.
      let recordName = "_" + digits(random.next()) + digits(random.next())
      let given = String(decoding: names.givenNames.any(&random), as: UTF8.self)
      let family = String(decoding: names.familyNames.any(&random), as: UTF8.self)
      return FixtureUser(
        recordName: recordName, givenName: given, familyName: family,
        email: "\(given).\(family).\(number + 1)@example.com".lowercased())
    }
  }

  var account: ContainerAccount {
    ContainerAccount(
      userRecordName: recordName, nameComponents: nameComponents,
      lookupInfo: .init(emailAddress: email))
  }

  var nameComponents: UserIdentity.NameComponents {
    .init(givenName: givenName, familyName: familyName)
  }
}
