import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// The content of a change token.
///
/// It is text of words in base 36, with `;` between them: whose history it belongs to, the number of
/// the last change that was fetched, the number of the last change when the first fetch began, the
/// lineage of the container, and, within changes of the same number, the last name.
struct ChangeToken: Hashable {
  /// What the changes are of: a database, or a zone of it.
  var origin: Origin
  /// The last change that was fetched.
  var position: ChangePosition
  /// The number of the last change before the first fetch.
  var start: Int64
  /// The number for what the container was filled with.
  var lineage: Int64

  /// What a token belongs to.
  enum Origin: Hashable {
    case database(DatabaseKey)
    case zone(ZoneID, DatabaseKey)

    /// A word for each origin; different zones can, by chance, have the same.
    var word: String {
      switch self {
      case .database(let database): return Self.word(database, [])
      case .zone(let zoneID, let database):
        return Self.word(database, [zoneID.ownerName, zoneID.zoneName])
      }
    }

    private static func word(_ database: DatabaseKey, _ names: [String]) -> String {
      let names = names + [database.account].compactMap(\.self)
      return database.scope.rawValue + (names.isEmpty ? "" : "." + StableWord.of(names))
    }
  }

  init(_ origin: Origin, position: ChangePosition, start: Int64, lineage: Int64) {
    self.origin = origin
    self.position = position
    self.start = start
    self.lineage = lineage
  }

  /// Reads a token.
  ///
  /// - Throws: `CloudError`: `changeTokenExpired` for one of another database or zone;
  ///   `invalidArguments` for one that is no change token.
  init(_ token: ServerChangeToken, of origin: Origin) throws(CloudError) {
    let words = String(decoding: token.data, as: UTF8.self)
      .split(separator: ";", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
    guard words.count == 6, words[0] == "1", let change = Self.number(words[2]),
      let start = Self.number(words[3]), let lineage = UInt64(words[4], radix: 36)
    else {
      throw CloudError(.invalidArguments, "the change token is not one that this server made")
    }
    guard words[1] == origin.word else { throw Self.expired }
    self.origin = origin
    // The point before a name can be one character with the name's first scalar.
    let name = words[5].isEmpty ? nil : String(words[5].unicodeScalars.dropFirst())
    position = ChangePosition(change: change, name: name)
    self.start = start
    self.lineage = Int64(bitPattern: lineage)
  }

  private static func number(_ word: String) -> Int64? {
    guard let number = ChangeTag.change(of: word), number >= 0 else { return nil }
    return number
  }

  /// The token for the app.
  var serverToken: ServerChangeToken {
    let words = [
      "1", origin.word, ChangeTag.text(of: position.change), ChangeTag.text(of: start),
      String(UInt64(bitPattern: lineage), radix: 36),
      position.name.map { "." + $0 } ?? "",
    ]
    return ServerChangeToken(data: Data(words.joined(separator: ";").utf8))
  }

  /// The error for a token whose changes the server does not know any more.
  static var expired: CloudError { CloudError(.changeTokenExpired).inCloudKitsWords }
}
