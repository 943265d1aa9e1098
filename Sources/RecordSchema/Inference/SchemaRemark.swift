/// Something that records could not tell about the schema they were saved under.
public struct SchemaRemark: Sendable, Hashable, CustomStringConvertible {
  /// What it is about.
  public var subject: SchemaSubject
  /// What is not known, and what was done about it.
  public var text: String

  /// `Todo.tags: …`
  public var description: String {
    subject == .schema ? text.printable : "\(subject): \(text)".printable
  }
}
