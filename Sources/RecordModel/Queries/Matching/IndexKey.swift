import Foundation

/// A value as bytes whose order is that of the values.
///
/// Two values are equal to a query if their keys are. Values of different kinds are in the order
/// of the kinds. Integers and doubles are compared with each other, exactly; strings by their UTF-8
/// bytes; references by name, then zone; locations by latitude, then longitude. The container file
/// stores keys, so a change of them is a change of its layout.
package struct IndexKey: Hashable, Sendable {
  /// The kinds of values, in order; the raw value is the first byte of a key.
  package enum Kind: UInt8, Sendable {
    /// No value that has an order: none, a list, an asset, or an encrypted value.
    case missing = 0
    case number = 0x10
    case date = 0x20
    case string = 0x30
    case bytes = 0x40
    case reference = 0x50
    case location = 0x60
    /// A distance in metres, which results are sorted by; it is in no index.
    case distance = 0x70
    /// A word of a text.
    case token = 0x80
    /// All words of a text that are not ASCII; see ``TextTokens``.
    case otherTokens = 0x81
  }

  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of a record that has no value with an order.
  package static let missing = IndexKey(bytes: [Kind.missing.rawValue])

  /// The key of a record that is damaged: nothing is known about its values. It is after all others.
  package static let unreadable = IndexKey(bytes: [0xFE])

  /// Creates the key of a value; nil for one without an order: a list, an asset, a value of an
  /// unknown type, or a number that is not one.
  ///
  /// - Parameter zoneID: The zone of the record with the value: references into it omit the zone.
  package init?(_ value: RecordValue, in zoneID: ZoneID) {
    switch value {
    case .string(let text): self.init(.string, text.utf8)
    case .int64(let number): self.init(number)
    case .double(let number):
      guard !number.isNaN else { return nil }
      self.init(.number, Self.ordered(number), rest: 0)
    case .timestamp(let date):
      self.init(.date, Self.ordered(date.timeIntervalSinceReferenceDate))
    case .bytes(let data): self.init(.bytes, data)
    case .location(let place):
      var bytes = IndexKey(.location, Self.ordered(place.latitude)).bytes
      Self.append(Self.ordered(place.longitude), to: &bytes)
      self.init(bytes: bytes)
    case .reference(let reference): self.init(referenceTo: reference.recordID, in: zoneID)
    default: return nil
    }
  }

  /// Creates the key of a reference to a record.
  package init(referenceTo recordID: RecordID, in zoneID: ZoneID) {
    var bytes = [Kind.reference.rawValue]
    Self.append(recordID.recordName, to: &bytes)
    if recordID.zoneID != zoneID {
      Self.append(recordID.zoneID.zoneName, to: &bytes)
      Self.append(recordID.zoneID.ownerName, to: &bytes)
    }
    self.init(bytes: bytes)
  }

  /// Creates the key of a distance in metres.
  package init(distance: Double) { self.init(.distance, Self.ordered(distance)) }

  /// The greatest double up to the number, and how much greater the number is, at most 1,023. So an
  /// integer above 2^53 is between the doubles beside it.
  private init(_ number: Int64) {
    var double = Double(number)
    if double >= 0x1p63 || Int64(double) > number { double = double.nextDown }
    let rest = number - Int64(double)
    self.init(.number, Self.ordered(double), rest: UInt16(rest))
  }

  private init(_ kind: Kind, _ content: some Collection<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 + content.count)
    bytes.append(kind.rawValue)
    bytes.append(contentsOf: content)
    self.init(bytes: bytes)
  }

  private init(_ kind: Kind, _ word: UInt64, rest: UInt16? = nil) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(17)
    bytes.append(kind.rawValue)
    Self.append(word, to: &bytes)
    if let rest { Self.append(rest, to: &bytes) }
    self.init(bytes: bytes)
  }

  /// The kind of the value.
  package var kind: Kind? { bytes.first.flatMap(Kind.init(rawValue:)) }

  // MARK: Encoding

  /// The bits of a double, changed so that they are in its order.
  private static func ordered(_ number: Double) -> UInt64 {
    // Adding 0 removes the sign of zero.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func append(_ word: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends text with an end that is less than any character. NUL is `00 FF` in it.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + text.utf8.count + 2)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(contentsOf: repeatElement(0, count: 2))
  }

  /// The least key that is greater.
  package var successor: IndexKey { IndexKey(bytes: bytes + [0]) }
}

