import RecordModel
import RecordPages
import RecordSchema

/// An input of a value in a form. The names are in the names of the form's inputs.
struct ValueInput {
  let name: String
  let words: HTML
  let attributes: HTML

  private init(_ name: String, _ words: HTML, _ attributes: HTML = Self.word) {
    (self.name, self.words, self.attributes) = (name, words, attributes)
  }

  private static let word: HTML = " autocomplete=\"off\" spellcheck=\"false\""
  private static let integer: HTML = " inputmode=\"numeric\" autocomplete=\"off\""
  private static let number: HTML = " inputmode=\"decimal\" autocomplete=\"off\""

  /// The label of an input that the title of the field explains.
  private static func hidden(_ words: HTML) -> HTML { "<span class=\"hidden\">\(words)</span>" }

  /// Returns the inputs of a type, in their order. The action of a reference is a choice.
  static func all(of primitive: CloudSchema.Primitive) -> [ValueInput] {
    switch primitive {
    case .int64: [ValueInput("text", hidden("Integer"), integer)]
    case .double, .number: [ValueInput("text", hidden("Number"), number)]
    case .timestamp:
      [
        ValueInput("text", "Date and time", " type=\"datetime-local\" step=\"0.001\""),
        ValueInput("timezone", "Time zone", " list=\"time-zones\"\(word)"),
      ]
    case .location:
      [
        ValueInput("latitude", "Latitude", number), ValueInput("longitude", "Longitude", number),
      ] + locationParts.map { ValueInput($0.name, $0.words) } + [
        ValueInput("timestamp", "Time, in UTC")
      ]
    case .reference:
      [
        ValueInput("text", "Record name", " data-find=\"1\"\(word)"),
        ValueInput("zone", "Zone, if another"), ValueInput("owner", "Owner of the zone"),
      ]
    case .string: [ValueInput("text", "Text")]
    case .bytes: [ValueInput("text", "Base64")]
    case .asset: []
    }
  }

  /// The numbers of a location that it may lack.
  static let locationParts:
    [(name: String, words: HTML, path: WritableKeyPath<Location, Double?> & Sendable)] = [
      ("altitude", "Altitude, in metres", \.altitude),
      ("horizontalAccuracy", "Horizontal accuracy, in metres", \.horizontalAccuracy),
      ("verticalAccuracy", "Vertical accuracy, in metres", \.verticalAccuracy),
      ("course", "Course, in degrees", \.course),
      ("speed", "Speed, in metres per second", \.speed),
    ]
}
