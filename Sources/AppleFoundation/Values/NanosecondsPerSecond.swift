#if os(Linux)
  // Macros of Dispatch, which Swift imports on Apple's platforms only.

  /// https://developer.apple.com/documentation/dispatch/nsec_per_sec
  public let NSEC_PER_SEC: UInt64 = 1_000_000_000
  /// https://developer.apple.com/documentation/dispatch/nsec_per_msec
  public let NSEC_PER_MSEC: UInt64 = 1_000_000
  /// https://developer.apple.com/documentation/dispatch/nsec_per_usec
  public let NSEC_PER_USEC: UInt64 = 1_000
#endif
