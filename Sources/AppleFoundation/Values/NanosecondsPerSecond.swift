#if os(Linux)
  // Macros of Dispatch, which Swift imports on Apple's platforms only.
  public let NSEC_PER_SEC: UInt64 = 1_000_000_000
  public let NSEC_PER_MSEC: UInt64 = 1_000_000
  public let NSEC_PER_USEC: UInt64 = 1_000
#endif
