import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// A field in the form of a record: its inputs, and whether they are a change.
struct FieldInput {
  /// The result of a field whose inputs are empty.
  enum Blank: String {
    /// The record has no value. CloudKit does not tell null from a field that is not there.
    case none
    /// An empty text, no bytes, or an empty list.
    case empty
    /// The value that the record has, which is not shown.
    case keep
  }

  let name: String
  let type: CloudSchema.FieldType
  /// Whether the record has a value that the form does not show: an encrypted one, or an asset.
  var hasCovered = false
  var items: [FieldItem] = []
  /// The JSON of a list with too many elements for inputs of their own; nil for other fields.
  var listText: String?
  var blank = Blank.none
  /// The digest of the inputs when the form was opened; nil for a field of a new record that is not a
  /// copy.
  var opened: String?
  var error: String?

  /// The number of elements of a list that have inputs of their own.
  static let maxItems = 100

  init(_ name: String, _ type: CloudSchema.FieldType) {
    self.name = name
    self.type = type
    if !type.isList { items = [FieldItem()] }
  }

  /// Creates the inputs for a field of a record.
  ///
  /// - Parameter declared: the type of the field in the schema; nil for that of the value.
  /// - Returns: nil for a value of an unknown type, which no form can show.
  init?(_ field: Field, declared: CloudSchema.FieldType?, in zoneID: ZoneID) {
    guard let type = declared ?? CloudSchema.FieldType(field) else { return nil }
    self.init(field.name, type)
    hasCovered = field.isEncrypted || field.value.isOfAssets
    if hasCovered { blank = .keep }
    if field.isEncrypted { return }
    let elements = field.value.elements
    items = (elements ?? [field.value]).enumerated().map { FieldItem($1, at: $0, in: zoneID) }
    if elements != nil || !hasCovered {
      blank = elements?.isEmpty ?? (field.value == emptyValue) ? .empty : .none
    }
    if items.count > Self.maxItems, !hasCovered {
      listText = (try? field.dictionary(in: zoneID))?["value"]?.compactText
      items = []
    }
  }

  /// An empty text, no bytes, or an empty list; nil for a type without such a value.
  var emptyValue: RecordValue? {
    if type.isList { return try? list([]) }
    switch type.primitive {
    case .string: return .string("")
    case .bytes: return .bytes(Data())
    default: return nil
    }
  }

  /// The digest of the inputs, by which a change is found.
  var digest: String {
    var texts = [blank.rawValue, listText ?? "-"]
    for item in items where !item.isRemoved {
      texts.append("item \(item.storedAsset.map { "\($0.place)" } ?? "")")
      // A form sends the zone of a date and the action of a reference even if nothing was entered.
      let entered = item.isBlank ? [:] : item.texts
      for (name, text) in entered.sorted(by: { $0.key < $1.key }) where !text.isEmpty {
        let isDate = type.primitive == .timestamp && name == "text"
        texts += [name, isDate ? DateInput.normalized(text) : text]
      }
      // A file is a change, whatever its content.
      if item.file != nil { texts.append("file") }
    }
    let text = texts.map { "\($0.utf8.count):\($0)" }.joined()
    return Data(text.utf8).withUnsafeBytes { String("\(SHA256Digest(of: $0))".prefix(32)) }
  }

  /// Whether the inputs are those of the form when it was opened.
  var isUnchanged: Bool { opened == digest }

  // MARK: Values

  /// The action that the field needs when the form is sent.
  enum Outcome {
    /// The record keeps the value that it has.
    case keep
    case remove
    case set(RecordValue)
    /// The assets of the field: files to upload, and places among those that the record has.
    case assets([AssetSource])
  }

  enum AssetSource {
    case stored(place: Int)
    case file(Data)
  }

  /// Returns the outcome of the inputs.
  ///
  /// - Throws: ``InputError``.
  func outcome(in zoneID: ZoneID, visible: (ZoneID) -> ZoneID) throws -> Outcome {
    if let listText { return .set(try list(of: listText, in: zoneID)) }
    let entered = items.filter { !$0.isRemoved }
    if type.primitive == .asset { return assets(entered) }
    if !type.isList {
      guard let item = entered.first, !item.isBlank else { return blankOutcome }
      return try item.value(type.primitive, in: zoneID, visible: visible).map(Outcome.set)
        ?? blankOutcome
    }
    guard !entered.isEmpty else { return blankOutcome }
    let values = try entered.compactMap {
      try $0.value(type.primitive, in: zoneID, visible: visible)
    }
    guard values.count == entered.count else {
      throw InputError("An element of the list is empty.")
    }
    return .set(try list(values))
  }

  private var blankOutcome: Outcome {
    switch blank {
    case .keep: .keep
    case .none: .remove
    case .empty: emptyValue.map(Outcome.set) ?? .remove
    }
  }

  private func assets(_ items: [FieldItem]) -> Outcome {
    let sources = items.compactMap(\.source)
    // A stored asset without another file is like nothing that was entered.
    if !type.isList, case .stored? = sources.first { return blankOutcome }
    return sources.isEmpty ? blankOutcome : .assets(sources)
  }

  /// Reads the JSON of a long list.
  private func list(of text: String, in zoneID: ZoneID) throws -> RecordValue {
    var context = DecodingContext(zoneID: zoneID)
    context.mayShowValues = false
    let element = type.primitive.rawValue
    do {
      let elements = try WebServicesHandler.parse(Data(text.utf8))
      return try RecordValue(json: ["type": element + "_LIST", "value": elements], context)
    } catch {
      throw InputError("The list is not the JSON of a list of \(element).")
    }
  }

  private func list(_ values: [RecordValue]) throws -> RecordValue {
    var values = values
    var primitive = type.primitive
    if primitive == .number {
      let areIntegers = values.allSatisfy { $0.type == .int64 }
      primitive = areIntegers ? .int64 : .double
      if !areIntegers {
        values = try values.map {
          guard case .int64(let number) = $0 else { return $0 }
          guard let double = Double(exactly: number) else {
            throw InputError("A list with fractions cannot have the integer \(number).")
          }
          return .double(double)
        }
      }
    }
    guard let type = ValueType(rawValue: primitive.rawValue),
      let list = RecordValue(list: values, of: type)
    else { throw InputError("The elements of the list are not of one type.") }
    return list
  }
}

extension FieldItem {
  /// The file that was chosen, or else the stored asset; nil for neither.
  fileprivate var source: FieldInput.AssetSource? {
    file.map { .file($0) } ?? storedAsset.map { .stored(place: $0.place) }
  }
}
