import RecordModel
import RecordPlatform

/// The pseudonyms of names: of records, users, zones, subscriptions, devices.
///
/// A UUID becomes a UUID of the same version; 32 hexadecimal digits, as in the record names of
/// users, become such digits; in all other names each letter becomes a letter, each digit a digit. A name that is an email
/// address becomes the same one as in the fields of records. Two names
/// never get the same pseudonym, and a UUID in a name becomes the same one as by itself.
struct IdentifierCipher: Sendable {
  private let uuids: WordPairCipher
  private let digits: WordPairCipher
  private let format: FormatCipher
  private let addresses: WordCipher
  private let digest: SipHash
  private let secondDigest: SipHash
  /// The names that stay, beside those that CloudKit gives.
  private let kept: [NamePattern]

  init(_ key: AnonymisationKey, _ addresses: WordCipher, keeping kept: [NamePattern]) {
    self.addresses = addresses
    uuids = WordPairCipher(
      key.hash(for: "identifier.uuid"), mask: (0xFFFF_FFFF_FFFF_0FFF, 0x3FFF_FFFF_FFFF_FFFF))
    digits = WordPairCipher(key.hash(for: "identifier.digits"), mask: (.max, .max))
    format = FormatCipher(key.hash(for: "identifier.format"))
    digest = key.hash(for: "identifier.digest.1")
    secondDigest = key.hash(for: "identifier.digest.2")
    self.kept = kept
  }

  /// Names that CloudKit gives, and that mean the same in every container.
  static let wellKnown: Set<String> = [
    ZoneID.currentUserOwnerName, ZoneID.defaultZoneName, Share.zoneWideRecordName,
    "com.apple.coredata.cloudkit.zone", "_world",
  ]

  /// Whether a name stays as it is.
  func keeps(_ name: String) -> Bool {
    Self.wellKnown.contains(name) || kept.contains { $0.matches(name) }
  }

  /// Returns the pseudonym of a name; the name itself if it is kept.
  func pseudonym(of name: String) -> String {
    if kept.isEmpty, name.utf8.count == 36 {
      // Nearly all names are UUIDs.
      if let uuid = uuid(CompactName(name)) { return uuid.string }
    }
    guard !name.isEmpty, !keeps(name) else { return name }
    var result = permute(name)
    // A pseudonym that equals a kept name is replaced in turn, until one does not: that, too, is a
    // permutation of the names that are not kept.
    for _ in 0..<64 where keeps(result) { result = permute(result) }
    return keeps(result) ? hexadecimal(name) : result
  }

  /// Returns the pseudonym of a UUID; nil for another name.
  func uuid(_ name: CompactName) -> CompactName? {
    name.mapUUID(uuids.permute)
  }

  // MARK: Other names

  private func permute(_ name: String) -> String {
    if let uuid = uuid(CompactName(name)) { return uuid.string }
    // The domain gets longer, and names have at most 255 bytes.
    let scalars = Array(name.unicodeScalars)
    if name.utf8.count <= 240, !Self.hasUUID(scalars), let address = addresses.permutedEmail(name) {
      return address
    }
    if scalars.count == 33, scalars[0] == "_", let mixed = mixDigits(scalars) { return mixed }
    return permuteParts(scalars) ?? hexadecimal(name)
  }

  /// Replaces the 32 hexadecimal digits of a user's record name.
  private func mixDigits(_ scalars: [Unicode.Scalar]) -> String? {
    var numbers: (UInt64, UInt64) = (0, 0)
    for scalar in scalars.dropFirst() {
      let digit: UInt64
      switch scalar.value {
      case 0x30...0x39: digit = UInt64(scalar.value) - 0x30
      case 0x61...0x66: digit = UInt64(scalar.value) - 0x57
      default: return nil
      }
      numbers = (numbers.0 << 4 | numbers.1 >> 60, numbers.1 << 4 | digit)
    }
    let mixed = digits.permute(numbers.0, numbers.1)
    return "_" + HexadecimalHash.text(of: mixed.0) + HexadecimalHash.text(of: mixed.1)
  }

  /// Whether the hyphens of a UUID are behind a place.
  private static func mayBeUUID(_ scalars: [Unicode.Scalar], at place: Int) -> Bool {
    scalars[place + 8] == "-" && scalars[place + 13] == "-" && scalars[place + 18] == "-"
      && scalars[place + 23] == "-"
  }

  private static func hasUUID(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.count > 36 && (0...scalars.count - 36).contains { mayBeUUID(scalars, at: $0) }
  }

