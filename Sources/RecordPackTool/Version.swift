/// The version of the package. `VersionTests` compares it with README.md, CHANGELOG.md and the
/// release tag.
let recordPackVersion = "0.1.0"
