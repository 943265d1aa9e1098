import CloudInterface
import Foundation
import RecordModel
import RecordPlatform
import RecordStore

/// The content of a change token.
///
/// Its text has words with `;` between them, numbers in base 36 and names in base 64. The words are
/// the history, the number of the last fetched change, and the number of the last change when the
/// first fetch began. The ID of the container's history follows. Within changes of the same number,
/// the last name follows. Between two pages with the newest changes first, three more words follow:
/// the number and name of the oldest change that was fetched, and the number of the last change
/// when the fetch began.
struct ChangeToken {
  /// The database or the zone with the changes.
  var origin: Origin
  /// The last change that was fetched.
  var position: ChangePosition
  /// The number of the last change before the first fetch.
  var start: Int64
  /// The number of the history of the container that made the token.
  var historyID: Int64

  /// Between two pages with the newest changes first: the oldest change that was fetched, and the
  /// number of the last change when the fetch began.
  var newest: (before: ChangePosition, end: Int64)?

  /// The history that a token belongs to.
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
      return database.scope.rawValue + (names.isEmpty ? "" : "." + ShortHash.of(names))
    }
  }

  init(_ origin: Origin, position: ChangePosition, start: Int64, historyID: Int64) {
    self.origin = origin
    self.position = position
    self.start = start
    self.historyID = historyID
  }

  /// Reads a token.
  ///
  /// - Throws: `CloudError`: `changeTokenExpired` for a token of another database, zone or server, and
  ///   for data that is not a token. Source: Apple's own mock of the server (CKKS,
  ///   `FakeCKFetchRecordZoneChangesOperation`).
  init(_ token: ServerChangeToken, of origin: Origin) throws(CloudError) {
    guard let parts = Parts(token), parts.word == origin.word else { throw Self.expired }
    self.init(
      origin, position: parts.position, start: parts.start, historyID: parts.historyID)
    newest = parts.newest
  }

  /// The words of a token, read.
  fileprivate struct Parts {
    let word: String
    let position: ChangePosition
    let start: Int64
    let historyID: Int64
    var newest: (before: ChangePosition, end: Int64)?

    /// - Returns: nil for data that is not a token.
    init?(_ token: ServerChangeToken) {
      let words = String(decoding: token.data, as: UTF8.self)
        .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 6 || words.count == 9, words[0] == "1",
        let start = ChangeToken.number(words[3]), let historyID = UInt64(words[4], radix: 36),
        let position = ChangeToken.position(words[2], words[5])
      else { return nil }
      word = words[1]
      self.position = position
      self.start = start
      self.historyID = Int64(bitPattern: historyID)
      guard words.count == 9 else { return }
      guard let before = ChangeToken.position(words[6], words[7]),
        let end = ChangeToken.number(words[8])
      else { return nil }
      newest = (before, end)
    }
  }

  private static func position(_ change: String, _ name: String) -> ChangePosition? {
    guard let change = number(change), let bytes = Data(base64Encoded: name) else { return nil }
    return ChangePosition(
      change: change, name: bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self))
  }

  private static func words(of position: ChangePosition) -> [String] {
    [ChangeTag.text(of: position.change), Data((position.name ?? "").utf8).base64EncodedString()]
  }

  private static func number(_ word: String) -> Int64? {
    guard let number = ChangeTag.change(of: word), number >= 0 else { return nil }
    return number
  }

  /// The token for the app.
  var serverToken: ServerChangeToken {
    let place = Self.words(of: position)
    var words = [
      "1", origin.word, place[0], ChangeTag.text(of: start),
      String(UInt64(bitPattern: historyID), radix: 36), place[1],
    ]
    if let newest { words += Self.words(of: newest.before) + [ChangeTag.text(of: newest.end)] }
    return ServerChangeToken(data: Data(words.joined(separator: ";").utf8))
  }

  /// The error for a token whose changes the server does not know any more.
  static var expired: CloudError { CloudError(.changeTokenExpired).withServerMessage }
}

extension ServerChangeToken {
  /// Whether the data has the form of a token of this server.
  package var isReadable: Bool { ChangeToken.Parts(self) != nil }
}

/// A short word for several texts, the same in every run. Different texts can, by chance, have the
/// same word.
package enum ShortHash {
  package static func of(_ texts: [String]) -> String {
    // Lengths keep apart what differs in where one text ends.
    var joined = texts.map { "\($0.utf8.count):\($0)" }.joined()
    let hash = joined.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
    return String(hash, radix: 36)
  }
}
