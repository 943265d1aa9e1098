import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// A mistake in an input of a form.
struct InputError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The inputs of one value: that of a field, or an element of a list.
struct FieldItem {
  /// The texts of the inputs by their names; the inputs depend on the type.
  var texts: [String: String] = [:]
  /// The content of the file that was chosen for an asset.
  var file: Data?
  /// The asset that the record has: its place among the assets of the field, and its size.
  var storedAsset: (place: Int, size: Int64?)?
  /// Whether the element of a list is removed.
  var isRemoved = false
  /// Whether the value has characters that an input cannot have, and that are shown as others.
  var isLossy = false

  subscript(name: String) -> String {
    get { texts[name] ?? "" }
    set { texts[name] = newValue }
  }

  /// Whether nothing was entered.
  var isBlank: Bool {
    // The zone of a date and the action of a reference have values from the start.
    let entered = texts.filter { !["timezone", "action"].contains($0.key) }
    return entered.allSatisfy { $0.value.isEmpty } && file == nil && storedAsset == nil
  }
}

// MARK: - Values into texts

extension FieldItem {
  /// Creates the inputs for the value of a field, or an element of it.
  ///
  /// - Parameters:
  ///   - place: the place among the elements of the field.
  ///   - zoneID: the zone of the record, which references do not name.
  init(_ value: RecordValue, at place: Int, in zoneID: ZoneID) {
    switch value {
    case .string(let text): show(text, "text")
    case .int64(let number): self["text"] = "\(number)"
    case .double(let number): self["text"] = "\(number)"
    case .bytes(let data): self["text"] = data.base64EncodedString()
    case .timestamp(let date):
      self["text"] = DateInput.text(date)
      self["timezone"] = "UTC"
    case .location(let location):
      self["latitude"] = "\(location.latitude)"
      self["longitude"] = "\(location.longitude)"
      for (name, _, path) in ValueInput.locationParts {
        self[name] = location[keyPath: path].map { "\($0)" } ?? ""
      }
      self["timestamp"] = location.timestamp.map(DateInput.text) ?? ""
    case .reference(let reference):
      show(reference.recordID.recordName, "text")
      self["action"] = reference.action.rawValue
      if reference.recordID.zoneID != zoneID {
        show(reference.recordID.zoneID.zoneName, "zone")
        show(reference.recordID.zoneID.ownerName, "owner")
      }
    case .asset(let asset): storedAsset = (place, asset.size)
    default: break
    }
  }

  /// Sets a text as an input has it: browsers make line feeds of all line breaks, and a document has
  /// neither NUL nor noncharacters.
  private mutating func show(_ text: String, _ name: String) {
    let shown = text.replacing("\r\n", with: "\n").unicodeScalars.map { scalar in
      let isOther = scalar == "\0" || scalar.properties.isNoncharacterCodePoint
      return scalar == "\r" ? "\n" : isOther ? "\u{FFFD}" : scalar
    }
    self[name] = String(String.UnicodeScalarView(shown))
    if !self[name].sameScalars(as: text) { isLossy = true }
  }
}

// MARK: - Texts into values

extension FieldItem {
  /// Returns the value that was entered; nil for an input without one, and for an asset.
  ///
  /// - Parameters:
  ///   - zoneID: the zone of the record, for a reference that names none.
  ///   - visible: returns the identifier by which the actor names a zone.
  /// - Throws: ``InputError``. It does not quote the input, which may be secret.
  func value(
    _ primitive: CloudSchema.Primitive, in zoneID: ZoneID, visible: (ZoneID) -> ZoneID
  ) throws -> RecordValue? {
    let text = self["text"]
    switch primitive {
    case .string: return .string(text)
    case .int64:
      return try number(text).map { text in
        guard let number = Int64(text) else {
          throw InputError("An integer is from \(Int64.min) to \(Int64.max).")
        }
        return .int64(number)
      }
    case .double: return try number(text).map { .double(try Self.double($0)) }
    case .number:
      return try number(text).map { text in
        try Int64(text).map(RecordValue.int64) ?? .double(Self.double(text))
      }
    case .bytes:
      let letters = text.filter { !$0.isWhitespace }
      guard let data = Base64.data(from: letters) else {
        throw InputError("Bytes are entered in base64.")
      }
      return .bytes(data)
    case .timestamp:
      return try number(text).map { .timestamp(try DateInput.date($0, in: self["timezone"])) }
    case .location: return try location().map(RecordValue.location)
    case .reference: return try reference(zoneID, visible).map(RecordValue.reference)
    case .asset: return nil
    }
  }

