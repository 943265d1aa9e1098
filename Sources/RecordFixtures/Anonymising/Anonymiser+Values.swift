import Foundation
import RecordCoding
import RecordModel

/// The digests that the assets of a source have after they were replaced.
typealias ReplacedAssets = [String: String]

extension Anonymiser {
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
