import Foundation

extension NSObject {
  /// Returns a description in CloudKit's form: the class, the address, and properties.
  ///
  /// Sources of the forms: CloudKit's own texts in logs of public repositories, as in SyncKit #111,
  /// sqlite-data #333 and Apple's *Reading CloudKit Records for Core Data*.
  func described(_ properties: KeyValuePairs<String, Any?> = [:]) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    let texts = properties.map { "\($0.key)=\($0.value.map { "\($0)" } ?? "<null>")" }
    let end = texts.isEmpty ? "" : "; " + texts.joined(separator: ", ")
    return "<\(type(of: self)): 0x\(String(address, radix: 16))\(end)>"
  }
}

extension CKRecordZone.ID {
  /// The zone within other descriptions.
  var shortText: String { "\(zoneName):\(ownerName)" }
}

extension CKRecord.ID {
  /// The record within other descriptions.
  var shortText: String { "\(recordName):(\(zoneID.shortText))" }
}

/// The plain values of a record as text, in the form of property lists that Foundation prints on
/// Apple's platforms.
enum ValueText {
  static func of(_ values: [String: any CKRecordValue]) -> String {
    guard !values.isEmpty else { return "{\n}" }
    let lines = values.sorted { $0.key < $1.key }.map { key, value in
      "    \(quoted(key)) = \(text(value, "    "));\n"
    }
    return "{\n" + lines.joined() + "}"
  }

  private static func text(_ value: Any, _ indent: String) -> String {
    switch value {
    case let list as NSArray:
      let elements = list.map { "\(indent)    \(text($0, indent + "    "))" }
      return "(\n" + elements.joined(separator: ",\n") + "\n\(indent))"
    case let data as NSData: return "{length = \(data.length)}"
    case let number as NSNumber: return quoted(number.stringValue)
    case let date as NSDate: return quoted((date as Date).description)
    case let text as NSString: return quoted(String(text))
    default: return quoted("\(value)")
    }
  }

  /// Texts of letters and digits need no quotation marks.
  private static func quoted(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
    }
    guard text.isEmpty || !isWord else { return text }
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5c: result += "\\\\"
      case 0x0a: result += "\\n"
      case 0x20...0x7e: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
