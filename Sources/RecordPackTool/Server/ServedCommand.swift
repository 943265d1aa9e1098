#if os(macOS) || os(Linux)
  import Foundation

  /// A program that runs while a server handles its requests, in the process group and with the
  /// streams of the tool.
  struct ServedCommand {
    /// The variable in the program's environment that has the address of the server.
    static let variable = "RECORDPACK_ADDRESS"

    private let process: pid_t
    private var hasPassedOn = false

    /// The exit code of the program that has ended. If a signal has ended it, the code is that of a
    /// shell: 128 and the number of the signal.
    private(set) var exitCode: Int32 = 0

    /// Starts the program.
    ///
    /// - Parameter words: The program and its arguments. The system looks for the program in `PATH`.
    init(_ words: [String], address: String) throws {
      var environment = ProcessInfo.processInfo.environment
      environment[Self.variable] = address
      let attributes = Self.allocate(posix_spawnattr_init)
      defer {
        posix_spawnattr_destroy(attributes)
        attributes.deallocate()
      }
      // The tool handles these signals itself, and a program inherits that they are ignored.
      var signals = sigset_t()
      sigemptyset(&signals)
      for number in Interruption.handledSignals + [SIGPIPE] { sigaddset(&signals, number) }
      posix_spawnattr_setsigdefault(attributes, &signals)
      posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETSIGDEF))

      let lines = environment.map { "\($0)=\($1)" }.sorted()
      let arguments = words.map { strdup($0) } + [nil]
      let variables = lines.map { strdup($0) } + [nil]
      defer { for text in arguments + variables { free(text) } }
      var process: pid_t = 0
      let error = posix_spawnp(&process, words[0], nil, attributes, arguments, variables)
      guard error == 0 else {
        throw CommandError("cannot run '\(words[0].visible)': \(String(cString: strerror(error)))")
      }
      self.process = process
    }

    /// Returns new attributes. Their type is an optional pointer on Apple's platforms, and a structure
    /// on Linux.
    private static func allocate<Attributes>(
      _ initialize: (UnsafeMutablePointer<Attributes>) -> Int32
    ) -> UnsafeMutablePointer<Attributes> {
      let attributes = UnsafeMutablePointer<Attributes>.allocate(capacity: 1)
      _ = initialize(attributes)
      return attributes
    }

    /// Returns whether the program has ended, after it has passed on a signal that has arrived.
    mutating func hasEnded() -> Bool {
      if let signal = Interruption.signal, !hasPassedOn {
        hasPassedOn = true
        // On a terminal, the program has got the signal of Ctrl-C, too.
        if signal != SIGINT || isatty(STDIN_FILENO) == 0 { kill(process, signal) }
      }
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { return false }
      let signal = status & 0x7f
      exitCode = signal == 0 ? status >> 8 & 0xff : 128 + signal
      return true
    }
  }
#endif
