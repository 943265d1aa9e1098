import Foundation

/// A trial that an app failed.
///
/// `String(describing:)` of it is a text for people: the problem, the shortest history that leads to
/// it, as Swift code for a test, and the page that explains it.
public struct SyncTrialFailure: Error, CustomStringConvertible, LocalizedError {
  /// The trial.
  public let trial: SyncTrial
  /// The seed of the trial; nil for steps that a test names.
  public let seed: UInt64?
  /// The shortest steps that were found with the same kind of problem.
  public let steps: [SyncTrialStep]
  let problem: Problem

  /// A promise to the app's user that is broken.
  enum Problem: Sendable {
    /// Two devices show different items.
    case diverged(String, String, item: String, String?, String?)
    /// No device has an item that nobody deleted.
    case missing(item: String)
    /// No edit of an item is left.
    case lost(item: String, texts: [String])
    /// An item that was deleted is there again.
    case returned(item: String)
    /// An item has another content than before, and nobody edited it.
    case changedByItself(item: String)
    /// A device shows items of somebody else.
    case foreign(String, item: String)
    /// The engines do not come to an end.
    case pending(String)
    /// The app called the engine where CloudKit ends the process.
    case forbiddenCall(String)
    /// The app's store threw an error.
    case threw(String, String)
    /// The trial could not do its harm.
    case notTried(String)

    /// The kind, for a comparison of two failures.
    var kind: Int {
      switch self {
      case .diverged: 0
      case .missing: 1
      case .lost: 2
      case .returned: 3
      case .changedByItself: 4
      case .foreign: 5
      case .pending: 6
      case .forbiddenCall: 7
      case .threw: 8
      case .notTried: 9
      }
    }
  }

  /// The problem, the history and the page.
  public var description: String {
    var lines = [
      "Sync trial '\(trial.rawValue)'\(seed.map { " with seed \($0)" } ?? ""): \(problem)", "",
      "\(summary)", "Read documentation/recordpacktesting/\(article.lowercased()).",
    ]
    if !steps.isEmpty {
      lines += ["", "A test with the shortest history that was found:", ""]
      lines += ["  try await trials.replay(.\(trial.rawValue), ["]
      lines += steps.map { "    \($0.code)," } + ["  ])"]
    }
    return lines.joined(separator: "\n")
  }

  private var isForbiddenCall: Bool { if case .forbiddenCall = problem { true } else { false } }

  private var summary: String {
    isForbiddenCall ? "The app called the engine from its delegate." : trial.summary
  }

  private var article: String { isForbiddenCall ? "CallsFromTheDelegate" : trial.article }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension SyncTrialFailure.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .diverged(let first, let second, let item, let content, let other):
      "\(first) and \(second) differ. For the item \(item), \(first) shows \(Self.shown(content)), "
        + "and \(second) shows \(Self.shown(other))."
    case .missing(let item): "the item \(item) is gone, and nobody deleted it."
    case .lost(let item, let texts):
      "the item \(item) contains no text of its last edits: "
        + texts.map { "'\($0)'" }.joined(separator: ", ") + "."
    case .returned(let item): "the item \(item) was deleted, and is there again."
    case .changedByItself(let item): "the item \(item) has changed, and nobody edited it."
    case .foreign(let device, let item):
      "\(device) shows the item \(item), which does not belong to its user."
    case .pending(let text): text
    case .forbiddenCall(let text): text
    case .threw(let device, let error): "the store on \(device) threw an error: \(error)"
    case .notTried(let reason): "the trial did not happen: \(reason)"
    }
  }

  private static func shown(_ content: String?) -> String {
    content.map { "'\($0.prefix(200))'" } ?? "nothing"
  }
}
