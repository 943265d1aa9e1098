/// Whether a handler has a page to look at its containers with, at `/`.
///
/// The page shows all that a container holds to whoever reaches the handler, without a token. Values
/// of encrypted fields are covered until somebody asks for them.
public enum WebPage: Sendable {
  /// No page.
  case none
  /// The page, beside the requests of CloudKit Web Services.
  case withServices
  /// The page alone: nothing can be changed.
  case alone
}
