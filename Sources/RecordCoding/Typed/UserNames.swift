import RecordModel
import RecordPlatform

/// The identifiers of the last users: few users make many records, and the name of each is longer
/// than a string stores without memory of its own.
///
/// Use it from one thread.
final class UserNames {
  @exclusivity(unchecked) private var users = Array(
    repeating: RecordID(recordName: ""), count: 128)

  /// Returns the identifier of a user.
  ///
  /// - Parameter name: The text between the quotes.
  func recordID(named name: UnsafeRawBufferPointer) -> RecordID {
    guard name.count >= 16 else { return Self.recordID(named: name) }
    let words = (
      name.loadUnaligned(as: UInt64.self),
      name.loadUnaligned(fromByteOffset: name.count &- 8, as: UInt64.self)
    )
    let place = Int(((words.0 ^ words.1) &* 0x9E37_79B9_7F4A_7C15) &>> 57)
    if case .text(let known) = users[place].packedName, known.hasUTF8(name) { return users[place] }
    let made = Self.recordID(named: name)
    // A name with escapes could be the text of another name.
    if !name.hasByte(0x5C) { users[place] = made }
    return made
  }

  static func recordID(named name: UnsafeRawBufferPointer) -> RecordID {
    RecordID(packedName: CanonicalDecoder.packedName(name), zoneID: .default)
  }
}