  private func number(_ text: String) throws -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    return trimmed.isEmpty ? nil : trimmed
  }

  private static func double(_ text: String) throws -> Double {
    // Without this, hexadecimal numbers are read, too.
    let isDecimal = text.utf8.allSatisfy("0123456789+-.eE".utf8.contains)
    guard isDecimal, let number = Double(text), number.isFinite else {
      throw InputError("A number is written as 12.5 or 1e9.")
    }
    return number
  }

  private func location() throws -> Location? {
    func part(_ name: String) throws -> Double? { try number(self[name]).map(Self.double) }
    let (latitude, longitude) = (try part("latitude"), try part("longitude"))
    guard let latitude, let longitude else {
      guard isBlank else { throw InputError("A location has a latitude and a longitude.") }
      return nil
    }
    var location = Location(latitude: latitude, longitude: longitude)
    for (name, _, path) in ValueInput.locationParts { location[keyPath: path] = try part(name) }
    location.timestamp = try number(self["timestamp"]).map { try DateInput.date($0, in: "UTC") }
    return location
  }

  private func reference(
    _ zoneID: ZoneID, _ visible: (ZoneID) -> ZoneID
  ) throws -> Reference? {
    let name = self["text"]
    guard !name.isEmpty else {
      guard self["zone"].isEmpty else { throw InputError("A reference has a record name.") }
      return nil
    }
    guard let action = Reference.Action(rawValue: self["action"].isEmpty ? "NONE" : self["action"])
    else { throw InputError("The action of a reference is NONE or DELETE_SELF.") }
    let owner = self["owner"].isEmpty ? zoneID.ownerName : self["owner"]
    let target =
      self["zone"].isEmpty ? zoneID : ZoneID(zoneName: self["zone"], ownerName: owner)
    return Reference(
      recordID: RecordID(recordName: name, zoneID: visible(target)), action: action)
  }
}

/// The text of a date in a form, as `datetime-local` has it.
enum DateInput {
  /// The text of a date, of which browsers leave out zeros at the end, in one form.
  static func normalized(_ text: String) -> String {
    (try? date(text, in: "UTC")).map(Self.text) ?? text
  }

  /// The text of a date in UTC, with milliseconds if it has some.
  static func text(_ date: Date) -> String {
    ISODate.text(of: date).map { String($0.text.dropLast()) } ?? ""
  }

  /// Reads a date, to the millisecond as CloudKit stores it.
  ///
  /// - Parameter zone: a name such as `Europe/Berlin`, or an offset such as `+02:00`.
  /// - Throws: ``InputError``: for a time that the zone skips, too. A time that comes twice is the
  ///   earlier.
  static func date(_ text: String, in zone: String) throws -> Date {
    let pattern = #/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?/#
    guard text.wholeMatch(of: pattern) != nil else {
      throw InputError("A date is written as 2026-07-01T12:30:00.")
    }
    guard let inUTC = ISODate.date(from: text) else {
      throw InputError("There is no such day or time.")
    }
    return try date(inUTC, try timeZone(zone))
  }

  private static func timeZone(_ name: String) throws -> TimeZone {
    let name = name.trimmingCharacters(in: .whitespaces)
    if name.isEmpty || name == "UTC" || name == "Z" { return .gmt }
    let isOffset = name.wholeMatch(of: #/[+-]\d\d:?[0-5]\d/#) != nil
    guard name.utf8.count < 100, let zone = TimeZone(identifier: (isOffset ? "GMT" : "") + name)
    else {
      throw InputError("A time zone is written as UTC, Europe/Berlin or +02:00.")
    }
    return zone
  }

  /// Returns the time at which clocks of a zone show what those of UTC show at a date.
  private static func date(_ clock: Date, _ zone: TimeZone) throws -> Date {
    let day = 86_400.0
    let candidates = [-day, day].map { clock - Double(zone.secondsFromGMT(for: clock + $0)) }
    let found = candidates.filter { $0 + Double(zone.secondsFromGMT(for: $0)) == clock }
    guard let first = found.min() else {
      throw InputError("The time zone skips this time: its clocks are put forward.")
    }
    return first
  }
}
