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
  func name(_ name: String) -> String {
    var result: [Unicode.Scalar] = []
    var run: [Unicode.Scalar] = []
    func flush() {
      guard !run.isEmpty else { return }
      result += words.permute(run, .likeWords) ?? substitute(run)
      run = []
    }
    for scalar in name.unicodeScalars {
      // Marks belong to the letter before them.
      let isMark = scalar.properties.generalCategory == .nonspacingMark
      if ScalarClass.isSeparator(scalar), !isMark || run.isEmpty {
        flush()
        result.append(scalar)
      } else {
        run.append(scalar)
      }
    }
    flush()
    return String(scalars: result)
  }

  /// For words in a script without a class: as many Latin letters, of which two words hardly share
  /// all.
  private func substitute(_ run: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var numbers = SeededNumbers(seed: digest.hash(String(scalars: run)))
    return run.map { _ in
      ScalarClass.scalar(
        .init(classIndex: ScalarClass.latin, index: UInt16(numbers.below(26))))
    }
  }

  /// Replaces an email address by one that nobody can have: its domain ends with `.example`
  /// (RFC 2606). Nil if the text is no email address.
  func email(_ address: String) -> String? {
    guard EmailAddress.matches(address), let at = address.lastIndex(of: "@") else { return nil }
    return "\(name(String(address[..<at])))@\(host(address[address.index(after: at)...]))"
  }

  /// Replaces each word of a host's name.
  func host(_ host: some StringProtocol) -> String { name(String(host)) + ".example" }
}
