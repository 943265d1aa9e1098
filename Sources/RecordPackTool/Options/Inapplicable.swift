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
