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

  /// What the replacement of a value depends on beside the value.
  struct Context {
    let user: AnonymisedUser
    let zones: ZoneNames
    let assets: ReplacedAssets
    /// The number of texts that do not have the form of their rule.
    var misfits = 0
    /// The number of members that this version does not know.
    var droppedMembers = 0
  }

  /// Returns what replaces a value by a rule that applies to its type; nil for a value of a type
  /// that this version does not know.
  func replace(
    _ value: RecordValue, by rule: AnonymisationRule, _ context: inout Context
  ) -> RecordValue? {
    context.droppedMembers += value.otherMemberCount
    return switch value {
    case .string(let text): .string(string(text, rule, &context))
    case .stringList(let list): .stringList(list.map { string($0, rule, &context) })
    case .int64(let number): .int64(integer(number, rule))
    case .int64List(let list): .int64List(list.map { integer($0, rule) })
    case .double(let number): .double(double(number, rule))
    case .doubleList(let list): .doubleList(list.map { double($0, rule) })
    case .timestamp(let date): .timestamp(self.date(date, rule, context.user))
    case .timestampList(let list):
      .timestampList(list.map { date($0, rule, context.user) })
    case .bytes(let data): .bytes(bytes(data, rule))
    case .bytesList(let list): .bytesList(list.map { bytes($0, rule) })
    case .location(let location): .location(self.location(location, rule, context.user))
    case .locationList(let list):
      .locationList(list.map { location($0, rule, context.user) })
    case .reference(let reference): .reference(self.reference(reference, in: context.zones))
    case .referenceList(let list):
      .referenceList(list.map { reference($0, in: context.zones) })
    case .asset(let asset): .asset(self.asset(asset, context.assets))
    case .assetList(let list): .assetList(list.map { asset($0, context.assets) })
    case .emptyList: .emptyList
    case .unknown: nil
    }
  }

  private func string(
    _ text: String, _ rule: AnonymisationRule, _ context: inout Context
  ) -> String {
    let found: String?
    switch rule {
    case .keep: return text
    case .redact: return Redaction.text(text)
    case .name: return words.name(text)
    case .identifier: return name(text)
    case .email: found = words.email(text)
    case .phone: found = texts.phone(text)
    case .url: found = texts.url(text)
    default: return texts.text(text)
    }
    if found == nil, !text.isEmpty { context.misfits += 1 }
    return found ?? texts.text(text)
  }

  private func integer(_ number: Int64, _ rule: AnonymisationRule) -> Int64 {
    switch rule {
    case .keep: number
    case .redact: 0
    default: texts.number(number)
    }
  }

  private func double(_ number: Double, _ rule: AnonymisationRule) -> Double {
    switch rule {
    case .keep: number
    case .redact: 0
    default: texts.number(number)
    }
  }

  private func date(_ date: Date, _ rule: AnonymisationRule, _ user: AnonymisedUser) -> Date {
    switch rule {
    case .keep: date
    case .redact: Date(timeIntervalSinceReferenceDate: 0)
    default: user.shift(date)
    }
  }

  private func bytes(_ data: Data, _ rule: AnonymisationRule) -> Data {
    switch rule {
    case .keep: data
    case .redact: Data(count: data.count)
    default: bytes(data)
    }
  }

  private func location(
    _ location: Location, _ rule: AnonymisationRule, _ user: AnonymisedUser
  ) -> Location {
    switch rule {
    case .keep:
      Location(
        latitude: location.latitude, longitude: location.longitude, altitude: location.altitude,
        horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.verticalAccuracy, course: location.course,
        speed: location.speed, timestamp: location.timestamp)
    case .redact: Location(latitude: 0, longitude: 0)
    default: user.move(location)
    }
  }

  /// An asset without stored bytes keeps its size, and other digits for its checksums. Receipt, key
  /// and address are credentials, and go.
  private func asset(_ asset: Asset, _ assets: ReplacedAssets) -> Asset {
    Asset(
      sha256: asset.sha256.map { assets[$0] ?? digest($0) }, size: asset.size,
      fileChecksum: asset.fileChecksum.map(token),
      referenceChecksum: asset.referenceChecksum.map(token))
  }
}

/// The digests that the assets of a source have after they were replaced.
typealias ReplacedAssets = [String: String]

extension RecordValue {
  /// The number of members in a value that this version does not know.
  fileprivate var otherMemberCount: Int {
    switch self {
    case .location(let location): location.otherMembers.count
    case .locationList(let list): list.reduce(0) { $0 + $1.otherMembers.count }
    default:
      references.reduce(0) { $0 + $1.otherMembers.count }
        + assets.reduce(0) { $0 + $1.otherMembers.count }
    }
  }
}

/// Constants that replace values of the same length.
enum Redaction {
  /// Letters become `x` and `X`, digits `0`, an `@` a `*`, and letters without case one of the same length in
  /// UTF-8.
  static func text(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if ScalarClass.isSeparator(scalar) {
        result.append(scalar == "@" ? "*" : scalar)
      } else if scalar.isASCII {
        let isCapital = scalar.properties.isUppercase
        result.append(scalar.value < 0x40 ? "0" : isCapital ? "X" : "x")
      } else {
        let substitute = ScalarClass.substitute(for: scalar)
        result.append(ScalarClass.scalar(.init(classIndex: substitute, index: 0)))
      }
    }
    return String(result)
  }
}
