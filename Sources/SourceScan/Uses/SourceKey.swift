/// A key of a record, as the source code has it.
enum SourceKey {
  /// A name that is told, and the token that has it.
  case name(String, token: Int)
  /// A key that is not told.
  case computed(token: Int)
  /// A key of CloudKit itself, which every record has.
  case system
}

extension UseScanner {
  /// Returns the key that an expression has.
  func key(_ range: Range<Int>) -> SourceKey {
    var range = range
    // `"name" as String`
    if let cast = file.first(
      from: range.lowerBound, to: range.upperBound, where: { file.isName($0, "as") })
    {
      range = range.lowerBound..<cast
    }
    guard let first = file[range.lowerBound], !range.isEmpty else {
      return .computed(token: range.lowerBound)
    }
    if first.kind == .string, range.count == 1, first.isPlain {
      return .name(first.text, token: range.lowerBound)
    }
    guard let names = path(range) else { return .computed(token: range.lowerBound) }
    if names.contains("SystemFieldKey") || names.first == "CKShare" { return .system }
    if names.count > 1, names[0].isEmpty {
      return value(ofMember: names).map { .name($0, token: range.lowerBound) }
        ?? .computed(token: range.lowerBound)
    }
    return value(of: names).map { .name($0, token: range.lowerBound) }
      ?? .computed(token: range.lowerBound)
  }

  /// The names of an expression such as `Keys.name.rawValue`. Begins with an empty name for
  /// `.name`.
  private func path(_ range: Range<Int>) -> [String]? {
    var names: [String] = []
    var index = range.lowerBound
    if file.isSymbol(index, ".") {
      names.append("")
    } else {
      guard let name = file.name(index) else { return nil }
      names.append(name)
      index += 1
    }
    while index < range.upperBound {
      guard names.count < SourceIndex.maxDepth, file.isSymbol(index, "."),
        let name = file.name(index + 1)
      else { return nil }
      names.append(name)
      index += 2
    }
    return names
  }

  /// The value of an implicit member, such as `record[.name]`: a constant of a type of keys.
  private func value(ofMember names: [String]) -> String? {
    guard names.count == 2 || names.count == 3 && names[2] == "rawValue" else { return nil }
    let types = index.keyTypes.union(["FieldKey", "RecordType", "String"])
    let found = (index.constants[names[1]] ?? []).filter { types.contains($0.path.last ?? "") }
    return unique(found)
  }

  /// The value of a constant by its name, seen from the current position.
  private func value(of names: [String]) -> String? {
    var names = names
    var takesRawValue = false
    if names.count > 1, let last = names.last, ["rawValue", "stringValue"].contains(last) {
      names.removeLast()
      takesRawValue = true
    }
    if names.count == 1 {
      switch binding(names[0]) {
      case .text(let text): return text
      case nil: break
      default: return nil
      }
    }
    if names[0] == "Self" || names[0] == "self" {
      guard let type = currentType else { return nil }
      names[0] = type
    }
    guard let name = names.last else { return nil }
    let candidates = (index.constants[name] ?? []).filter {
      !$0.isCase || takesRawValue || index.keyTypes.contains($0.path.last ?? "")
    }
    if names.count == 1 { return value(ofBare: name, candidates) }
    let prefix = names.dropLast()
    let found = candidates.filter { $0.path.suffix(prefix.count).elementsEqual(prefix) }
    if let value = unique(found) { return value }
    // Of several types with the same name, that in the enclosing type.
    guard let type = currentType else { return nil }
    return unique(found.filter { $0.path.dropLast(prefix.count).last == type })
  }

  /// The value of a constant that is named alone: that of an enclosing type, or a global one.
  private func value(ofBare name: String, _ candidates: [SourceIndex.Constant]) -> String? {
    for scope in scopes.suffix(SourceIndex.maxDepth * 4).reversed() {
      guard let type = scope.type else { continue }
      let found = candidates.filter { $0.path.last == type && !$0.isCase }
      if !found.isEmpty { return unique(found) }
    }
    if index.otherNames.contains([name]) { return nil }
    return unique(candidates.filter(\.path.isEmpty))
  }

  private func unique(_ constants: [SourceIndex.Constant]) -> String? {
    guard let first = constants.first, constants.allSatisfy({ $0.value == first.value }) else {
      return nil
    }
    return first.value
  }
}
