import Foundation

extension CKOperation {
  // The network settings have no effect: there is no network.
  public class Configuration: NSObject, @unchecked Sendable {
    private struct State {
      var container: CKContainer?
      var qualityOfService = QualityOfService.default
      var allowsCellularAccess = true
      var isLongLived = false
      var timeoutIntervalForRequest: TimeInterval = 60
      var timeoutIntervalForResource: TimeInterval?
    }

    private let state: Locked<State>

    private init(_ state: State) { self.state = Locked(state) }

    public override convenience init() { self.init(State()) }

    func copied() -> Configuration { Configuration(state.current) }

    /// Writes all settings except the container, which does not support archives.
    func encode(to coder: NSCoder) {
      let state = state.current
      coder.encode(state.qualityOfService.rawValue, forKey: "QualityOfService")
      coder.encode(state.allowsCellularAccess, forKey: "AllowsCellularAccess")
      coder.encode(state.isLongLived, forKey: "LongLived")
      coder.encode(state.timeoutIntervalForRequest, forKey: "TimeoutIntervalForRequest")
      coder.encode(
        state.timeoutIntervalForResource.map { NSNumber(value: $0) },
        forKey: "TimeoutIntervalForResource")
    }

    /// Reads what ``encode(to:)`` writes.
    convenience init(from coder: NSCoder) {
      var state = State()
      state.qualityOfService =
        QualityOfService(rawValue: coder.decodeInteger(forKey: "QualityOfService")) ?? .default
      state.allowsCellularAccess = coder.decodeBool(forKey: "AllowsCellularAccess")
      state.isLongLived = coder.decodeBool(forKey: "LongLived")
      state.timeoutIntervalForRequest = coder.decodeDouble(forKey: "TimeoutIntervalForRequest")
      state.timeoutIntervalForResource =
        coder.optionalObject(
          of: NSNumber.self, forKey: "TimeoutIntervalForResource")?.doubleValue
      self.init(state)
    }

    public var container: CKContainer? {
      get { state.current.container }
      set { state.with { $0.container = newValue } }
    }

    public var qualityOfService: QualityOfService {
      get { state.current.qualityOfService }
      set { state.with { $0.qualityOfService = newValue } }
    }

    public var allowsCellularAccess: Bool {
      get { state.current.allowsCellularAccess }
      set { state.with { $0.allowsCellularAccess = newValue } }
    }

    public var isLongLived: Bool {
      get { state.current.isLongLived }
      set { state.with { $0.isLongLived = newValue } }
    }

    public var timeoutIntervalForRequest: TimeInterval {
      get { state.current.timeoutIntervalForRequest }
      set { state.with { $0.timeoutIntervalForRequest = newValue } }
    }

    // The default depends on the quality of service (Apple's `CKOperation.h`).
    public var timeoutIntervalForResource: TimeInterval {
      get {
        state.with { state in
          switch (state.timeoutIntervalForResource, state.qualityOfService) {
          case (let seconds?, _): seconds
          case (nil, .userInteractive), (nil, .userInitiated): -1
          default: 604_800
          }
        }
      }
      set { state.with { $0.timeoutIntervalForResource = newValue } }
    }
  }
}
