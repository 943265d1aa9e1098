import RecordModel

import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.URL

/// The value of a field as Canopy encodes it: `{"key":…,"type":…,"value":…}`, without the key in a
/// list.
///
/// The tag of a number says how Swift could cast it, not which type the field has: a 1 of a real
/// record may have any of `bool`, `uint8` and the others. All of them are read as `INT64`, which is
/// what CloudKit stores.
enum CanopyValue {

  /// Reads a value.
  ///
  /// - Throws: ``RecordCodingError`` for what has another form, and for tags that are not known.
  static func read(_ json: JSONValue, isEncrypted: Bool) throws -> RecordValue {
    var context = MappingContext()
    context.mayShowValues = !isEncrypted
    return try read(json, context, mayBeList: true)
  }

  private static func read(
    _ json: JSONValue, _ context: MappingContext, mayBeList: Bool
  ) throws -> RecordValue {
    var members = try MemberReader(json, "a value")
    let tag = try members.required("type", String.self)
    return try members.require("value") { value in
      guard tag == "array", mayBeList else { return try scalar(value, tag, context) }
      let elements = try value.expectElements { json in
        try read(json, context, mayBeList: false)
      }
      guard let list = RecordValue(foundationList: elements) else {
        throw value.error(found: "a list of several types", expected: "one of a single type")
      }
      return list
    }
  }

  private static func scalar(
    _ json: JSONValue, _ tag: String, _ context: MappingContext
  ) throws -> RecordValue {
    switch tag {
    case "string": return .string(try String(json: json, context))
    case "bool": return .int64(try Bool(json: json, context) ? 1 : 0)
    case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
      return .int64(try Int64(json: json, context))
    case "double", "float": return .double(try Double(json: json, context))
    case "date": return .timestamp(try date(json))
    case "data": return .bytes(try Data(json: json, context))
    case "ckAsset": return .asset(Asset(downloadURL: try String(json: json, context)))
    case "ckRecordReference": return .reference(try CanopyArchive.reference(json))
    case "clLocation", "nsNumber", "nsString", "nsDate", "nsData":
      guard let value = try CanopyArchive.root(json).one({ try $0.scalarValue() }) else {
        throw json.error(found: "an archive of another class", expected: "one of '\(tag)'")
      }
      return value
    default:
      throw json.error(
        found: "a value of type \(RecordCodingError.quoted(tag))",
        expected: "a type that Canopy has")
    }
  }

  /// Reads a date: seconds since 2001, as Swift encodes it.
  static func date(_ json: JSONValue) throws -> Date {
    guard let text = json.numberText, let seconds = CanonicalNumber.double(from: text) else {
      throw json.error(expected: "a date: seconds since 2001 as a number")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  // MARK: Writing

  /// Returns the members `type` and `value`; nil for a value that Canopy has no form for.
  static func members(
    of value: RecordValue, _ losses: inout ResponseLosses
  ) throws -> [JSONValue.Member]? {
    guard let list = value.elements else { return try scalar(value, &losses) }
    var elements: [JSONValue] = []
    for element in list {
      guard let members = try scalar(element, &losses) else { return nil }
      elements.append(.object(members))
    }
    return tagged("array", .array(elements))
  }

  private static func scalar(
    _ value: RecordValue, _ losses: inout ResponseLosses
  ) throws -> [JSONValue.Member]? {
    switch value {
    case .string(let text): return tagged("string", .string(text))
    case .int64(let number): return tagged("int64", .integer(number))
    case .double(let number): return tagged("double", try number.jsonValue())
    case .timestamp(let date): return tagged("date", try self.value(of: date))
    case .bytes(let data): return tagged("data", .string(data.base64EncodedString()))
    case .location(let location):
      _ = try location.jsonValue()  // Throws for numbers that are not finite.
      losses.add(.details, location.otherMembers.count)
      return tagged("clLocation", archive(.location(location)))
    case .reference(let reference):
      losses.addDetails(of: reference)
      return tagged("ckRecordReference", archive(.reference(reference)))
    case .asset(let asset):
      guard let url = asset.downloadURL, URL(string: url) != nil else { return nil }
      if asset != Asset(downloadURL: url) { losses.add(.assets) }
      return tagged("ckAsset", .string(url))
    default: return nil
    }
  }

  /// Returns a date in seconds since 2001.
  static func value(of date: Date) throws -> JSONValue {
    try date.timeIntervalSinceReferenceDate.jsonValue()
  }

  /// Returns an archive of one object, as `NSKeyedArchiver` lays it out, in base64.
  static func archive(_ content: KeyedArchiveContent) -> JSONValue {
    var editor = KeyedArchiveEditor()
    editor.set("root", to: content)
    return .string(editor.archive().encoded().base64EncodedString())
  }

  private static func tagged(_ type: String, _ value: JSONValue) -> [JSONValue.Member] {
    [.init("type", .string(type)), .init("value", value)]
  }
}

extension ResponseLosses {
  /// Counts what an archived reference does not have.
  mutating func addDetails(of reference: Reference) {
    add(.details, reference.otherMembers.count + (reference.action == .validate ? 1 : 0))
  }
}
