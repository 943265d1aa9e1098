/// Parses `recordpack:allow RULE reason` in comments.
///
/// The comment applies to its element; on a record type also to everything in it, and before
/// `DEFINE SCHEMA` to the whole schema. `RULE(Todo.order)` names the subject explicitly, such as an
/// element that is no longer in the file. This is required after the last element of the file or of
/// a record type, because no element follows there. Several rules are separated by commas. A
/// malformed comment has no effect and is reported.
enum AllowComment {
  static let marker = "recordpack:allow"

  /// A comment that could not be parsed.
  struct Malformed {
    var subject: SchemaSubject
    var message: String
    var hint = "write // \(AllowComment.marker) RULE reason, or RULE(Todo.order) without a space"
    var location: SourceSpan?
  }

  struct Reading {
    var allowances: [SchemaAllowance] = []
    var malformed: [Malformed] = []
    fileprivate let file: String

    fileprivate mutating func add(
      _ comments: CloudSchema.Comments, _ subject: SchemaSubject, scope: String? = nil,
      at origin: CloudSchema.Origin?
    ) {
      guard !comments.isEmpty else { return }
      var place = AllowComment.Place(
        subject: subject, scope: scope ?? subject.description, span: origin?.name)
      for comment in comments.leading { add(comment, place) }
      for comment in [comments.trailing, comments.ending] {
        if let comment { add(comment, place) }
      }
      place.scope = nil
      for comment in comments.closing { add(comment, place) }
    }

    private mutating func add(_ comment: CloudSchema.Comment, _ place: AllowComment.Place) {
      add(comment: comment.text, place)
    }

    fileprivate mutating func add(comment: String, _ place: AllowComment.Place) {
      for line in comment.split(whereSeparator: \.isNewline) {
        let text = line.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "*") }
        if text.starts(with: AllowComment.marker.utf8) {
          let rest = text.dropFirst(AllowComment.marker.utf8.count)
          if rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true {
            add(Substring(rest), place)
            continue
          }
        }
        if AllowComment.looksLikeOne(Array(text)) {
          malformed("an allow comment is malformed", place)
        }
      }
    }

    /// Parses the text after the marker. Adds all allowances, or none if there is an error.
    private mutating func add(_ text: Substring, _ place: AllowComment.Place) {
      var words = text.split { $0 == " " || $0 == "\t" }[...]
      var names = ""
      repeat {
        names += words.popFirst() ?? ""
      } while names.utf8.last == UInt8(ascii: ",") && !words.isEmpty
      guard !names.isEmpty else { return malformed("an allow comment names no rule", place) }
      guard let reason = words.first else {
        return malformed("an allow comment for \(names) gives no reason", place)
      }
      guard reason.utf8.first != UInt8(ascii: "(") else {
        return malformed("an allow comment has a space before the subject '\(reason)'", place)
      }
      var read: [SchemaAllowance] = []
      let location = SchemaLocation(file: file, span: place.span ?? .start)
      for name in names.split(separator: ",", omittingEmptySubsequences: false) {
        let part = name.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        let id = SchemaRule.ID(rawValue: String(part[0]))
        guard SchemaRule.named(id) != nil else {
          return malformed("an allow comment names the unknown rule '\(part[0])'", place)
        }
        var scope = place.scope
        if part.count == 2 {
          scope = part[1].utf8.last == UInt8(ascii: ")") ? String(part[1].dropLast()) : ""
          if scope == "" {
            return malformed("an allow comment for \(id) has no subject in its parentheses", place)
          }
        }
        guard let scope else {
          var fault = AllowComment.Malformed(
            subject: place.subject,
            message: "an allow comment for \(id) follows the last element and names no subject",
            location: place.span)
          fault.hint = "write it above its element, or name the subject: \(id)(Todo.order)"
          malformed.append(fault)
          return
        }
        read.append(
          SchemaAllowance(
            rule: id, subject: scope, reason: words.joined(separator: " "),
            source: .comment(location)))
      }
      allowances += read
    }

    private mutating func malformed(_ message: String, _ place: AllowComment.Place) {
      malformed.append(
        AllowComment.Malformed(subject: place.subject, message: message, location: place.span))
    }
  }

  /// The subject that comments apply to, and its location.
  fileprivate struct Place {
    var subject: SchemaSubject
    /// The default scope of an allowance, or `nil` if it must be explicit.
    var scope: String?
    var span: SourceSpan?
  }

  static func read(_ document: SchemaDocument) -> Reading {
    var reading = Reading(file: document.name)
    // Most schemas have no comments, so this check often avoids the traversal.
    guard document.schema.hasComments else { return reading }
    let schema = document.schema
    reading.add(schema.comments, .schema, scope: "*", at: schema.origin)
    for role in schema.roles { reading.add(role.comments, .role(role.name), at: role.origin) }
    for type in schema.recordTypes {
      reading.add(type.comments, .type(type.name), at: type.origin)
      for field in type.fields where !field.comments.isEmpty {
        reading.add(field.comments, .field(field.name, of: type.name), at: field.origin)
      }
      for grant in type.grants where !grant.comments.isEmpty {
        reading.add(grant.comments, .grant(to: grant.role, on: type.name), at: grant.origin)
      }
    }
    return reading
  }

  /// The subject of an allowance that names none, in a comment of source code. No subject is empty.
  static let unnamedSubject = ""

  /// Reads a comment of source code.
  static func read(_ comment: SourceUses.Comment) -> Reading {
    var reading = Reading(file: comment.location.file)
    let place = Place(subject: .schema, scope: unnamedSubject, span: comment.location.span)
    reading.add(comment: comment.text, place)
    return reading
  }

  /// Returns whether a line contains a misspelled marker at its start, or anywhere before the name
  /// of a rule.
  fileprivate static func looksLikeOne(_ line: [UInt8]) -> Bool {
    let word = Array("recordpack".utf8)
    guard line.count >= word.count else { return false }
    for start in 0...(line.count - word.count)
    where line[start] | 0x20 == word[0] && zip(line[start...], word).allSatisfy({ $0 | 0x20 == $1 })
    {
      var rest = line[(start + word.count)...].drop { $0 == 0x20 }
      guard rest.first == UInt8(ascii: ":") else { continue }
      rest = rest.dropFirst().drop { $0 == 0x20 }
      guard rest.count >= 5, zip(rest, "allow".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
        continue
      }
      if !line[..<start].contains(where: isWordByte) { return true }
      let name = rest.dropFirst(5).drop { !isWordByte($0) }.prefix { isWordByte($0) }
      let id = SchemaRule.ID(rawValue: String(decoding: name, as: UTF8.self))
      if SchemaRule.named(id) != nil { return true }
    }
    return false
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    SchemaNames.isASCIILetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }
}

extension CloudSchema {
  fileprivate var hasComments: Bool {
    !comments.isEmpty || roles.contains { !$0.comments.isEmpty }
      || recordTypes.contains { type in
        !type.comments.isEmpty || type.fields.contains { !$0.comments.isEmpty }
          || type.grants.contains { !$0.comments.isEmpty }
      }
  }
}
