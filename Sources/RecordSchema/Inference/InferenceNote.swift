/// A note about something that records do not determine about their schema.
public struct InferenceNote: Sendable, Hashable, CustomStringConvertible {
  /// The schema element that the note is about.
  public var subject: SchemaSubject
  /// The uncertainty, and how it was resolved.
  public var text: String

  /// `Todo.tags: …`
  public var description: String {
    subject == .schema ? text.printable : "\(subject): \(text)".printable
  }
}
