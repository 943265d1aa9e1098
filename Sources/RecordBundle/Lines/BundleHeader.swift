import RecordCoding
import RecordModel

/// The first line of a bundle.
public struct BundleHeader: Sendable, Hashable {
  /// The format version that this library writes, and the newest that it reads.
  public static let currentFormatVersion = 1

  /// The place of a file in a split bundle.
  public struct Shard: Sendable, Hashable {
    /// The number of the file, from 1.
    public var number: Int
    /// SHA-256 of the previous file's index frame, 64 lowercase hexadecimal digits, if any.
    public var previousSHA256: String?

    /// Creates the place of a file.
    public init(number: Int, previousSHA256: String? = nil) {
      self.number = number
      self.previousSHA256 = previousSHA256
    }
  }

  /// The format version of the file; so far, 1 is the only one.
  public var formatVersion = currentFormatVersion
  /// The description of the container: identifier, environment, schema, user.
  public var container: ContainerInfo
  /// The place of the file in a split bundle; nil for a bundle of one file.
  public var shard: Shard?
  /// Creates a header.
  public init(container: ContainerInfo = ContainerInfo(), shard: Shard? = nil) {
    self.container = container
    self.shard = shard
  }
}

extension BundleHeader {
  /// Returns the JSON of the header's line.
  func jsonValue() throws -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string(LineKind.header.rawValue)),
      .init("format", .string("recordpack")),
      .init("formatVersion", .integer(formatVersion)),
    ]
    func add(_ name: String, _ text: String?) {
      if let text { members.append(.init(name, .string(text))) }
    }
    add("container", container.identifier)
    add("environment", container.environment?.rawValue)
    add("currentUser", container.currentUserRecordName)
    add("schemaVersion", container.schemaVersion)
    add("schema", container.schema)
    if let shard {
      var place: [JSONValue.Member] = [.init("number", .integer(shard.number))]
      if let digest = shard.previousSHA256 {
        place.append(.init("previousSHA256", .string(digest)))
      }
      members.append(.init("shard", .object(place)))
    }
    members += try container.otherMembers.jsonMembers()
    return .object(members)
  }

  /// Returns what a header line of any format version contributes to the content hash: the hash of
  /// the line without ``shard``; nothing for further files of a split bundle.
  static func contentHash(of line: UnsafeRawBufferPointer) throws -> ContentHash {
    let json = try JSONParser.parse(line)
    guard let shard = json["shard"] else { return ContentHash(of: [line]) }
    guard shard["number"]?.integer == 1 else { return ContentHash() }
    let whole = ByteBuffer()
    json.dropping(["shard"]).write(to: whole)
    return ContentHash(of: [whole.bytes])
  }

  /// Parses a header line.
  ///
  /// - Throws: `BundleError` for a line that is not a header, or a version that is too new;
  ///   `RecordCodingError` for invalid JSON.
  init(
    line: UnsafeRawBufferPointer, of source: String, upgrade: FormatUpgrade = .standard
  ) throws {
    var json = try JSONParser.parse(line)
    guard json["kind"]?.string == LineKind.header.rawValue,
      json["format"]?.string == "recordpack"
    else {
      throw BundleError(
        .notABundle, in: source, line: 1,
        "the first line is not the header of a bundle: it should begin with "
          + "{\"kind\":\"header\",\"format\":\"recordpack\"")
    }
    guard let version = json["formatVersion"]?.integer else {
      throw BundleError(.malformed, in: source, line: 1, "the header has no format version")
    }
    guard version >= upgrade.oldest else {
      throw BundleError(
        .malformed, in: source, line: 1,
        "the header has format version \(version), which does not exist; the first is "
          + "\(upgrade.oldest)")
    }
    guard version <= Self.currentFormatVersion else {
      throw BundleError(
        .tooNew, in: source, line: 1,
        "the bundle has format version \(version), and this program reads versions up to "
          + "\(Self.currentFormatVersion): use a newer recordpack")
    }
    json = try upgrade.upgraded(json, from: version)
    try Self.checkRequirements(json["requires"], source)
    let known: Set = [
      "kind", "format", "formatVersion", "requires", "container", "environment", "currentUser",
      "schemaVersion", "schema", "shard",
    ]
    var container = ContainerInfo(
      identifier: json["container"]?.string, schema: json["schema"]?.string,
      schemaVersion: json["schemaVersion"]?.string,
      currentUserRecordName: json["currentUser"]?.string)
    if let name = json["environment"]?.string {
      guard let environment = ContainerInfo.Environment(rawValue: name) else {
        throw BundleError(
          .malformed, in: source, line: 1,
          "the environment is neither 'development' nor 'production'")
      }
      container.environment = environment
    }
    container.otherMembers = json.others(besides: known)
    self.init(container: container, shard: try Self.shard(json["shard"], source))
    formatVersion = version
  }

  /// The optional features of the format that this library knows: none yet.
  private static let knownFeatures: Set<String> = []

  /// Checks the features that the header requires.
  /// - Throws: ``BundleError`` for an unknown feature.
  private static func checkRequirements(_ json: JSONValue?, _ source: String) throws {
    guard let json, !json.isNull else { return }
    guard let names = json.elements?.map(\.string), names.allSatisfy({ $0 != nil }) else {
      throw BundleError(
        .malformed, in: source, line: 1, "the header's 'requires' is not a list of names")
    }
    let unknown = names.compactMap { $0 }.filter { !knownFeatures.contains($0) }
    guard unknown.isEmpty else {
      throw BundleError(
        .tooNew, in: source, line: 1,
        "reading the bundle requires \(unknown.prefix(8).map { "'\($0)'" }.joined(separator: ", ")), "
          + "which this program does not know: use a newer recordpack")
    }
  }

  private static func shard(_ json: JSONValue?, _ source: String) throws -> Shard? {
    guard let json, !json.isNull else { return nil }
    guard let number = json["number"]?.integer, number >= 1 else {
      throw BundleError(.malformed, in: source, line: 1, "the shard's number is not 1 or more")
    }
    return Shard(number: number, previousSHA256: json["previousSHA256"]?.string)
  }
}

extension JSONValue {
  /// The value as an integer; nil if it is not one.
  var integer: Int? { numberText.flatMap { Int($0) } }
}
