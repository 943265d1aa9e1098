import RecordSchema

/// The file `.recordpack.yml`.
struct ConfigurationTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    _ = try SchemaConfiguration(yaml: String(decoding: input, as: UTF8.self))
  }
}
