import RecordModel
import RecordSchema

extension RecipeLearner {
  /// Returns the rules of a type's fields, by their names: together, their values fit in a record.
  func rules(
    of fields: [CloudSchema.Field], in type: String, _ census: TypeCensus,
    _ parents: [String: String], _ homes: LearnedHomes
  ) -> [String: FieldRule] {
    let ancestors = ancestors(of: type, parents)
    let isPublic = homes.home(of: type) == .publicDatabase
    let known = fields.filter { !isPublic || !$0.type.isEncrypted }
    let limits = RecordLimits.cloudKit
    var maxReferences = limits.referenceCount
    func rule(_ field: CloudSchema.Field, maxSize: Int) -> FieldRule {
      let found = census.fields[field.name] ?? FieldCensus()
      let target = target(of: found).flatMap {
        homes.home(of: $0) == homes.home(of: type) ? $0 : nil
      }
      return found.rule(
        guess(of: field, in: type, parent: ancestors.first), field,
        .init(
          records: census.records, target: target, ancestors: ancestors,
          fileKind: kind(of: found.files), maxReferences: maxReferences,
          maxSize: max(0, maxSize - field.name.utf8.count)))
    }
    // The most references of all lists together, then the most bytes of all fields.
    let references = known.filter { $0.type.primitive == .reference }
    let lists = references.filter(\.type.isList)
      .map { rule($0, maxSize: limits.recordSize).length?.bounds.upperBound ?? 16 }
    maxReferences = Self.share(limits.referenceCount - references.count, lists)
    let sizes = known.map { field in
      ValueSize(locale: .en, hasEdgeCases: false)
        .most(rule(field, maxSize: limits.recordSize), isList: field.type.isList)
        + field.name.utf8.count
    }
    let most = Self.share(limits.recordSize, sizes)
    var rules: [String: FieldRule] = [:]
    for field in fields { rules[field.name] = FieldRule(value: .none) }
    for field in known { rules[field.name] = rule(field, maxSize: most) }
    return rules
  }

  /// Returns the greatest number such that numbers that are cut to it have at most a sum.
  static func share(_ sum: Int, _ numbers: [Int]) -> Int {
    var rest = sum
    for (place, number) in numbers.sorted().enumerated() {
      let part = rest / (numbers.count - place)
      guard number <= part else { return max(0, part) }
      rest -= number
    }
    return max(0, sum)
  }

  /// Returns the kind of most files, where the bytes of some are there.
  private func kind(of files: Set<String>) -> AssetKind? {
    var counts: [AssetKind: Int] = [:]
    for file in files { if let kind = fileKinds[file] { counts[kind, default: 0] += 1 } }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }
}

extension AssetKind {
  /// The kind of a file, by its first bytes.
  init(first bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      // The end may be in the middle of a character.
      let isText = (0...3).contains { cut in
        String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
      }
      let isControl = bytes.contains { (byte: UInt8) in byte < 9 || (14..<32).contains(byte) }
      self = isText && !isControl && !bytes.isEmpty ? .text : .bytes
    }
  }
}
