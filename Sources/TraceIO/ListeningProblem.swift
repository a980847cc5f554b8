// What is wrong with an address that can't be listened on, in words for the person who chose it.

/// Errors of the system about addresses.
public enum ListeningProblem {
  /// One sentence without a final dot.
  ///
  /// - Parameter errorNumber: The system's number of the error.
  public static func text(errorNumber: Int32) -> String {
    let error = SystemError(number: errorNumber)
    if error.isAddressInUse { return "the port is in use by another program" }
    if error.isForeignAddress { return "the address isn't one of this machine's" }
    if error.isDenied { return "the system keeps this port for its administrator" }
    return error.text
  }
}
