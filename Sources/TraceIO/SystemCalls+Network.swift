// The calls that find a host by its name.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SystemCalls {
  /// Why a name leads nowhere, in the C library's words.
  struct LookupError: Error {
    var text: String
  }

  /// The addresses of a host in numbers, in the order in which they should be tried. This may take
  /// as long as the system's name service wants.
  ///
  /// - Parameter limit: Addresses that are returned at most.
  static func addresses(of host: String, limit: Int) throws(LookupError) -> [String] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, nil, &hints, &first)
    guard result == 0 else {
      // The library returns a text that stays valid.
      guard let text = unsafe gai_strerror(result) else { throw LookupError(text: "no address") }
      throw LookupError(text: unsafe String(cString: text))
    }
    defer { unsafe freeaddrinfo(first) }
    var found: [String] = []
    var next = unsafe first
    // The list that was made by the call, followed to its end and no further.
    while let entry = unsafe next, found.count < limit {
      var name = [CChar](repeating: 0, count: 64)
      let status = unsafe getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
        NI_NUMERICHOST)
      let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: bytes, as: UTF8.self)
      if status == 0, !text.isEmpty, !found.contains(text) { found.append(text) }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }
}
