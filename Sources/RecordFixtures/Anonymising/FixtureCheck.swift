import Foundation
import RecordArchive
import RecordModel

/// The values and names of a source that the result of an anonymisation still has, or that two results share.
public struct FixtureCheck: Sendable {
  /// A field, or a kind of name.
  public struct Place: Sendable, Hashable {
    /// `Note.title`, or words such as `record names`.
    public var name: String
    /// The number of different values in the result.
    public var values = 0
    /// The number of different values in the result that the source has, too.
    public var shared = 0
    /// The number of shared values that are small numbers, made-up dates or names, or words of the policy's rule: they
    /// can be equal by chance.
    public var common = 0

    /// Whether values are shared that are hardly equal by chance.
    public var isFinding: Bool { shared > common }
  }

  /// The fields and kinds of names, in their order.
  public private(set) var places: [Place] = []
  /// Whether there were too many values to compare all.
  public private(set) var isCut = false

  /// Whether something is shared, or not all was compared.
  public var hasFindings: Bool { isCut || places.contains(where: \.isFinding) }

  /// Reads both and compares them.
  ///
  /// - Parameters:
  ///   - source: A bundle or container.
  ///   - result: A bundle or container.
  ///   - policy: The policy that made the result: what it keeps is no finding.
  public init(
    of source: ArchiveSource, against result: ArchiveSource, policy: AnonymisationPolicy? = nil
  ) throws {
    var known: [String: Set<Int>] = [:]
    var texts = SourceTexts()
    var count = 0
    try FixtureContent(of: source, policy).read { place, value in
      guard count < Self.maxValues else { return isCut = true }
      if known[place, default: []].insert(value.hash).inserted {
        count += 1
        // Other texts can have what the policy keeps.
        if case .text(let text) = value.content, !value.isOfRule { texts.add(text) }
      }
    }
    var found: [String: Found] = [:]
    count = 0
    try FixtureContent(of: result, policy).read { place, value in
      var one = found.removeValue(forKey: place) ?? Found()
      defer { found[place] = one }
      guard one.all.insert(value.hash).inserted else { return }
      count += 1
      let isKnown = known[place]?.contains(value.hash) == true
      // A text can stand in another field, or be a name.
      guard isKnown || !value.isOfRule && value.isIn(texts) else { return }
      one.shared += 1
      if value.isCommon { one.common += 1 }
      if value.isMoment { one.moments += 1 }
    }
    try Self.compareAssets(result, texts, &found)
    isCut = isCut || texts.isCut || count >= Self.maxValues
    places = found.compactMap { name, one in
      // Made-up dates are whole seconds of ten years: some are equal by chance.
      let chance = Double(known[name]?.count ?? 0) * Double(one.all.count) / 315_619_200
      let common = one.common + min(one.moments, Int(2 * chance) + (chance > 0.01 ? 3 : 0))
      return one.shared == 0
        ? nil
        : Place(
          name: name, values: one.all.count, shared: one.shared, common: min(one.shared, common))
    }.sorted { compareUTF8($0.name, $1.name) < 0 }
  }

  private struct Found {
    var all: Set<Int> = []
    var shared = 0
    var common = 0
    var moments = 0
  }

  /// The maximum number of different values of a source: about 200 MB.
  private static let maxValues = 1 << 22
  /// The size of the parts of an asset that are searched, and of what two of them have in common.
  private static let (pieceSize, overlap) = (1 << 20, 1 << 12)

  private static func compareAssets(
    _ result: ArchiveSource, _ texts: SourceTexts, _ found: inout [String: Found]
  ) throws {
    var one = Found()
    for asset in try result.assets() {
      one.all.insert(asset.sha256.hashValue)
      if try hasText(asset.sha256, of: result, texts) { one.shared += 1 }
    }
    found["contents of assets"] = one
  }

  /// Whether the bytes of an asset have a text of the source in them.
  private static func hasText(
    _ sha256: String, of result: ArchiveSource, _ texts: SourceTexts
  ) throws -> Bool {
    var (piece, isFound) = (Data(), false)
    try result.forEachChunk(ofAsset: sha256) { chunk in
      guard !isFound else { return }
      piece.append(contentsOf: chunk)
      guard piece.count > pieceSize else { return }
      // The last character can be cut. It is whole in the next piece.
      isFound = texts.isIn(piece[..<(piece.lastIndex { $0 & 0xC0 != 0x80 } ?? piece.endIndex)])
      piece = Data(piece.suffix(overlap).drop { $0 & 0xC0 == 0x80 })
    }
    return isFound || texts.isIn(piece)
  }
}
