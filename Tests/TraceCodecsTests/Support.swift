// What the tests of the codecs share: the command line tools, and unpacking in small steps.

import Foundation
import TraceCodecs
import TraceFormat

/// The result of a command that reads standard input; nil if the machine doesn't have it.
func run(_ command: String, _ arguments: [String], _ input: [UInt8]) throws -> [UInt8]? {
  let path = "/usr/bin/" + command
  guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("codecs-\(UUID().uuidString)")
  try Data(input).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = try FileHandle(forReadingFrom: file)
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? [UInt8](data) : []
}

/// Unpacks a stream that arrives in chunks, with a bound on what one call may append.
func unpack(
  _ wrapper: StreamWrapper, _ input: [UInt8], chunk: Int = .max, room: Int = 500
) -> (output: [UInt8], error: CodecError?) {
  var decoder = WrapperDecoder(wrapper)
  var output: [UInt8] = []
  do throws(CodecError) {
    var offset = 0
    while offset < input.count {
      let size = min(chunk, input.count - offset)
      let piece = Array(input[offset..<offset + size])
      var consumed = 0
      while true {
        let before = output.count
        try decoder.decode(
          input: piece.span, consumed: &consumed, into: &output, outputBytesMax: room)
        if consumed == piece.count, output.count == before { break }
      }
      offset += size
    }
    try decoder.finish()
    return (output, nil)
  } catch { return (output, error) }
}
