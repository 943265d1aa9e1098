extension SchemaParser {
  private static let typeNames =
    ["LIST<…>", "ENCRYPTED …"] + CloudSchema.Primitive.allCases.map(\.rawValue)
  private static let encryptable = CloudSchema.Primitive.allCases.filter(\.canBeEncrypted).map(
    \.rawValue)

  /// Parses a data type. Returns `nil` after reporting an error.
  mutating func parseType(of field: String) -> CloudSchema.FieldType? {
    if isKeyword(.list) { return parseList() }
    guard let element = parseElement(of: field) else { return nil }
    // `STRING LIST` is an error, but is accepted so that its options are still parsed.
    if isKeyword(.list), current.span.line == previous.span.line {
      error(.illegalType, "LIST comes before its element type", hint: "write LIST<\(element)>")
      advance()
      return list(of: element)
    }
    return element
  }

  private mutating func parseList() -> CloudSchema.FieldType? {
    let start = current.span
    advanceKeyword()
    guard current.kind == .leftAngle else {
      error(
        .illegalType, "expected '<' after LIST, found \(describe(current))",
        expected: ["<"], hint: "write LIST<STRING>, with the type of the elements")
      return nil
    }
    advance()
    if isKeyword(.list) {
      error(
        .illegalType, "a list cannot contain lists",
        expected: CloudSchema.Primitive.allCases.map(\.rawValue))
      return nil
    }
    guard let element = parseElement(of: nil) else { return nil }
    guard current.kind == .rightAngle else {
      error(
        .illegalType,
        "expected '>' to close the LIST in column \(start.column), found "
          + describe(current), expected: [">"])
      return nil
    }
    advance()
    return list(of: element)
  }

  private func list(of element: CloudSchema.FieldType) -> CloudSchema.FieldType {
    CloudSchema.FieldType(
      element.primitive, isList: true, isEncrypted: element.isEncrypted,
      numberPreference: element.numberPreference)
  }

  /// Parses a primitive type with its modifiers. `field` is `nil` inside a list.
  private mutating func parseElement(of field: String?) -> CloudSchema.FieldType? {
    let isEncrypted = isKeyword(.encrypted)
    let start = current.span
    if isEncrypted {
      advanceKeyword()
      if isKeyword(.list) {
        diagnostics.error(
          .illegalType, "ENCRYPTED must be inside the list", at: start,
          hint: "write LIST<ENCRYPTED STRING>, for example")
        return nil
      }
    }
    guard let primitive = keyword?.primitive else {
      reportMissingType(of: field, isEncrypted: isEncrypted)
      return nil
    }
    if isEncrypted, !primitive.canBeEncrypted {
      error(
        .illegalType, "\(primitive.rawValue) cannot be ENCRYPTED", expected: Self.encryptable,
        hint: primitive == .asset
          ? "CloudKit always encrypts assets; write ASSET" : "write \(primitive.rawValue) alone")
      return nil
    }
    advanceKeyword()
    guard primitive == .number, isKeyword(.preferred) else {
      return CloudSchema.FieldType(primitive, isEncrypted: isEncrypted)
    }
    guard let preference = parseNumberPreference() else { return nil }
    return CloudSchema.FieldType(.number, numberPreference: preference)
  }

  private mutating func parseNumberPreference() -> CloudSchema.NumberPreference? {
    advanceKeyword()
    guard isKeyword(.as) else {
      error(
        .illegalType, "expected AS after PREFERRED, found \(describe(current))", expected: ["AS"])
      return nil
    }
    advanceKeyword()
    guard let preference = CloudSchema.NumberPreference(rawValue: keyword?.rawValue ?? "") else {
      error(
        .illegalType, "a NUMBER is preferred as INT64 or DOUBLE, not \(describe(current))",
        expected: CloudSchema.NumberPreference.allCases.map(\.rawValue))
      return nil
    }
    advanceKeyword()
    return preference
  }

  private mutating func reportMissingType(of field: String?, isEncrypted: Bool) {
    let place = field.map { "as the type of '\($0)'" } ?? "inside LIST<…>"
    let expected =
      isEncrypted
      ? Self.encryptable
      : field == nil ? CloudSchema.Primitive.allCases.map(\.rawValue) : Self.typeNames
    if keyword?.option != nil {
      error(
        .unexpectedToken, "expected a data type \(place), found the option \(describe(current))",
        expected: expected, hint: "the type comes before its options")
      return
    }
    let isWord = current.kind == .word
    error(
      isWord ? .unknownType : current.kind == .end ? .unexpectedEnd : .unexpectedToken,
      isWord
        ? "the language has no data type \(describe(current))"
        : "expected a data type \(place), found \(describe(current))", expected: expected,
      hint: SchemaHints.type(similarTo: text(of: current)))
  }
}
