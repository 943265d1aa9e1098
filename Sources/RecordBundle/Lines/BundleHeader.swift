import RecordCoding
import RecordModel

/// The first line of a bundle.
package struct BundleHeader: Sendable, Hashable {
  /// The format version that this library writes, and the newest that it reads.
  package static let currentFormatVersion = 1

  /// The place of a file in a split bundle.
  package struct Shard: Sendable, Hashable {
    /// The number of the file, from 1.
    package var number: Int
    /// SHA-256 of the previous file's index frame, 64 lowercase hexadecimal digits, if any.
    package var previousSHA256: String?
  }

  /// The format version of the file; so far, 1 is the only one.
  package var formatVersion = currentFormatVersion
  /// The description of the container: identifier, environment, schema, user.
  package var container = ContainerInfo()
  /// The place of the file in a split bundle; nil for a bundle of one file.
  package var shard: Shard?
}

extension BundleHeader {
  /// Returns the JSON of the header's line.
  func jsonValue() throws -> JSONValue {
    let known = JSONValue.object([
      "kind": .string(LineKind.header.rawValue), "format": .string("recordpack"),
      "formatVersion": .integer(formatVersion),
      "container": container.identifier.map(JSONValue.string),
      "environment": (container.environment?.rawValue).map(JSONValue.string),
      "currentUser": container.currentUserRecordName.map(JSONValue.string),
      "accounts": try container.accounts.json(),
      "schemaVersion": container.schemaVersion.map(JSONValue.string),
      "schema": container.schema.map(JSONValue.string),
      "shard": shard.map {
        .object([
          "number": .integer($0.number),
          "previousSHA256": $0.previousSHA256.map(JSONValue.string),
        ])
      },
    ])
    return try .object((known.members ?? []) + container.otherMembers.jsonMembers())
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
    line: UnsafeRawBufferPointer, of source: String
  ) throws {
    let location = LineLocation(source: source, line: 1)
    let json = try JSONParser.parse(line)
    guard json["kind"]?.string == LineKind.header.rawValue,
      json["format"]?.string == "recordpack"
    else {
      throw location.error(
        .notABundle,
        "the first line is not the header of a bundle: it should begin with "
          + "{\"kind\":\"header\",\"format\":\"recordpack\"")
    }
    guard let version = json["formatVersion"]?.integer else {
      throw location.error(.malformed, "the header has no format version")
    }
    guard version >= 1 else {
      throw location.error(
        .malformed,
        "the header has format version \(version), which does not exist")
    }
    guard version <= Self.currentFormatVersion else {
      throw location.error(
        .tooNew,
        "the bundle has format version \(version), and this program reads versions up to "
          + "\(Self.currentFormatVersion): use a newer recordpack")
    }
    try Self.checkRequirements(json["requires"], at: location)
    let known: Set = [
      "kind", "format", "formatVersion", "requires", "container", "environment", "currentUser",
      "accounts", "schemaVersion", "schema", "shard",
    ]
    var container = ContainerInfo(
      identifier: json["container"]?.string, schema: json["schema"]?.string,
      schemaVersion: json["schemaVersion"]?.string,
      currentUserRecordName: json["currentUser"]?.string)
    if let name = json["environment"]?.string {
      guard let environment = ContainerInfo.Environment(rawValue: name) else {
        throw location.error(
          .malformed, "the environment is neither 'development' nor 'production'")
      }
      container.environment = environment
    }
    if let accounts = json["accounts"], !accounts.isNull {
      container.accounts = try inside(member: "accounts") { try .init(accounts: accounts) }
    }
    container.otherMembers = json.others(besides: known)
    self.init(
      formatVersion: version, container: container,
      shard: try Self.shard(json["shard"], at: location))
  }

  /// Checks the features that the header requires. There are none yet, so every name is unknown.
  /// - Throws: ``BundleError`` for an unknown feature.
  private static func checkRequirements(_ json: JSONValue?, at location: LineLocation) throws {
    guard let json, !json.isNull else { return }
    guard let names = json.elements?.map(\.string), names.allSatisfy({ $0 != nil }) else {
      throw location.error(.malformed, "the header's 'requires' is not a list of names")
    }
    let unknown = names.compactMap { $0 }
    guard unknown.isEmpty else {
      throw location.error(
        .tooNew,
        "reading the bundle requires "
          + unknown.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
          + ", which this program does not know: use a newer recordpack")
    }
  }

  private static func shard(_ json: JSONValue?, at location: LineLocation) throws -> Shard? {
    guard let json, !json.isNull else { return nil }
    guard let number = json["number"]?.integer, number >= 1 else {
      throw location.error(.malformed, "the shard's number is not 1 or more")
    }
    return Shard(number: number, previousSHA256: json["previousSHA256"]?.string)
  }
}

extension JSONValue {
  /// The value as an integer; nil if it is not one.
  var integer: Int? { numberText.flatMap { Int($0) } }

  /// Creates an object of the members that are not nil.
  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
