import ArgumentParser

/// Throws if options were given that do not apply.
///
/// - Parameters:
///   - options: The options and whether each was given.
///   - reason: Completes "--level does not apply …", such as "without --validate".
func refuse(_ options: [(name: String, isGiven: Bool)], _ reason: String) throws {
  let given = options.filter(\.isGiven).map(\.name)
  guard !given.isEmpty else { return }
  throw ValidationError(
    "\(given.joined(separator: ", ")) \(given.count == 1 ? "does" : "do") not apply \(reason)")
}

/// Throws like ``refuse(_:_:)`` under a condition.
func refuse(
  _ options: [(name: String, isGiven: Bool)], when applies: Bool, _ reason: String
) throws {
  if applies { try refuse(options, reason) }
}

/// Throws if standard input is named twice.
///
/// - Parameter paths: All inputs; `-` is standard input, nil an option that was not given.
func refuseSecondStandardInput(_ paths: [String?]) throws {
  guard paths.count(where: { $0 == "-" }) > 1 else { return }
  throw ValidationError("standard input (-) can be read only once")
}

/// Throws for a `--limit` that would show nothing.
func checkLimit(_ limit: Int?) throws {
  if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit)") }
}
