import RecordModel

import struct Foundation.Data

/// What a migration needs beside the record at hand.
public struct MigrationEnvironment: Sendable {
  /// Finds the bytes of an asset by its SHA-256; nil where they are not at hand.
  public typealias AssetLookup = @Sendable (_ sha256: String) throws -> Data?

  /// Finds the bytes of assets.
  public var assets: AssetLookup?
  /// The new identities of records, by the number of the migration in its chain.
  package var identities: [Int: IdentityMap] = [:]

  /// Makes an environment.
  public init(assets: AssetLookup? = nil) {
    self.assets = assets
  }
}

/// Which record has become which, where names or zones change.
///
/// Takes about a hundred bytes for each record that changes its identity, and nothing for others.
package struct IdentityMap: Sendable {
  private struct Key: Hashable {
    var database: DatabaseScope
    var recordID: RecordID
  }

  private var changes: [Key: RecordID] = [:]

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }
  package var count: Int { changes.count }

  package mutating func note(_ old: RecordID, became new: RecordID, in database: DatabaseScope) {
    guard old != new else { return }
    changes[Key(database: database, recordID: old)] = new
  }

  package func newIdentity(of old: RecordID, in database: DatabaseScope) -> RecordID? {
    changes[Key(database: database, recordID: old)]
  }
}
