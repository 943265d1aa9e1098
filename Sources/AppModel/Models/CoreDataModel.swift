import RecordSchema

/// The XML of a Core Data model.
package enum CoreDataModel {
  /// The maximum size of a file in bytes.
  package static let maxSize = XMLElement.maxSize

  /// Reads the file `contents` of an `.xcdatamodel`. Any bytes are accepted.
  ///
  /// - Parameters:
  ///   - bytes: The XML.
  ///   - file: The name of the file in findings.
  ///   - name: The display name of the model.
  ///   - configuration: The configuration of the store with CloudKit; nil for the default one.
  package static func read(
    _ bytes: [UInt8], file: String, named name: String, configuration: String? = nil
  ) -> MirroredModel {
    CoreDataModelReader.read(bytes, file: file, named: name, configuration: configuration)
  }
}
