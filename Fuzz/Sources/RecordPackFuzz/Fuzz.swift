import CLibFuzzer
import Foundation

/// One program for all targets: `RECORDPACK_FUZZ` names the one to run, the arguments are libFuzzer's.
@main
enum Fuzz {
  nonisolated(unsafe) static var target: (any FuzzTarget)?

  static func main() throws {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["RECORDPACK_FUZZ_SEEDS"] {
      return try Seeds.write(to: folder)
    }
    guard let type = fuzzTargets[environment["RECORDPACK_FUZZ"] ?? ""] else {
      print(fuzzTargets.keys.sorted().joined(separator: "\n"))
      exit(2)
    }
    target = try type.init()
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        try? Fuzz.target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
      })
  }
}
