extension RecordValue {
  /// Whether the value is an asset or a list of assets.
  package var isOfAssets: Bool {
    switch self {
    case .asset, .assetList: true
    default: false
    }
  }

  /// The assets in the value; empty for values of other types.
  package var assets: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assetList(let assets): assets
    default: []
    }
  }

  /// Returns the value with other assets; values of other types as they are.
  package func replacingAssets(_ body: (Asset) throws -> Asset) rethrows -> RecordValue {
    switch self {
    case .asset(let asset): .asset(try body(asset))
    case .assetList(let assets): .assetList(try assets.map(body))
    default: self
    }
  }

  /// The references in the value; empty for values of other types.
  package var references: [Reference] {
    switch self {
    case .reference(let reference): [reference]
    case .referenceList(let references): references
    default: []
    }
  }
}
