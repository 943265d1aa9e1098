import RecordArchive
import RecordModel
import RecordSchema
import RecordText

extension ArchiveReport {
  /// The fields of each type: what their values are, in how many records, and how long.
  var fields: HTML {
    let schema = profile.info.schema.flatMap { SchemaDocument(parsing: $0).schema }
    let isOpen = profile.types.count <= 8
    let types: [HTML] = profile.types.prefix(Self.maxRows).map { type in
      """
      <details class="type"\("open", if: isOpen)><summary><strong>\(type.recordType)</strong> \
      <span class="quiet">\(Numbers.count(type.records, "record")), \
      \(Numbers.count(type.fields.count, "field"))</span></summary>
      \(table(type, schema))
      </details>
      """
    }
    let rest = profile.types.count - types.count
    let more: HTML? =
      rest > 0 ? "<p class=\"quiet\">and \(Numbers.grouped(rest)) more types</p>" : nil
    return types.isEmpty ? .empty : "\(types)\(more)"
  }

  private func table(_ type: TypeProfile, _ schema: CloudSchema?) -> HTML {
    var rows = type.fields.map { row($0, in: type) }
    let used = Set(type.fields.map { ExactString($0.name) })
    let defined = schema?.recordType(named: type.recordType)?.userFields ?? []
    for field in defined where !used.contains(ExactString(field.name)) {
      rows.append(
        """
        <tr class="quiet"><th scope="row">\(field.name)</th>\
        <td>\(CloudSchema.FieldType(field.type.primitive, isList: field.type.isList).description)</td>\
        <td>\(field.type.isEncrypted ? "encrypted" : "")</td>\
        <td>in no record</td><td></td><td></td></tr>
        """)
    }
    if type.otherFields > 0 {
      rows.append(
        "<tr class=\"quiet\"><td colspan=\"6\">\(Numbers.grouped(type.otherFields)) values in other "
          + "fields</td></tr>")
    }
    guard !rows.isEmpty else { return "<p class=\"quiet\">No fields.</p>" }
    return """
      <div class="scroll"><table class="fields"><thead><tr><th scope="col">Field</th>\
      <th scope="col">Type</th><th scope="col"><span class="hidden">Encryption</span></th>\
      <th scope="col">Records with it</th><th scope="col" class="number">Average length</th>\
      <th scope="col" class="number">Longest</th></tr></thead>
      <tbody>
      \(rows)
      </tbody></table></div>
      """
  }

  /// One line for each type of value.
  private func row(_ field: FieldProfile, in type: TypeProfile) -> HTML {
    let span: HTML =
      field.kinds.count > 1 ? " rowspan=\"\(field.kinds.count)\"" : .empty
    let lines: [HTML] = field.kinds.enumerated().map { number, kind in
      let name: HTML? = number == 0 ? "<th scope=\"row\"\(span)>\(field.name)</th>" : nil
      let isEncrypted: HTML? = kind.isEncrypted ? "<span class=\"badge\">encrypted</span>" : nil
      let width = HTML(
        markup: Numbers.fixed(Double(kind.records) / Double(max(1, type.records)) * 100, 1))
      return """
        <tr>\(name)<td>\(kind.text)</td><td>\(isEncrypted)</td>\
        <td><span class="meter" aria-hidden="true"><i style="width:\(width)%"></i></span> \
        \(Numbers.grouped(kind.records)) \
        <span class="quiet">\(BarChart.percent(kind.records, of: type.records))</span></td>\
        <td class="number">\(kind.averageText)</td><td class="number">\(kind.longestText)</td></tr>
        """
    }
    return "\(lines)"
  }
}

extension FieldProfile.Kind {
  /// The type, as in a schema: `STRING`, `LIST<STRING>`.
  var text: String {
    if let element = type?.elementType { return "LIST<\(element.rawValue)>" }
    return type == .emptyList ? "empty list" : typeName
  }

  /// The average length; nil if values of the type have none.
  var averageLength: Int? {
    measured > 0 ? length.clampedSum(measured / 2) / measured : nil
  }

  fileprivate var averageText: String { averageLength.map(text(ofLength:)) ?? "" }
  fileprivate var longestText: String { measured > 0 ? text(ofLength: maxLength) : "" }

  private func text(ofLength length: Int) -> String {
    type?.isList == true ? Numbers.count(length, "element") : Numbers.size(length)
  }
}
