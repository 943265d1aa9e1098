import RecordCoding
import RecordModel

/// The first line of a bundle.
public struct BundleHeader: Sendable, Hashable {
  /// The format version this library writes, and the newest it reads.
  public static let currentFormatVersion = 1

  /// A bundle that is one of several files.
  public struct Shard: Sendable, Hashable {
    /// Which of the files this is, from 1.
    public var number: Int
    /// The content digest of the file before it; nil for the first.
    public var previousContentDigest: String?

    /// Makes a shard's place.
    public init(number: Int, previousContentDigest: String? = nil) {
      self.number = number
      self.previousContentDigest = previousContentDigest
    }
  }

  /// The version of the format the file has; 1 is the only one so far.
  public var formatVersion = currentFormatVersion
  /// What is known of the container: identifier, environment, schema, user.
  public var container: ContainerInfo
  /// The place among several files; nil for a bundle of one.
  public var shard: Shard?
  /// What a writer put there that this model does not know.
  public var otherMembers: OtherMembers = []

  /// Makes a header.
  public init(container: ContainerInfo = ContainerInfo(), shard: Shard? = nil) {
    self.container = container
    self.shard = shard
  }
}

extension BundleHeader {
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
      if let digest = shard.previousContentDigest {
        place.append(.init("previousContentDigest", .string(digest)))
      }
      members.append(.init("shard", .object(place)))
    }
    for member in otherMembers {
      members.append(.init(member.name, try JSONValue(raw: member.value)))
    }
    return .object(members)
  }

  /// Reads a header line.
  ///
  /// - Throws: `BundleError` for a version that is too new, `RecordCodingError` for what is no
  ///   header.
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
        "the header says format version \(version), which there never was: the first is "
          + "\(upgrade.oldest)")
    }
    guard version <= Self.currentFormatVersion else {
      throw BundleError(
        .tooNew, in: source, line: 1,
        "the bundle has format version \(version), and this program reads versions up to "
          + "\(Self.currentFormatVersion): use a newer recordpack")
    }
    json = try upgrade.upgraded(json, from: version)
    let known: Set = [
      "kind", "format", "formatVersion", "container", "environment", "currentUser",
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
    self.init(container: container, shard: try Self.shard(json["shard"], source))
    formatVersion = version
    otherMembers = (json.members ?? []).filter { !known.contains($0.name) }
      .map { OtherMember(name: $0.name, value: $0.value.raw) }
      .sorted { compareUTF8($0.name, $1.name) < 0 }
  }

  private static func shard(_ json: JSONValue?, _ source: String) throws -> Shard? {
    guard let json, !json.isNull else { return nil }
    guard let number = json["number"]?.integer, number >= 1 else {
      throw BundleError(.malformed, in: source, line: 1, "the shard has no number from 1")
    }
    return Shard(number: number, previousContentDigest: json["previousContentDigest"]?.string)
  }
}

extension JSONValue {
  /// The value as an integer; nil where it is none.
  var integer: Int? { numberText.flatMap { Int($0) } }
}
