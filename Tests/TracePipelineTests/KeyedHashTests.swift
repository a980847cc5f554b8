// The hash of redacted texts against the numbers of its authors.

import Testing

@testable import TracePipeline

struct KeyedHashTests {
  /// The key and the messages of the authors' table: bytes that count up.
  private static let key = (0..<16).map { UInt8($0) }

  @Test(
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
      (3, 0x8567_6696_d7fb_7e2d), (4, 0xcf27_94e0_2771_87b7), (5, 0x1876_5564_cd99_a68d),
      (6, 0xcbc9_466e_58fe_e3ce), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
      (15, 0xa129_ca61_49be_45e5), (16, 0x3f2a_cc7f_57c2_9bdb), (63, 0x958a_324c_eb06_4572),
    ] as [(Int, UInt64)])
  func thePublishedNumbersComeOut(count: Int, expected: UInt64) throws {
    let hash = try #require(KeyedHash(key: Self.key))
    #expect(hash.hash((0..<count).map { UInt8($0) }) == expected)
  }

  @Test func aKeyHasSixteenBytes() {
    #expect(KeyedHash(key: Array(Self.key.dropLast())) == nil)
    #expect(KeyedHash(key: Self.key + [1]) == nil)
    #expect(KeyedHash(key: []) == nil)
  }

  @Test func keysMatter() throws {
    let hash = try #require(KeyedHash(key: Self.key))
    for place in 0..<16 {
      var key = Self.key
      key[place] ^= 0x10
      let other = try #require(KeyedHash(key: key))
      #expect(other.hash(Array("save".utf8)) != hash.hash(Array("save".utf8)))
    }
    #expect(KeyedHash.random().hash([1]) != KeyedHash.random().hash([1]))
  }

  @Test func lettersAreNoDigitsAndNotHexadecimal() throws {
    let hash = try #require(KeyedHash(key: Self.key))
    let letters = hash.letters(Array("save".utf8))
    #expect(letters.utf8.count == 16)
    #expect(letters.utf8.allSatisfy { (UInt8(ascii: "g")...UInt8(ascii: "v")).contains($0) })
    #expect(letters != hash.letters(Array("save2".utf8)))
  }
}
