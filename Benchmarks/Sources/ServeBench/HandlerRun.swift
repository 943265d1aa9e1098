import CloudWebServices
import Foundation
import MockCloud

/// Asks the handler in this process, without sockets.
struct HandlerRun {
  private let handler: WebServicesHandler

  init(_ container: MockContainer) throws {
    handler = WebServicesHandler([try WebContainer(container)])
  }

  /// Prints for each lane the requests a second, and the median and the 99th percentile of the times
  /// in milliseconds.
  func print(seconds: Double, tasks: Int) async throws {
    for lane in ServedNotes.lanes {
      let start = ContinuousClock.now
      let end = start + .seconds(seconds)
      let times = await withTaskGroup(of: [Duration].self) { group in
        for _ in 0..<tasks {
          group.addTask {
            var times: [Duration] = []
            while ContinuousClock.now < end {
              let before = ContinuousClock.now
              let response = await handler.respond(to: lane.request)
              guard response.status == 200 else { return [] }
              times.append(ContinuousClock.now - before)
            }
            return times
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }.sorted()
      let elapsed = ContinuousClock.now - start
      guard !times.isEmpty else { throw POSIXError(.EIO) }
      let rate = Double(times.count) / (elapsed / .seconds(1))
      let parts = [0.5, 0.99].map { part in
        times[min(times.count - 1, Int(Double(times.count) * part))] / .milliseconds(1)
      }
      Swift.print(lane.name, rate, parts[0], parts[1])
    }
  }
}
