import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The replacements of everything that a key and a policy determine. It has no state, so that the
/// parts of a source can be anonymised apart.
struct Anonymiser: Sendable {
  let policy: AnonymisationPolicy
  let identifiers: IdentifierCipher
  let words: WordCipher
  let texts: TextCipher
  /// The record name of the signed-in user, whose zones have an owner without a name.
  var currentUser: String?
  private let users: SipHash
  private let contents: SipHash

  init(_ policy: AnonymisationPolicy, _ key: AnonymisationKey) {
    self.policy = policy
    words = WordCipher(key)
    identifiers = IdentifierCipher(
      key, words, keeping: policy.keptNames.map { NamePattern($0) })
    texts = TextCipher(key, words, identifiers)
    users = key.hash(for: "users")
    contents = key.hash(for: "contents")
  }

  func user(named name: String) -> AnonymisedUser {
    let isCurrent = name == ZoneID.currentUserOwnerName
    return AnonymisedUser(named: isCurrent ? currentUser ?? name : name, users)
  }

  // MARK: Identities

  func name(_ name: String) -> String { identifiers.pseudonym(of: name) }

  func zoneID(_ zoneID: ZoneID) -> ZoneID {
    ZoneID(zoneName: name(zoneID.zoneName), ownerName: name(zoneID.ownerName))
  }

  func recordID(_ recordID: RecordID, in known: ZoneNames) -> RecordID {
    RecordID(recordName: name(recordID.recordName), zoneID: known.pseudonym(of: recordID.zoneID))
  }

  func reference(_ reference: Reference, in known: ZoneNames) -> Reference {
    Reference(recordID: recordID(reference.recordID, in: known), action: reference.action)
  }

  /// The pseudonyms of zones that were met: most references are within one zone.
  final class ZoneNames {
    private let anonymiser: Anonymiser
    private var known: [ZoneID: ZoneID] = [:]
    private var last: (ZoneID, ZoneID)?
    private static let maxCount = 4096

    init(_ anonymiser: Anonymiser) { self.anonymiser = anonymiser }

    func pseudonym(of zoneID: ZoneID) -> ZoneID {
      if let last, last.0.isIdentical(to: zoneID) { return last.1 }
      let found = known[zoneID] ?? anonymiser.zoneID(zoneID)
      if known.count >= Self.maxCount { known.removeAll() }
      known[zoneID] = found
      last = (zoneID, found)
      return found
    }
  }

  // MARK: Assets and bytes

  /// Returns what replaces the bytes of an asset.
  ///
  /// - Parameter beginning: up to ``CoverContent/beginningSize`` of its bytes.
  func content(ofAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer) -> CoverContent
  {
    CoverContent(replacing: beginning, size: size, seed: contents.hash(sha256))
  }

  func bytes(_ data: Data) -> Data {
    data.withUnsafeBytes { bytes in
      CoverContent(
        replacing: UnsafeRawBufferPointer(rebasing: bytes.prefix(CoverContent.beginningSize)),
        size: bytes.count, seed: contents.hash(bytes)
      ).data
    }
  }

  /// Returns a digest that replaces that of an asset whose bytes are not there.
  func digest(_ sha256: String) -> String {
    var random = SeededNumbers(seed: contents.hash(sha256), stream: 1)
    return String(
      (0..<64).map { _ in Character(Unicode.Scalar(Self.digits[random.below(16)])) })
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Replaces a checksum, a receipt or the like by letters and digits of the same form.
  func token(_ token: String) -> String { texts.text(token) }
}
