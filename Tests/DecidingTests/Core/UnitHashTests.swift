import Statistics
import Testing

@testable import DecidingCore
@testable import Events

@Suite("Hash of a unit")
struct UnitHashTests {
  @Test(
    "SHA-256 gives the digests of FIPS 180-4 and its lengths around a block",
    arguments: [
      ("", 0xe3b0_c442_98fc_1c14, 0x27ae_41e4_649b_934c_a495_991b_7852_b855),
      ("abc", 0xba78_16bf_8f01_cfea, 0xb003_61a3_9617_7a9c_b410_ff61_f200_15ad),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 0x248d_6a61_d206_38b8,
        0xa33c_e459_64ff_2167_f6ec_edd4_19db_06c1
      ),
    ] as [(String, UInt64, UInt128)])
  func digests(text: String, first: UInt64, last: UInt128) {
    var hash = SHA256()
    hash.update(text)
    let digest = hash.digest()
    #expect(digest[0] == first)
    #expect(UInt128(digest[2]) << 64 | UInt128(digest[3]) == last)
  }

  @Test(
    "so many letters a, around the lengths at which the padding needs another block",
    arguments: [
      (1, 0xca978112ca1bbdca), (54, 0xa3f01b6939256127), (55, 0x9f4390f8d30c2dd9),
      (56, 0xb35439a4ac6f0948), (57, 0xf13b2d724659eb3b), (62, 0xf506898cc7c2e092),
      (63, 0x7d3e74a05d7db15b), (64, 0xffe054fe7ae0cb6d), (65, 0x635361c48bb9eab1),
      (118, 0x879dc4f05b19ebc3), (119, 0x31eba51c313a5c08), (120, 0x2f3d335432c70b58),
      (127, 0xc57e9278af78fa3c), (128, 0x6836cf13bac400e9),
    ] as [(Int, UInt64)])
  func padding(count: Int, first: UInt64) {
    #expect(UnitHash(String(repeating: "a", count: count)).bits == first)
  }

  @Test(
    "two texts, however they are split, are hashed as one", arguments: [0, 1, 3, 55, 56, 64, 130])
  func split(count: Int) {
    let text = String(String(repeating: "aü1", count: 44).prefix(count))
    let whole = UnitHash(joining: [text])
    for length in 0...count {
      #expect(UnitHash(String(text.prefix(length)), String(text.dropFirst(length))) == whole)
    }
  }

  @Test("bytes that are added in pieces are hashed as the same bytes one by one", arguments: 0..<50)
  func pieces(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    var single = SHA256()
    for byte in bytes { single.update(byte) }
    var pieces = SHA256()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 0...min(rest.count, 150), using: &random)
      pieces.update(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(pieces.bytes() == single.bytes(), "seed \(seed)")
  }

  @Test("the digest as bytes")
  func bytes() {
    var hash = SHA256()
    hash.update(Array("abc".utf8))
    #expect(
      hash.bytes().map { String($0, radix: 16) }.joined(separator: " ")
        == "ba 78 16 bf 8f 1 cf ea 41 41 40 de 5d ae 22 23 b0 3 61 a3 96 17 7a 9c b4 10 ff 61 f2 0 "
        + "15 ad")
  }

  @Test("a million letters a")
  func long() {
    var hash = SHA256()
    for _ in 0..<1_000_000 { hash.update(UInt8(ascii: "a")) }
    #expect(hash.digest()[0] == 0xcdc7_6e5c_9914_fb92)
  }

  @Test(
    "a visitor's place is the beginning of the digest",
    arguments: [
      (["1267576", "75253"], 0x9415_b395_d3c1_f5e4, 0.5784561386860857, 0.5784561384934932),
      (["1267576", "1"], 0x420e_7eec_18aa_a9ef, 0.25803368820258277, 0.2580336881801486),
      (["visitor-1", "75253"], 0x01b4_6a91_08c0_5742, 0.006659183891998811, 0.006659183884039521),
      (["visitor-2", "75253"], 0xac7a_705b_58ee_e240, 0.6737432692543126, 0.6737432691734284),
      (["user_42", "75253"], 0xa05b_b580_c87f_fd6c, 0.6263993682300679, 0.6263993680477142),
      (["a", "75253"], 0xebe1_2cd5_4e2d_5ae2, 0.9214046498074614, 0.9214046497363597),
      (
        ["1267576", "75253", "1600000000"], 0xcec7_8690_2c7e_6337, 0.8077320196139168,
        0.8077320195734501
      ),
    ] as [([String], UInt64, Double, Double)])
  func vectors(texts: [String], bits: UInt64, fraction: Double, fraction32: Double) {
    let hash = UnitHash(joining: texts)
    #expect(hash.bits == bits)
    #expect(hash.fraction == fraction)
    #expect(hash.fraction32 == fraction32)
    #expect(hash.fraction256 == fraction)
  }

  @Test("there is no separator between what is hashed together")
  func joined() {
    #expect(UnitHash("12", "675") == UnitHash("126", "75"))
    #expect(UnitHash("12", "675").fraction == 0.6917674500500198)
  }

  @Test("places of 100,000 units are uniform: chi-square over 100 equal parts")
  func uniform() {
    var counts = [Int](repeating: 0, count: 100)
    for number in 0..<100_000 { counts[Int(UnitHash("unit-\(number)", "x").fraction * 100)] += 1 }
    let statistic = counts.reduce(0.0) { $0 + (Double($1) - 1000) * (Double($1) - 1000) / 1000 }
    // 99 degrees of freedom: 0.001 and 0.999 quantiles.
    #expect(statistic > 60.3 && statistic < 148.3, "\(statistic)")
  }
}
