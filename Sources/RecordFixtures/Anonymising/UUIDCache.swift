import RecordModel

/// The last UUIDs and their pseudonyms: the name of a parent is often in a list of references, too,
/// and in the records beside.
final class UUIDCache {
  private static let count: UInt64 = 256

  private struct Entry {
    var name: (UInt64, UInt64)
    var pseudonym: (UInt64, UInt64)
  }

  private let cipher: IdentifierCipher
  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Int(count))

  init(_ cipher: IdentifierCipher) {
    self.cipher = cipher
    for place in 0..<Self.count {
      // A name that is not at this place.
      (entries + Int(place)).initialize(
        to: Entry(name: (0, place ^ 1), pseudonym: (0, 0)))
    }
  }

  deinit { entries.deallocate() }

  /// Returns the pseudonym of a UUID; nil for another name.
  func pseudonym(of name: CompactName) -> CompactName? {
    name.mapUUID(pseudonym)
  }

  private func pseudonym(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) {
    let entry = entries + Int((high ^ low) & (Self.count - 1))
    if entry.pointee.name != (high, low) {
      entry.pointee = Entry(name: (high, low), pseudonym: cipher.mixUUID(high, low))
    }
    return entry.pointee.pseudonym
  }
}
