extension WebServicesWriter {
  /// How records are written, where a server's answers and a file to keep differ.
  package struct Style: Sendable {
    /// Whether records are written as the server sends them: `isEncrypted` for encrypted fields but
    /// those of bytes, the names only of the parent and the share, and `pluginFields`.
    ///
    /// Sources: MistKit's probe of encrypted fields; the models of pyicloud, which are of recorded
    /// responses; *CloudKit Web Services Reference* for the other types.
    package var isServed: Bool
    /// Whether `INT64` and `DOUBLE` are written as text. Source: *CloudKit Web Services Reference*,
    /// `numbersAsStrings`.
    package var numbersAsStrings: Bool

    package init(isServed: Bool = true, numbersAsStrings: Bool = false) {
      self.isServed = isServed
      self.numbersAsStrings = numbersAsStrings
    }
  }
}

extension JSONValue {
  /// The value with texts for numbers, also in a list.
  var withTextForNumbers: JSONValue {
    switch content {
    case .number(let text): .string(text)
    case .array(let elements): .array(elements.map(\.withTextForNumbers))
    default: self
    }
  }
}
