extension Field: CustomStringConvertible, CustomReflectable {
  /// `name: value`; the value of an encrypted field is omitted.
  public var description: String { "\(name.escapingControls): \(shownValue)" }

  /// The name and the value; that of an encrypted field is omitted.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": isEncrypted ? shownValue : value as Any])
  }

  private var shownValue: String { isEncrypted ? "<encrypted>" : value.description }
}

extension ResultRecord: CustomStringConvertible, CustomReflectable {
  /// The type, identity and change tag, without values.
  public var description: String { systemFields.summary }

  /// The system fields, and the fields without encrypted values.
  public var customMirror: Mirror {
    Mirror(self, children: ["systemFields": systemFields, "fields": Array(allFields)])
  }
}

extension DraftRecord: CustomStringConvertible, CustomReflectable {
  /// The type, identity and change tag, and the names of the changed fields, without values.
  public var description: String {
    let keys = changedKeys()
    return systemFields.summary + (keys.isEmpty ? "" : " changing \(keys.joined(separator: ", "))")
  }

  /// The system fields, the fields without encrypted values, and the names of those that changed.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["systemFields": systemFields, "fields": fields, "changedKeys": changedKeys()])
  }
}

extension SystemFields {
  fileprivate var summary: String {
    "\(recordType)(\(recordID)\(recordChangeTag.map { ", tag \($0)" } ?? ""))"
  }
}