  /// Replaces the UUIDs in a name, and what is around them.
  private func permuteParts(_ scalars: [Unicode.Scalar]) -> String? {
    var isInUUID: [Bool] = []
    var replaced = scalars
    if scalars.count > 36 {
      isInUUID = Array(repeating: false, count: scalars.count)
      var place = 0
      while place + 36 <= scalars.count {
        guard Self.mayBeUUID(scalars, at: place),
          let uuid = uuid(CompactName(String(scalars: Array(scalars[place..<place + 36]))))
        else {
          place += 1
          continue
        }
        for (offset, scalar) in uuid.string.unicodeScalars.enumerated() {
          replaced[place + offset] = scalar
          isInUUID[place + offset] = true
        }
        place += 36
      }
    }
    guard isInUUID.contains(true) else {
      return format.permute(scalars).map { String(scalars: $0) }
    }
    // CloudKit names shares so.
    let isShare = scalars.count == 42 && scalars.starts(with: "Share-".unicodeScalars)
    if isShare, !isInUUID[5] { return String(scalars: replaced) }
    guard var result = format.permute(replaced, skips: { isInUUID[$0] }) else { return nil }
    if scalars.count == 42, result.starts(with: "Share-".unicodeScalars),
      let again = format.permute(result, skips: { isInUUID[$0] })
    {
      result = again
    }
    return String(scalars: result)
  }

  /// For names in a script without a class: 128 bits, of which two names hardly share all.
  private func hexadecimal(_ name: String) -> String {
    HexadecimalHash.text(of: digest.hash(name)) + HexadecimalHash.text(of: secondDigest.hash(name))
  }
}

extension CompactName {
  /// Returns a UUID with other halves, in the same letter case; nil for another name.
  func mapUUID(_ permute: (UInt64, UInt64) -> (UInt64, UInt64)) -> CompactName? {
    switch self {
    case .upperUUID(let high, let low):
      let halves = permute(high, low)
      return .upperUUID(halves.0, halves.1)
    case .lowerUUID(let high, let low):
      let halves = permute(high, low)
      return .lowerUUID(halves.0, halves.1)
    case .user, .text: return nil
    }
  }
}

/// The replacements of words in names of persons and in addresses.
struct WordCipher: Sendable {
  private let words: FormatCipher
  private let digest: SipHash

  init(_ key: AnonymisationKey) {
    words = FormatCipher(key.hash(for: "words"))
    digest = key.hash(for: "words.digest")
  }

  /// Replaces each word of a person's name; the same word always by the same one, so that a first
  /// name alone, in a full name and in an email address remains the same.
  ///
  /// Words in a script without a class become hash values.
  func name(_ name: String) -> String { words(name) { substitute($0) } ?? name }

  /// - Parameter substitute: Returns what replaces a word in a script without a class; nil to give
  ///   up.
  private func words(
    _ text: String, _ substitute: ([Unicode.Scalar]) -> [Unicode.Scalar]?
  ) -> String? {
    var result: [Unicode.Scalar] = []
    var run: [Unicode.Scalar] = []
    func flush() -> Bool {
      guard !run.isEmpty else { return true }
      guard let word = words.permute(run, .likeWords) ?? substitute(run) else { return false }
      result += word
      run = []
      return true
    }
    for scalar in text.unicodeScalars {
      // Marks belong to the letter before them.
      let isMark = scalar.properties.generalCategory == .nonspacingMark
      let isLetter = ScalarClass.member(scalar) != nil || !ScalarClass.isSeparator(scalar)
      if isLetter || isMark && !run.isEmpty {
        run.append(scalar)
      } else {
        guard flush() else { return nil }
        result.append(scalar)
      }
    }
    return flush() ? String(scalars: result) : nil
  }

  /// Returns 14 Latin letters, of which two words hardly share all.
  private func substitute(_ run: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var rest = digest.hash(String(scalars: run))
    return (0..<14).map { _ in
      defer { rest /= 26 }
      return ScalarClass.scalar(
        .init(classIndex: ScalarClass.latin, index: UInt16(rest % 26)))
    }
  }

  /// Replaces an email address. The domain of the new one ends with `.example`, which is reserved
  /// (RFC 2606). Nil if the text is no email address.
  func email(_ address: String) -> String? {
    guard EmailAddress.matches(address), let at = address.lastIndex(of: "@") else { return nil }
    return "\(name(String(address[..<at])))@\(host(address[address.index(after: at)...]))"
  }

  /// Replaces an email address; nil also if it has words in a script without a class, of which two
  /// could become the same.
  func permutedEmail(_ address: String) -> String? {
    guard words(address, { _ in nil }) != nil else { return nil }
    return email(address)
  }

  /// Replaces each word of a host's name.
  func host(_ host: some StringProtocol) -> String { name(String(host)) + ".example" }
}
