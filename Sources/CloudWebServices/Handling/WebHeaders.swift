/// The headers of a request or response. Names are compared without regard to case.
public struct WebHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]

  /// Creates headers.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a header.
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// The names in lower case, sorted, with the values.
  public var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
