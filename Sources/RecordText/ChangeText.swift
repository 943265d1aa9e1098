import RecordArchive
import RecordModel

/// Formats a difference as one line, and changed values as further lines.
package struct ChangeText {
  package let style: TerminalStyle
  package let showEncrypted: Bool

  package init(style: TerminalStyle, showEncrypted: Bool) {
    self.style = style
    self.showEncrypted = showEncrypted
  }

  /// The length above which values are printed on separate lines, in columns.
  private static let shortValue = 36

  /// The number of characters to show before the first difference of two strings.
  private static let context = 24

  /// The text, truncated; in quotation marks if it, or its end, would not be seen.
  private static func unmistakable(_ text: String) -> String {
    let shown = FieldText.truncated(text)
    let isClear = !shown.isEmpty && shown.first != " " && shown.last != " "
    return isClear ? shown : "\"\(shown)\""
  }

  private var words: FieldText { FieldText(showEncrypted: showEncrypted) }

  /// - Parameter mostFields: the number of fields of a record above which the others are counted
  ///   only.
  package func lines(_ change: ArchiveChange, mostFields: Int = .max) -> [String] {
    switch change {
    case .item(let kind, let item, let changes):
      // A schema is a text of many lines, which `schema diff` compares.
      return [title(kind, Self.name(item, changes))] + lines(changes.filter { $0.name != "schema" })
    case .recordAdded(let record, let database):
      return [title(.added, name(record, database))]
        + values(of: RecordDifference(of: record, isAdded: true), most: mostFields)
    case .recordRemoved(let record, let database):
      return [title(.removed, name(record, database))]
        + values(of: RecordDifference(of: record, isAdded: false), most: mostFields)
    case .recordChanged(let difference, let type, let database):
      return [title(.changed, RecordLocation(database, difference.recordID).text(type))]
        + values(of: difference, most: mostFields)
    }
  }

  /// Something that is not a record: its kind, and the parts of its identity.
  private static func name(_ item: ArchiveChange.Item, _ changes: [MemberChange]) -> String {
    if item.kind == .container {
      return "container: \(changes.map(\.name.visible).joined(separator: ", "))"
    }
    let kind = item.kind == .zoneTombstone ? "zone tombstone" : item.kind.rawValue
    let parts = [
      item.database?.rawValue, item.zoneID?.description, item.name.isEmpty ? nil : item.name,
      item.size.map(Numbers.size),
    ]
    return ([kind] + parts.compactMap { $0?.visible }).joined(separator: " ")
  }

  private func title(_ kind: ArchiveChange.Kind, _ text: String) -> String {
    let text = text.unmistakable
    return switch kind {
    case .added: style.paint("+ \(text)", .green)
    case .removed: style.paint("- \(text)", .red)
    case .changed: style.paint("~ \(text)", .yellow)
    }
  }

  private func name(_ record: ResultRecord, _ database: DatabaseScope) -> String {
    RecordLocation(database, record).text(record.recordType)
  }

  /// The changed members of something that is no record, each as one or two indented lines.
  private func lines(_ changes: [MemberChange]) -> [String] {
    let width = width(of: changes.map(\.name))
    return changes.flatMap { plainValues($0.name, width, $0.before?.text, $0.after?.text) }
  }

  /// The changed values of a record, each as one or two indented lines.
  ///
  /// - Parameter most: the number of fields above which the others are counted only.
  package func values(of difference: RecordDifference, most: Int = .max) -> [String] {
    var lines: [String] = []
    let fields = difference.fields.prefix(most)
    let width = width(of: difference.system.map(\.field.name) + fields.map(\.name))
    for change in difference.system {
      lines += plainValues(change.field.name, width, change.before, change.after)
    }
    for change in fields {
      lines += values(
        change.name, width, text(change.before, change), text(change.after, change)
      ) {
        guard let before = change.before, let after = change.after else { return "" }
        return ExactDifference(showEncrypted: showEncrypted).words(before, after)
      }
    }
    let rest = difference.fields.count - fields.count
    if rest > 0 { lines.append("    … \(Numbers.grouped(rest)) more fields") }
    return lines
  }

  private func width(of names: [String]) -> Int { min(28, names.map(\.visible.columns).max() ?? 0) }

  /// The values of something that is no field.
  private func plainValues(
    _ name: String, _ width: Int, _ before: String?, _ after: String?
  ) -> [String] {
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    let (old, new) = (
      before.map { disclosure.shown($0, named: name) },
      after.map { disclosure.shown($0, named: name) }
    )
    return values(
      name, width, old.map(Self.unmistakable), new.map(Self.unmistakable), isPlain: true
    ) { ExactDifference.words(old ?? "", new ?? "") }
  }

  /// The value, with its type if that differs.
  private func text(_ field: Field?, _ change: RecordDifference.FieldChange) -> String? {
    guard let field else { return nil }
    let value = words.line(field)
    guard let before = change.before, let after = change.after else { return value }
    if let excerpt = excerpt(of: field, before, after) { return excerpt }
    let isSameType =
      before.value.typeName == after.value.typeName && before.isEncrypted == after.isEncrypted
    if !isSameType {
      return "\(value) (\(field.isEncrypted ? "ENCRYPTED " : "")\(field.value.typeName.visible))"
    }
    return value
  }

  /// The excerpt of a long string that starts shortly before the first difference.
  private func excerpt(of field: Field, _ before: Field, _ after: Field) -> String? {
    guard showEncrypted || !field.isEncrypted, before.isEncrypted == after.isEncrypted,
      case .string(let text) = field.value,
      case .string(let a) = before.value, case .string(let b) = after.value
    else { return nil }
    let common = zip(a.unicodeScalars, b.unicodeScalars).prefix { $0 == $1 }.count
    guard common > 2 * Self.context else { return nil }
    return "…" + words.quoted(String(text.unicodeScalars.dropFirst(common - Self.context)))
  }

  /// - Parameter exact: says how two values differ that look the same.
  private func values(
    _ name: String, _ width: Int, _ before: String?, _ after: String?, isPlain: Bool = false,
    _ exact: () -> String
  ) -> [String] {
    let name = name.visible
    let padding = String(repeating: " ", count: max(0, width - name.columns))
    let label = "    " + style.paint(name, isPlain ? .dim : nil) + padding + "  "
    switch (before, after) {
    case (let before?, let after?) where before.looksLike(after):
      return [label + style.paint("\(before), \(exact().visible)", .yellow)]
    case (let before?, let after?)
    where before.columns <= Self.shortValue && after.columns <= Self.shortValue:
      return [label + style.paint(before, .red) + " → " + style.paint(after, .green)]
    case (let before?, let after?):
      return [
        label + style.paint("- \(before)", .red),
        String(repeating: " ", count: 6 + width) + style.paint("+ \(after)", .green),
      ]
    case (let before?, nil): return [label + style.paint("- \(before)", .red)]
    case (nil, let after?): return [label + style.paint("+ \(after)", .green)]
    case (nil, nil): return []
    }
  }
}