extension IndexKey: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.bytes.withUnsafeBytes { a in rhs.bytes.withUnsafeBytes { b in compareBytes(a, b) < 0 } }
  }
}

/// A range of keys: from the first, up to but without the last.
package struct IndexRange: Hashable, Sendable {
  /// The first key in the range.
  package var lower: IndexKey
  /// The first key after the range; nil if there is no end.
  package var upper: IndexKey?

  package init(lower: IndexKey, upper: IndexKey?) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys.
  package static let all = IndexRange(lower: IndexKey(bytes: []), upper: nil)

  /// Creates the range of one key.
  package init(_ key: IndexKey) {
    self.init(lower: key, upper: key.successor)
  }

  /// Creates the range of the keys of one kind.
  package init(ofKind kind: IndexKey.Kind) {
    self.init(
      lower: IndexKey(bytes: [kind.rawValue]), upper: IndexKey(bytes: [kind.rawValue + 1]))
  }

  /// Creates the range of the keys that begin with another one.
  package init(prefix: IndexKey) {
    var end = prefix.bytes
    while end.last == 0xFF { end.removeLast() }
    guard let last = end.popLast() else {
      self.init(lower: prefix, upper: nil)
      return
    }
    self.init(lower: prefix, upper: IndexKey(bytes: end + [last + 1]))
  }

  /// The only key in the range; nil if there may be others.
  package var singleKey: IndexKey? { upper == lower.successor ? lower : nil }

  package var isEmpty: Bool { upper.map { $0 <= lower } ?? false }

  package func contains(_ key: IndexKey) -> Bool {
    key >= lower && upper.map { key < $0 } ?? true
  }

  /// Returns the keys that are in both ranges.
  package func intersection(_ other: IndexRange) -> IndexRange {
    let upper =
      if let a = self.upper, let b = other.upper { min(a, b) } else { self.upper ?? other.upper }
    return IndexRange(lower: max(lower, other.lower), upper: upper)
  }
}

/// The words of a text, as a text search compares them: without case and diacritics.
///
/// A word is a sequence of letters, digits and their marks; an ideograph is a word by itself. The
/// server's own division into words is not known. Letters are folded by properties that Unicode
/// guarantees not to change, so that words in an index are the same on every platform.
package enum TextTokens {
  /// Returns the words of a text, each once, in the order of their first occurrence.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var known: Set<String> = []
    var word = ""
    func end() {
      if !word.isEmpty, known.insert(word).inserted { words.append(word) }
      word = ""
    }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    for scalar in (isASCII ? text : text.decomposedStringWithCompatibilityMapping).unicodeScalars {
      let properties = scalar.properties
      if properties.generalCategory == .nonspacingMark {
        // A diacritic, such as the acute accent after the e of é.
        continue
      } else if properties.isIdeographic {
        end()
        word.unicodeScalars.append(scalar)
        end()
      } else if scalar == "\u{3C2}" {
        // The sigma at the end of a word has no upper case of its own.
        word += "\u{3C3}"
      } else if properties.isAlphabetic || properties.numericType != nil {
        word += properties.lowercaseMapping
      } else {
        end()
      }
    }
    end()
    return words
  }

  /// Returns the keys of a text's words in an index.
  ///
  /// Other words than ASCII share one key, because tables of characters differ between platforms
  /// for new characters.
  package static func keys(of text: String) -> [IndexKey] {
    var keys: [IndexKey] = []
    var hasOther = false
    for word in words(of: text) {
      if let key = key(ofWord: word) {
        keys.append(key)
      } else if !hasOther {
        hasOther = true
        keys.append(otherKey)
      }
    }
    return keys
  }

  /// Returns the key of a word; nil for one that is not ASCII.
  package static func key(ofWord word: String) -> IndexKey? {
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return IndexKey(bytes: [IndexKey.Kind.token.rawValue] + word.utf8)
  }

  /// The key of all words that are not ASCII.
  package static let otherKey = IndexKey(bytes: [IndexKey.Kind.otherTokens.rawValue])
}
