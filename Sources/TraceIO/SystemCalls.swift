// Every call into the C library, and the only place that knows which C library it is.
// This file must not know what files are for; each function is one call, retried where a signal
// interrupted it.

import TraceModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The number of a failed call's error.
struct SystemError: Error, Equatable {
  var number: Int32

  static var last: SystemError { SystemError(number: errno) }

  var isInterrupted: Bool { number == EINTR }
  var isAgain: Bool { number == EAGAIN || number == EWOULDBLOCK }
  var isBrokenPipe: Bool { number == EPIPE }
  var isExisting: Bool { number == EEXIST }
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  var isDenied: Bool { number == EACCES || number == EPERM }
  var isFull: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
  /// Whether a file system says that it has nothing to do: of folders some can't be told to wait.
  var isUnsupported: Bool { number == EINVAL || number == ENOTSUP }
  var isReadOnly: Bool { number == EROFS }
  var isAddressInUse: Bool { number == EADDRINUSE }
  var isForeignAddress: Bool { number == EADDRNOTAVAIL }

  /// The C library's own words.
  var text: String {
    // The library returns a text that stays valid until the next call on this thread.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}

/// Thin wrappers, one call each.
enum SystemCalls {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func openToRead(_ path: String) throws(SystemError) -> Int32 {
    // A named pipe blocks here until somebody writes: without waiting it would look empty.
    try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
  }

  /// Another descriptor of an open file: both have one place in it.
  static func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
    let other = dup(descriptor)
    if other < 0 { throw SystemError.last }
    return other
  }

  static func openExisting(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0)
  }

  static func openToAppend(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
  }

  static func create(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  }

