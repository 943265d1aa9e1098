/// The version of this package. `VersionTests` compares README.md, CHANGELOG.md and the release tag
/// with it.
let recordPackVersion = "0.1.0"
