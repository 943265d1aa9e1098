extension CloudSchema {
  /// The permissions of a grant.
  public struct Permissions: OptionSet, Sendable, Hashable {
    /// The bits: 1 read, 2 create, 4 write.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `READ`
    public static let read = Permissions(rawValue: 1)
    /// `CREATE`
    public static let create = Permissions(rawValue: 2)
    /// `WRITE`: modifying and deleting.
    public static let write = Permissions(rawValue: 4)

    /// The permissions with their keywords, in the order of Apple's export form.
    static let keywords: [(permission: Permissions, keyword: String)] = [
      (.read, "READ"), (.create, "CREATE"), (.write, "WRITE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    public var keywords: [String] {
      Self.keywords.filter { contains($0.permission) }.map(\.keyword)
    }
  }
}

extension CloudSchema.Permissions: CustomStringConvertible {
  /// The keywords separated by commas.
  public var description: String { keywords.joined(separator: ", ") }
}
