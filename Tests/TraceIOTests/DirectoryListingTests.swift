// What a listing says of what it leaves out: too many files, and what can't be looked at.

import Foundation
import Testing

@testable import TraceIO

struct DirectoryListingTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "listing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func make(_ names: String...) throws {
    for name in names {
      let url = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  private func list(limit: Int) -> DirectoryListing.Listing {
    var visit = DirectoryListing.Visit(inside: nil, limit: limit)
    visit.visit(folder, depth: 0)
    return visit.listing
  }

  @Test func asManyFilesAsThereMayBeAreNotTooMany() throws {
    try make("a/1", "a/2", "b/3")
    try FileManager.default.createDirectory(
      atPath: folder + "/c", withIntermediateDirectories: true)
    for limit in [3, 4] {
      let listing = list(limit: limit)
      #expect(listing.files.count == 3)
      #expect(listing.errors.isEmpty, "\(limit)")
    }
  }

  @Test func oneFileTooManyIsToldOnce() throws {
    try make("a/1", "a/2", "b/3", "b/4", "c/5")
    let listing = list(limit: 3)
    #expect(listing.files.map { $0.dropFirst(folder.count) } == ["/a/1", "/a/2", "/b/3"])
    #expect(listing.errors.map(\.path) == [folder + "/b"])
    #expect(listing.errors.first?.message == "the directory holds more than 3 files")
  }

  @Test(arguments: [4, 5, 9]) func aDirectoryThatIsCutIsTold(count: Int) throws {
    for number in 0..<count { try make("\(number)") }
    let listing = list(limit: 3)
    #expect(listing.files.count == 3)
    #expect(listing.errors.map(\.path) == [folder])
  }

  @Test func namesThatAreNoCapturesAreTooManyToo() throws {
    try make(".1", ".2", ".3", ".4", ".5")
    #expect(list(limit: 5).errors.isEmpty)
    let listing = list(limit: 4)
    #expect(listing.errors.map(\.message) == ["the directory holds more than 4 names"])
  }

  @Test func whatCannotBeLookedAtIsTold() throws {
    // Two halves, put together, are longer than any path that the system takes.
    #if canImport(Darwin)
      let nameCount = 4
    #else
      let nameCount = 12
    #endif
    let name = String(repeating: "d", count: 200)
    let half = Array(repeating: name, count: nameCount).joined(separator: "/")
    try make("inner/\(half)/file", "outer/\(half)/file")
    let manager = FileManager.default
    let (inner, place) = (folder + "/inner", folder + "/outer/\(half)/z")
    try manager.moveItem(atPath: inner, toPath: place)
    let listing = list(limit: 100)
    // Whoever cleans up gets paths of a usual length.
    try manager.moveItem(atPath: place, toPath: inner)
    #expect(listing.files == [folder + "/outer/\(half)/file"])
    #expect(listing.errors.map(\.path) == listing.unseen)
    #expect(listing.unseen.count == 1)
    #expect(listing.unseen.first?.hasPrefix(place) == true)
    #expect(listing.errors.first?.message.hasPrefix("can't look at it") == true)
  }

  @Test func whatIsGoneIsNotUnseen() throws {
    let listing = DirectoryListing.files(below: folder + "/none")
    #expect(listing.errors.count == 1)
    #expect(listing.unseen.isEmpty)
  }
}
