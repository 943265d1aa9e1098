/// Decisions of an app that trials would otherwise report as mistakes.
///
/// Trials accept without a word: in a conflict, any edit wins or all are merged; a change or a deletion
/// wins; the app adds copies for the edits that have lost.
public struct SyncTrialPolicies: OptionSet, Sendable, Hashable {
  /// The policies as bits.
  public let rawValue: Int

  /// Creates policies from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The device keeps its items when the user signs out.
  public static let keepsDataAtSignOut = SyncTrialPolicies(rawValue: 1)
  /// The app sends its items again when another device, or the user in the settings, has deleted the
  /// app's zone.
  public static let recreatesDeletedItems = SyncTrialPolicies(rawValue: 2)
}
