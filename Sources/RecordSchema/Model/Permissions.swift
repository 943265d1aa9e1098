extension Schema {
  /// What a grant allows.
  public struct Permissions: OptionSet, Sendable, Hashable {
    /// Bits: 1 read, 2 create, 4 write.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `READ`
    public static let read = Permissions(rawValue: 1)
    /// `CREATE`
    public static let create = Permissions(rawValue: 2)
    /// `WRITE`: changing and deleting.
    public static let write = Permissions(rawValue: 4)

    /// Every permission with its keyword, in the order of Apple's export form.
    static let keywords: [(permission: Permissions, keyword: String)] = [
      (.read, "READ"), (.create, "CREATE"), (.write, "WRITE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    public var keywords: [String] {
      Self.keywords.filter { contains($0.permission) }.map(\.keyword)
    }
  }
}

extension Schema.Permissions: CustomStringConvertible {
  /// The keywords with commas between them.
  public var description: String { keywords.joined(separator: ", ") }
}
