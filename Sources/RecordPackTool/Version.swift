/// The version of this package: `recordpack --version` prints it, and the README asks for it.
let recordPackVersion = "0.1.0"