  static func open(
    _ path: String, _ flags: Int32, _ mode: UInt32
  ) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
      let mode = mode_t(truncatingIfNeeded: mode)
    #endif
    while true {
      #if canImport(Darwin)
        let descriptor = unsafe Darwin.open(path, flags, mode)
      #elseif canImport(Musl)
        let descriptor = unsafe Musl.open(path, flags, mode)
      #else
        let descriptor = unsafe Glibc.open(path, flags, mode)
      #endif
      if descriptor >= 0 { return descriptor }
      let error = SystemError.last
      if !error.isInterrupted || Interrupt.isRaised { throw error }
    }
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Reads at most a buffer's size. An interruption is an error here, so that a caller who waits
  /// for one sees it.
  static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    #if canImport(Darwin)
      let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
    if count < 0 { throw SystemError.last }
    return count
  }

  static func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let error = SystemError.last
      if !error.isInterrupted { throw error }
    }
  }

  static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) -> Int {
    #if canImport(Darwin)
      let count = unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      let count = unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
    if count < 0 { throw SystemError.last }
    return count
  }

  static func write(
    _ descriptor: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) -> Int {
    try checkFileLimit(offset + Int64(bytes.count))
    while true {
      let count = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
      if count >= 0 { return count }
      let error = SystemError.last
      if !error.isInterrupted { throw error }
    }
  }

  /// Fails as the system would if the process may write no file of this size: beside the error
  /// the system sends a signal, which ends a process that doesn't expect it.
  static func checkFileLimit(_ byteCount: Int64) throws(SystemError) {
    var limit = rlimit()
    #if canImport(Glibc)
      let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let result = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    if result == 0, UInt64(limit.rlim_cur) < UInt64(max(0, byteCount)) {
      throw SystemError(number: EFBIG)
    }
  }

  /// Creates a file that only its owner may use, and that no other process made.
  static func createShared(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  static func openFolder(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
  }

  static func makeFolder(_ path: String) throws(SystemError) {
    if unsafe mkdir(path, 0o700) != 0 {
      let error = SystemError.last
      if !error.isExisting { throw error }
    }
  }

  static func truncate(_ descriptor: Int32, to byteCount: Int64) throws(SystemError) {
    while ftruncate(descriptor, off_t(byteCount)) != 0 {
      let error = SystemError.last
      if !error.isInterrupted { throw error }
    }
  }

  /// Gives a file its size, with room on the disk for all of it: a page of a sparse file that
  /// doesn't fit on a full disk ends the process with a signal when it is first written.
  static func reserve(_ descriptor: Int32, byteCount: Int) throws(SystemError) {
    try checkFileLimit(Int64(byteCount))
    #if canImport(Darwin)
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(byteCount), fst_bytesalloc: 0)
      if unsafe fcntl(descriptor, F_PREALLOCATE, &store) == -1 { throw SystemError.last }
      try truncate(descriptor, to: Int64(byteCount))
      // Readable while the device is locked: class D, no protection.
      _ = fcntl(descriptor, F_SETPROTECTIONCLASS, 4)
    #else
      while true {
        let number = posix_fallocate(descriptor, 0, off_t(byteCount))
        if number == 0 { return }
        if number != EINTR { throw SystemError(number: number) }
      }
    #endif
  }

  static func map(_ descriptor: Int32, byteCount: Int) throws(SystemError)
    -> UnsafeMutableRawPointer
  {
    let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw SystemError.last }
    return unsafe start
  }

  /// Memory of this process's own, all zero.
  static func mapMemory(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    let start = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw SystemError.last }
    return unsafe start
  }

  static func unmap(_ start: UnsafeMutableRawPointer, byteCount: Int) {
    unsafe _ = munmap(start, byteCount)
  }

  static func synchronize(
    _ start: UnsafeMutableRawPointer, byteCount: Int
  ) throws(SystemError) {
    while unsafe msync(start, byteCount, MS_SYNC) != 0 {
      let error = SystemError.last
      if !error.isInterrupted { throw error }
    }
  }

  static func synchronize(_ descriptor: Int32) throws(SystemError) {
    while fsync(descriptor) != 0 {
      let error = SystemError.last
      // Pipes and some file systems can't be synchronized, which loses nothing here.
      if error.number == EINVAL || error.number == ENOTSUP || error.number == EROFS { return }
      if !error.isInterrupted { throw error }
    }
  }

  static func rename(_ old: String, to new: String) throws(SystemError) {
    #if canImport(Darwin)
      let result = unsafe Darwin.rename(old, new)
    #elseif canImport(Musl)
      let result = unsafe Musl.rename(old, new)
    #else
      let result = unsafe Glibc.rename(old, new)
    #endif
    if result != 0 { throw SystemError.last }
  }

  static func remove(_ path: String) { unsafe _ = unlink(path) }

  /// What waiting for a descriptor brought.
  enum Readiness { case ready, timeout, interrupted }

  /// Waits until a descriptor can be read or written, at most so long; a negative time waits for
  /// ever.
  static func wait(
    for descriptor: Int32, toWrite: Bool = false, milliseconds: Int32
  ) -> Readiness {
    let events = Int16(truncatingIfNeeded: toWrite ? POLLOUT : POLLIN)
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    let result = unsafe poll(&request, 1, milliseconds)
    if result > 0 { return .ready }
    if result == 0 { return .timeout }
    return SystemError.last.isInterrupted ? .interrupted : .ready
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  @inline(__always)
  static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The clock that goes on while the device sleeps, and the one that doesn't.
  #if canImport(Darwin)
    static var continuousClock: clockid_t { CLOCK_MONOTONIC }
    static var uptimeClock: clockid_t { CLOCK_UPTIME_RAW }
  #else
    static var continuousClock: clockid_t { CLOCK_BOOTTIME }
    static var uptimeClock: clockid_t { CLOCK_MONOTONIC }
  #endif

  static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }
  static func wallNanoseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) }

  static func secondsSince1970() -> Int64 { wallNanoseconds() / 1_000_000_000 }

  static func environment(_ name: String) -> String? {
    // Read while the program has one thread; nothing here changes the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The absolute path of the folder that the process runs in; nil if it has none any more.
  static func workingFolder() -> String? {
    // The library allocates as much as the path takes when it is given no buffer.
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  static func processNumber() -> Int32 { getpid() }
  static func sleep(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }

  static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Glibc.exit(code)
    #endif
  }

  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Signals by which a user, a terminal or a service manager asks a process to end.
  private static let endSignals = [SIGINT, SIGTERM, SIGHUP]

  /// Calls a handler at a signal to end, and lets waiting calls return.
  static func onEndSignals(_ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
      unsafe action.__sa_handler.sa_handler = handler
    #else
      unsafe action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = 0
    // A parent may have started this process with a signal blocked, as worker threads do.
    var numbers = sigset_t()
    unsafe sigemptyset(&numbers)
    for number in endSignals {
      // Who ignores hang-ups, as nohup does, wants the process to go on.
      if number == SIGHUP, isIgnored(number) { continue }
      unsafe _ = sigaction(number, &action, nil)
      unsafe sigaddset(&numbers, number)
    }
    unsafe _ = sigprocmask(SIG_UNBLOCK, &numbers, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let old = signal(number, SIG_IGN)
    let isIgnored = unsafe unsafeBitCast(old, to: Int.self) == 1
    if !isIgnored { _ = signal(number, old) }
    return isIgnored
  }

  /// Lets the next such signal end the process, as it does by default.
  static func endAtNext(signal number: Int32) {
    _ = signal(number, SIG_DFL)
  }

  static func end(bySignal number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    raise(number)
    // A shell's own number for it, should the signal be blocked.
    exit(128 &+ number)
  }

  /// When the content of a file changed last, and when anything about it did.
  static func times(_ status: stat) -> (modified: timespec, changed: timespec) {
    #if canImport(Darwin)
      return (status.st_mtimespec, status.st_ctimespec)
    #else
      return (status.st_mtim, status.st_ctim)
    #endif
  }
}
