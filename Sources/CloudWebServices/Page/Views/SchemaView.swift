import RecordPages

/// The schema of a container.
struct SchemaView {
  let context: PageContext

  func html() throws -> HTML {
    guard let text = try context.store.info().schema else {
      return context.page(
        "Schema",
        live: """
          <p>The container has no schema: every field is allowed. \
          <code>recordpack schema infer</code> makes one from the records.</p>
          """)
    }
    return context.page("Schema", live: "<pre>\(HTML(text: text, keepsLines: true))</pre>")
  }
}
