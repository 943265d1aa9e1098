import RecordSchema

@testable import AppModel

/// The uses of some source code, one per line: the line, how it is used, the record type or `?`, and
/// the field. An asterisk stands behind an encrypted field.
func scanned(_ sources: String...) -> [String] {
  let files = sources.enumerated().map {
    (name: "\($0.offset).swift", bytes: Array($0.element.utf8))
  }
  return SourceScan(files: files, named: "Sources").uses.uses.map { use in
    let field = use.field.map { "." + $0 + (use.isEncrypted == true ? "*" : "") } ?? ""
    return "\(use.location.span.line) \(use.access) \(use.recordType ?? "?")\(field)"
  }
}

/// The number of computed names in some source code.
func computed(_ source: String) -> Int {
  SourceScan(files: [("a.swift", Array(source.utf8))], named: "a").uses.computed.count
}
