import RecordPlatform

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
