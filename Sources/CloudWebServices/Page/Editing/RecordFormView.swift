import Foundation
import RecordModel
import RecordPages
import RecordSchema

/// The form in which a record is made, changed or duplicated.
struct RecordFormView {
  let context: ConsoleRequest

  /// Opens the form that the address asks for.
  func html() throws -> HTML {
    guard context.value("name") != nil else {
      let zone = try context.zone()
      guard let type = context.value("type") else { return try choice(of: zone) }
      return html(try RecordForm(newOf: type, in: zone, context))
    }
    let (record, database) = try context.storedRecord()
    let isCopy = context.value("copy") != nil
    guard !record.isShare else {
      throw WebError(.badRequest, "a share is changed where it is shared")
    }
    return html(try RecordForm(record, in: database, isCopy: isCopy, context))
  }

  /// Asks for the type of a new record.
  private func choice(of zone: ZoneLocation) throws -> HTML {
    let types = try context.served.container.currentSchema?.recordTypes.map(\.name) ?? []
    let options = types.map { "<option value=\"\(HTML(editable: $0))\">" as HTML }
    return context.editingPage(
      "New record", trail: context.trail(zone),
      """
      <form method="get" action="\(context.link(.edit))">\(ConsoleRequest.hidden(context.items(zone)))
      <label class="wide">Record type<input name="type" list="types" required autocomplete="off">
      <datalist id="types">\(options)</datalist></label>
      <button>Next</button></form>
      """)
  }

  /// Shows a form, with the response to one that was sent.
  ///
  /// - Parameter current: the record as it is now, if it has changed since the form was opened.
  func html(
    _ form: RecordForm, answer: ServiceReply? = nil, current: ResultRecord? = nil
  ) -> HTML {
    let title =
      form.isNew ? "New \(form.recordType)" : "Edit \(form.recordName)"
    let fields = form.fields.enumerated().map { index, field in
      FieldInputView(field: field, id: "field-\(index)").html
    }
    return context.editingPage(
      title, trail: context.trail(form.zone),
      """
      <p>Record of type <bdi>\(form.recordType)</bdi>, saved as \(context.actor.words)</p>
      \(problems(form, answer))
      \(current.map { conflict(form, $0) })
      <form method="post" action="\(context.path(of: .save))" enctype="multipart/form-data" \
      class="record" data-find="\(context.link(.find, [("in", form.zone.formText)]))">
      \(Self.enterButton)
      \(hidden(form, current))
      \(nameInput(form))
      \(fields)
      \(newField)
      <fieldset class="field"><legend>Parent</legend><div class="inputs">
      <label>Record name<input name="parent" value="\(HTML(editable: form.parentName))" \
      autocomplete="off" spellcheck="false" data-find="1"></label>
      </div></fieldset>
      <p class="buttons"><button name="step" value="save">Save</button>
      \(current == nil ? nil : overwrite)
      <a class="button plain" href="\(back(form))">Cancel</a></p>
      </form>
      """)
  }

  private func hidden(_ form: RecordForm, _ current: ResultRecord?) -> HTML {
    ConsoleRequest.hidden([
      ("as", context.actor.choice), ("type", form.recordType),
      ("record", form.isNew ? nil : form.recordName.percentEncoded),
      ("zone", form.isNew ? nil : form.zone.formText), ("tag", form.tag),
      ("source", form.source?.formText), ("source-tag", form.source.map { _ in form.sourceTag }),
      ("fields", form.fields.map(\.name.percentEncoded).joined(separator: ",")),
      ("current-tag", current?.recordChangeTag), ("opened-parent", form.openedParent),
    ])
  }

  /// The button that comes first sends a form on Enter, and must not be that of a list.
  private static let enterButton: HTML = """
    <button name="step" value="save" class="hidden" tabindex="-1" aria-hidden="true">Save</button>
    """

  private func nameInput(_ form: RecordForm) -> HTML? {
    guard form.isNew else { return nil }
    return """
      <fieldset class="field"><legend>Identity</legend><div class="inputs">
      <label>Record name<input name="name" value="\(HTML(editable: form.recordName))" \
      placeholder="made when it is saved" maxlength="255" autocomplete="off" spellcheck="false">
      </label>
      \(context.zoneChoice(form.zone))</div></fieldset>
      """
  }

  private var newField: HTML {
    let types = CloudSchema.Primitive.allCases.filter { $0 != .number }.flatMap { primitive in
      [false, true].map { CloudSchema.FieldType(primitive, isList: $0) }
    }
    return """
      <details class="field"><summary>A field that is not here</summary><div class="inputs">
      <label>Field name<input name="new-field" autocomplete="off" spellcheck="false"></label>
      \(ConsoleRequest.select("new-type", "Type", types.map { ($0.serverName, $0.description) }))
      <button class="plain" name="step" value="field" formnovalidate>Add the field</button>
      </div></details>
      """
  }

