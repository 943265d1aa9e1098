import ArgumentParser
import Foundation
import Synchronization

/// The option that turns the pager off.
struct PagerOptions: ParsableArguments {
  @Flag(
    help: "Write to the terminal without a pager ($PAGER, or less). NO_PAGER=1 does the same.")
  var noPager = false

  init() {}
}

/// Shows standard output page by page on a terminal.
///
/// The pager starts with the first output. Standard output is then a pipe to it, and the terminal is
/// ``terminal``. Quitting the pager ends the command with success, or with ``exitCode``.
enum Pager {
  fileprivate struct State {
    /// The shell command to start with the first output.
    var wanted: String?
    var running: Running?
    var exitCode = ExitCode.success
  }

  fileprivate struct Running {
    let process: pid_t
    let terminal: Int32
    /// Whether standard output was closed, and a thread waits for the pager to end.
    var isClosing = false
    /// The signal that was passed on to the pager.
    var signal: Int32?
  }

  private static let state = Mutex(State())
  private static let hasEnded = DispatchSemaphore(value: 0)

  /// The terminal behind the pager; nil if none is running.
  static var terminal: Int32? { state.withLock { $0.running?.terminal } }

  /// The exit code of the command if the user quits the pager before the end of the output.
  static var exitCode: ExitCode {
    get { state.withLock { $0.exitCode } }
    set { state.withLock { $0.exitCode = newValue } }
  }

  /// Runs a command's output, and waits until the user quits the pager.
  ///
  /// - Returns: Whether all output was taken; false if the user quit the pager before.
  @discardableResult
  static func run(_ options: PagerOptions, _ body: () throws -> Void) throws -> Bool {
    let command =
      options.noPager
      ? nil
      : command(
        ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) != 0)
    state.withLock { $0.wanted = command }
    do {
      try body()
    } catch let error as StandardOutput.WriteError where error.isBrokenPipe && terminal != nil {
      try finish()
      return false
    } catch {
      try finish()
      throw error
    }
    try finish()
    return true
  }

  /// The command of the pager, for the shell; nil if there should be none.
  static func command(_ environment: [String: String], isTerminal: Bool) -> String? {
    guard isTerminal, environment["NO_PAGER", default: ""].isEmpty,
      environment["TERM"] != "dumb"
    else { return nil }
    if let own = environment["PAGER"] {
      let command = own.trimmingCharacters(in: .whitespaces)
      return ["", "cat"].contains(command) ? nil : command
    }
    return isProgram("less", environment) ? "less -FRX" : nil
  }

  private static func isProgram(_ name: Substring, _ environment: [String: String]) -> Bool {
    environment["PATH", default: ""].split(separator: ":").contains {
      access("\($0)/\(name)", X_OK) == 0
    }
  }

  /// Starts the pager if one is wanted. Without it, output goes to the terminal.
  static func start() {
    guard let command = state.withLock({ $0.wanted.take() }) else { return }
    ProgressBar.clearLine()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    defer { for end in ends { close(end) } }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard terminal >= 0, let process = spawn(command, input: ends[0]) else { return }
    dup2(ends[1], STDOUT_FILENO)
    state.withLock { $0.running = Running(process: process, terminal: terminal) }
    Thread.detachNewThread { watch(process, command) }
  }

  /// Starts a shell command with standard input from a descriptor.
  private static func spawn(_ command: String, input: Int32) -> pid_t? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // This process ignores them.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    // As git sets it: quit if one screen suffices, show colours, leave the text on the screen.
    let environment = ["LESS": "FRX"].merging(ProcessInfo.processInfo.environment) { $1 }
    let words: [String] = ["/bin/sh", "-c", replacingShell(command)]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let result = posix_spawn(
      &process, "/bin/sh", &actions, &attributes, &arguments, &variables)
    return result == 0 ? process : nil
  }

  /// Lets a simple command replace the shell, so that signals reach the pager.
  private static func replacingShell(_ command: String) -> String {
    let program = command.prefix { $0 != " " }
    let isSimple =
      !command.contains { "|;&(){}\n".contains($0) }
      && isProgram(program, ProcessInfo.processInfo.environment)
    return isSimple ? "exec " + command : command
  }

  /// Waits for the end of the pager. If it ends before the output, the command ends too.
  private static func watch(_ process: pid_t, _ command: String) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let code = (status >> 8) & 0xFF
    // The shell could not run it.
    let isMissing = status & 0x7F == 0 && (code == 126 || code == 127)
    if isMissing {
      ErrorReport.report(
        Failure("the pager '\(command)' cannot be run; set PAGER, or use --no-pager"))
      _exit(ExitCode.failed.rawValue)
    }
    let early: ExitCode? = state.withLock { $0.running?.isClosing == false ? $0.exitCode : nil }
    if let early { _exit(early.rawValue) }
    hasEnded.signal()
  }

  /// Closes the pager's input, and waits until it ends.
  private static func finish() throws {
    let isOurs: Bool? = state.withLock { state in
      state.wanted = nil
      guard state.running != nil else { return nil }
      return state.close()
    }
    guard let isOurs else { return }
    if !isOurs {
      // A signal came: its handler ends the process.
      while true { sleep(60) }
    }
    hasEnded.wait()
    let signal = state.withLock { state in
      defer { state.restore() }
      return state.running?.signal
    }
    if let signal {
      Interruption.tell()
      _exit(128 + signal)
    }
  }

  /// Handles a signal while the pager shows output.
  ///
  /// Ctrl-C is the pager's; the command ends when the user quits it. Other signals are passed on.
  ///
  /// - Returns: Whether the signal is dealt with. If not, the process should end.
  static func handles(_ signal: Int32) -> Bool {
    let isOurs: Bool? = state.withLock { state in
      guard let running = state.running else { return nil }
      if signal != SIGINT {
        kill(running.process, signal)
        state.running?.signal = signal
      }
      return state.close()
    }
    guard let isOurs else { return false }
    // The main thread waits for the end already.
    guard isOurs else { return true }
    hasEnded.wait()
    return false
  }
}

extension Pager.State {
  /// Ends the pager's input: what is written from now on is lost.
  ///
  /// - Returns: False if it was ended before.
  fileprivate mutating func close() -> Bool {
    guard running?.isClosing == false else { return false }
    running?.isClosing = true
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nothing, STDOUT_FILENO)
    Foundation.close(nothing)
    return true
  }

  /// Makes standard output the terminal again.
  fileprivate mutating func restore() {
    guard let terminal = running?.terminal else { return }
    dup2(terminal, STDOUT_FILENO)
    Foundation.close(terminal)
    running = nil
  }
}
