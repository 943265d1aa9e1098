/// Reads `recordpack:allow RULE reason` out of comments.
///
/// The comment concerns the element it belongs to; on a record type also all in it, and before
/// `DEFINE SCHEMA` or at the end of the file the whole schema. For what is not in the file any more,
/// `RULE(Todo.order)` names the subject. Several rules are separated by commas.
enum AllowComment {
  static let marker = "recordpack:allow"

  struct Reading {
    var allowances: [SchemaAllowance] = []
    /// What could not be understood: subject, message, place.
    var malformed: [(subject: SchemaSubject, message: String, location: SourceSpan?)] = []
  }

  static func read(_ document: SchemaDocument) -> Reading {
    var reading = Reading()
    // Most schemas have no such comment: one search spares the walk.
    guard document.schema.hasComments else { return reading }
    let schema = document.schema
    let file = document.name
    reading.add(schema.comments, .schema, pattern: "*", at: schema.origin, file: file)
    for role in schema.roles {
      reading.add(role.comments, .role(role.name), at: role.origin, file: file)
    }
    for type in schema.recordTypes {
      reading.add(type.comments, .type(type.name), at: type.origin, file: file)
      for field in type.fields where !field.comments.isEmpty {
        let subject = SchemaSubject.field(field.name, of: type.name)
        reading.add(field.comments, subject, at: field.origin, file: file)
      }
      for grant in type.grants where !grant.comments.isEmpty {
        let subject = SchemaSubject.grant(to: grant.role, on: type.name)
        reading.add(grant.comments, subject, at: grant.origin, file: file)
      }
    }
    return reading
  }
}

extension AllowComment.Reading {
  fileprivate mutating func add(
    _ comments: Schema.Comments, _ subject: SchemaSubject, pattern: String? = nil,
    at origin: Schema.Origin?, file: String
  ) {
    for comment in comments.all {
      for line in comment.text.split(whereSeparator: \.isNewline) {
        let text = line.drop { $0 == " " || $0 == "\t" || $0 == "*" }
        guard text.hasPrefix(AllowComment.marker) else { continue }
        add(
          text.dropFirst(AllowComment.marker.count), subject,
          pattern: pattern ?? subject.description, at: origin?.name, file: file)
      }
    }
  }

  private mutating func add(
    _ text: Substring, _ subject: SchemaSubject, pattern: String, at span: SourceSpan?,
    file: String
  ) {
    var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
    var names = ""
    repeat { names += words.popFirst() ?? "" } while names.hasSuffix(",") && !words.isEmpty
    let reason = words.joined(separator: " ")
    guard !names.isEmpty else {
      return malformed.append((subject, "an allow comment names no rule", span))
    }
    guard !reason.isEmpty else {
      return malformed.append((subject, "an allow comment for \(names) gives no reason", span))
    }
    let place = span ?? SourceSpan(offset: 0, length: 0, line: 1, column: 1)
    for name in names.split(separator: ",") {
      var rule = name
      var scope = pattern
      if let open = name.firstIndex(of: "("), name.last == ")" {
        rule = name[..<open]
        scope = String(name[name.index(after: open)...].dropLast())
      }
      let id = SchemaRule.ID(rawValue: String(rule))
      guard SchemaRule.named(id) != nil else {
        malformed.append((subject, "an allow comment names the unknown rule '\(rule)'", span))
        continue
      }
      allowances.append(
        SchemaAllowance(
          rule: id, subject: scope, reason: reason,
          source: .comment(SchemaLocation(file: file, span: place))))
    }
  }
}

extension Schema {
  fileprivate var hasComments: Bool {
    !comments.isEmpty || roles.contains { !$0.comments.isEmpty }
      || recordTypes.contains { type in
        !type.comments.isEmpty || type.fields.contains { !$0.comments.isEmpty }
          || type.grants.contains { !$0.comments.isEmpty }
      }
  }
}