  private func back(_ form: RecordForm) -> String {
    if form.isNew, form.source == nil {
      return context.link(.records, context.items(form.zone, type: form.recordType))
    }
    let record = form.source ?? RecordLocation(form.zone.database, form.recordID)
    return context.link(to: record.recordID, in: record.database)
  }

  // MARK: Problems

  private func problems(_ form: RecordForm, _ answer: ServiceReply?) -> HTML? {
    let fields = form.fields.enumerated().filter { $0.element.error != nil }
    guard !form.errors.isEmpty || !fields.isEmpty || answer != nil else { return nil }
    let items = fields.map { index, field -> HTML in
      "<li><a href=\"#field-\(index)\"><bdi>\(field.name)</bdi></a>: \(field.error ?? "")</li>"
    }
    let errors = form.errors.map { "<li>\($0)</li>" as HTML }
    let hasFiles = form.fields.contains { $0.items.contains { $0.file != nil } }
    return """
      <div role="alert" class="problem"><p>The record is not saved.</p>
      <ul>\(errors)\(items)</ul></div>
      \(when: hasFiles, "<p>Choose files again.</p>")
      \(answer.flatMap { RequestsView(context: context).exchange($0.number) })
      """
  }

  // MARK: Conflicts

  private var overwrite: HTML {
    "<button class=\"plain\" name=\"step\" value=\"overwrite\">Save over the other change</button>"
  }

  /// Shows the values of the form beside those that the record has now.
  private func conflict(_ form: RecordForm, _ current: ResultRecord) -> HTML {
    let names = form.fields.map(\.name)
    let others = current.fields.map(\.name).filter { name in
      !names.contains { $0.sameScalars(as: name) }
    }
    var table = HTMLTable(["Field", "Yours", "In the container now"], label: "Both versions")
    for name in names + others {
      let input = form.fields.first { $0.name.sameScalars(as: name) }
      let field = current.field(named: name)
      table.add(
        "<bdi>\(name)</bdi>", input.map(mine) ?? .empty,
        field.map { theirs($0, current, form) } ?? "<span class=\"quiet\">no value</span>",
        isTitled: true)
    }
    return """
      <h2>Both versions</h2>
      <p>The record has changed since the form was opened. You can save over the other change: \
      the fields that you have changed then get your values.</p>
      \(table.html)
      """
  }

  private func mine(_ field: FieldInput) -> HTML {
    if field.isUnchanged { return "<span class=\"quiet\">not changed by you</span>" }
    guard !field.type.isEncrypted else { return ConsoleRequest.covered }
    guard case .set(let value)? = try? field.outcome(in: .default, visible: { $0 }) else {
      return field.type.primitive == .asset ? "files" : "<span class=\"quiet\">no value</span>"
    }
    let lines = context.fieldText.lines(Field(name: field.name, value: value))
    return "\(lines.prefix(20).map { "<bdi>\(String($0.prefix(2000)))</bdi><br>" as HTML })"
  }

  private func theirs(_ field: Field, _ record: ResultRecord, _ form: RecordForm) -> HTML {
    if field.isEncrypted { return ConsoleRequest.covered }
    return FieldView(context: context, record: record, database: form.zone.database).html(field)
  }
}

extension ConsoleRequest {
  /// - Throws: ``WebError``: `NOT_FOUND` where nothing can be changed.
  func requireEditing() throws {
    guard canEdit else {
      throw WebError(
        .notFound, "nothing can be changed here: the container is open for reading only")
    }
  }

  /// A page for changes, which does not change while it is looked at.
  func editingPage(_ title: String, trail: [HTML] = [], _ content: HTML) -> HTML {
    page(
      title, trail: trail, live: nil,
      foot: "\(content)\n\(Self.formScript)")
  }

  /// The script for the comforts of forms.
  static let formScript: HTML = "<script src=\"/page/edit.js\" defer></script>"

  /// The choice of the zone of a new record, the most useful zones first.
  func zoneChoice(_ selected: ZoneLocation) -> HTML {
    var zones = ((try? zones()) ?? []).filter { (try? canWrite(in: $0)) ?? false }
    for zone in [ZoneLocation(.public, .default), ZoneLocation(.private, .default), selected]
    where !zones.contains(zone) {
      zones.append(zone)
    }
    // A long list helps nobody; the zone that was asked for is among them.
    let shown = zones.filter { $0 == selected } + zones.filter { $0 != selected }.prefix(500)
    let choices = shown.map { zone in
      let isOwn = zone.zoneID.ownerName == ZoneID.currentUserOwnerName
      let owner = isOwn ? "" : " of \(zone.zoneID.ownerName)"
      return (zone.formText, "\(zone.database.rawValue): \(zone.zoneID.zoneName)\(owner)")
    }
    return Self.select("zone", "Zone", choices, selected: selected.formText)
  }
}
