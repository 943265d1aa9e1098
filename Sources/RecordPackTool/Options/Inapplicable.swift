import ArgumentParser

/// Refuses options that say nothing in the mode a command runs in.
///
/// - Parameters:
///   - options: the options, and whether each was given.
///   - reason: completes the sentence "--level does not apply …": "without --validate".
func refuse(_ options: [(name: String, isGiven: Bool)], _ reason: String) throws {
  let given = options.filter(\.isGiven).map(\.name)
  guard !given.isEmpty else { return }
  throw ValidationError(
    "\(given.joined(separator: ", ")) \(given.count == 1 ? "does" : "do") not apply \(reason)")
}

/// Refuses to read standard input twice.
///
/// - Parameter paths: All that a command reads; `-` is standard input, nil an option without a value.
func refuseSecondStandardInput(_ paths: [String?]) throws {
  guard paths.count(where: { $0 == "-" }) > 1 else { return }
  throw ValidationError("standard input (-) can be read once only")
}
