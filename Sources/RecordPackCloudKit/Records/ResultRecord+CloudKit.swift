#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension ResultRecord {
    /// Creates a record from one of CloudKit, with its fields, encrypted values and, for a share, the
    /// participants.
    ///
    /// ```swift
    /// let record = try ResultRecord(ckRecord)
    /// ```
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - files: The folder that the files of assets are copied to.
    /// - Throws: ``CloudKitConversionError`` for a value of a class that has no counterpart; the
    ///   error of the file system for the file of an asset.
    public init(_ record: CKRecord, keepingFilesIn files: AssetFiles = AssetFiles()) throws {
      let encryptedValues = record.encryptedValues
      let encryptedNames = Set(encryptedValues.allKeys())
      var fields: [Field] = []
      // Whether `allKeys()` contains the names of encrypted values is not documented.
      for name in record.allKeys() where !encryptedNames.contains(name) {
        guard let object = record.object(forKey: name) else { continue }
        fields.append(try Field(name, object, of: record, isEncrypted: false))
      }
      for name in encryptedNames {
        guard let object = encryptedValues.object(forKey: name) else { continue }
        fields.append(try Field(name, object, of: record, isEncrypted: true))
      }
      self.init(
        storage: ValueStorage(
          systemFields: SystemFields(record), fields: try files.keepingFiles(of: fields)))
    }
  }

  extension Field {
    fileprivate init(
      _ name: String, _ object: Any, of record: CKRecord, isEncrypted: Bool
    ) throws {
      guard let value = RecordValue(object) else {
        throw CloudKitConversionError(
          "a value of the class \(type(of: object))", expected: "a type that schemas have",
          recordID: RecordID(record.recordID), fieldName: name)
      }
      self.init(name: name, value: value, isEncrypted: isEncrypted)
    }
  }
#endif
