extension String {
  /// The text in quotes, in which nothing has a meaning for a shell.
  package var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }

  /// The text as a word of a command to paste: in quotes where a shell needs them.
  package var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      "_./:@%+,=-".unicodeScalars.contains(scalar)
        || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
