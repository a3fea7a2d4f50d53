import Testing

@testable import DecidingCore

/// R35: what the SDKs' own tests expect; the rest was computed by an independent implementation in Python.
@Suite("Reference numbers: bucketing as other systems do it")
struct BucketingTests {
  @Test(
    "R35: GrowthBook's hash cases",
    arguments: [
      ("", "a", 1, 0.22), ("", "b", 1, 0.077), ("b", "a", 1, 0.946), ("ef", "d", 1, 0.652),
      ("asdf", "8952klfjas09ujk", 1, 0.549), ("", "123", 1, 0.011), ("", "___)((*\":&", 1, 0.563),
      ("seed", "a", 2, 0.0505), ("seed", "b", 2, 0.2696), ("foo", "ab", 2, 0.2575),
      ("foo", "def", 2, 0.2019), ("89123klj", "8952klfjas09ujkasdf", 2, 0.124),
      ("90850943850283058242805", "123", 2, 0.7516), ("()**(%$##$%#$#", "___)((*\":&", 2, 0.0128),
      ("é", "ü🗻", 1, 0.302), ("é", "ü🗻", 2, 0.7372),
    ])
  func growthBook(seed: String, value: String, version: Int, expected: Double) throws {
    let version = try #require(GrowthBookBucketing.Version(rawValue: version))
    #expect(GrowthBookBucketing.place(of: value, seed: seed, version: version) == expected)
  }

  @Test("R35: GrowthBook has no hash of version 99")
  func unknownVersion() {
    #expect(GrowthBookBucketing.Version(rawValue: 99) == nil)
  }

  @Test("R35: Unleash's normalised hash, for rollouts and for variants")
  func unleash() {
    #expect(UnleashBucketing.rollout(of: "123", group: "gr1") == 73)
    #expect(UnleashBucketing.rollout(of: "999", group: "groupX") == 25)
    #expect(UnleashBucketing.variant(of: "123", group: "gr1", weights: 100) == 96)
    #expect(UnleashBucketing.variant(of: "999", group: "groupX", weights: 100) == 60)
    #expect(UnleashBucketing.variant(of: "123", group: "gr1") == 796)
    #expect(UnleashBucketing.variant(of: "999", group: "groupX") == 260)
    for weights in [0, -1, 1 << 32] {
      #expect(UnleashBucketing.variant(of: "123", group: "gr1", weights: weights) == nil)
    }
  }

  @Test(
    "R35: Optimizely's buckets",
    arguments: [
      ("ppid1", "1886780721", 5254), ("ppid2", "1886780721", 4299), ("ppid2", "1886780722", 2434),
      ("ppid3", "1886780721", 5439),
      (
        "a very very very very very very very very very very very very very very very long ppd string",
        "1886780721", 6128
      ),
    ])
  func optimizely(unit: String, entity: String, expected: Int) {
    #expect(OptimizelyBucketing.bucket(of: unit, entityID: entity) == expected)
  }

  @Test(
    "R35: LaunchDarkly's buckets, by salt and by seed",
    arguments: [
      ("userKeyA", 0.42157587, 0.4215758743392494, 0.09801207, 0.0980120652476667),
      ("userKeyB", 0.67084850, 0.6708484965703435, 0.14483777, 0.1448377737757314),
      ("userKeyC", 0.10343106, 0.1034310617276969, 0.9242641, 0.9242640945125551),
    ])
  func launchDarkly(
    unit: String, published: Double, exact: Double, publishedSeed: Double, exactSeed: Double
  ) {
    let salted = LaunchDarklyBucketing.place(of: unit, flag: "hashKey", salt: "saltyA")
    #expect(abs(salted - published) < 1e-8)
    #expect(salted == exact)
    let seeded = LaunchDarklyBucketing.place(of: unit, seed: 61)
    #expect(abs(seeded - publishedSeed) < 1e-7)
    #expect(seeded == exactSeed)
  }

  @Test(
    "R35: FNV-1a of 32 bits",
    arguments: [
      ("", 0x811c_9dc5), ("a", 0xe40c_292c), ("foo", 0xa9f3_7ed7), ("foobar", 0xbf9c_f968),
      ("ü🗻", 0xcc14_bd45),
    ] as [(String, UInt32)])
  func fnv(text: String, hash: UInt32) {
    #expect(FNV1a.hash32(text) == hash)
  }

  @Test(
    "R35: murmur3 of 32 bits, with every length of the last word",
    arguments: [
      ("", 0, 0), ("", 1, 0x514e_28b7), ("", 0xffff_ffff, 0x81f1_6f39), ("hello", 0, 0x248b_fa47),
      ("a", 0, 0x3c25_69b2), ("ab", 0, 0x9bbf_d75f), ("abc", 0, 0xb3dd_93fa),
      ("abcd", 0, 0x43ed_676a), ("aaaa", 0x9747_b28c, 0x5a97_808a),
      ("The quick brown fox jumps over the lazy dog", 0, 0x2e4f_f723),
      ("The quick brown fox jumps over the lazy dog", 0x9747_b28c, 0x2fa8_26cd),
      ("ππππππππ", 0x9747_b28c, 0xd580_63c1), ("Hello, world!", 0x9747_b28c, 0x2488_4cba),
    ] as [(String, UInt32, UInt32)])
  func murmur(text: String, seed: UInt32, hash: UInt32) {
    #expect(Murmur3.hash32(text, seed: seed) == hash)
  }

  @Test("SHA-1 of FIPS 180-4's examples, and around the ends of a block")
  func sha1() {
    #expect(
      SHA1.words("abc") == [0xa999_3e36, 0x4706_816a, 0xba3e_2571, 0x7850_c26c, 0x9cd0_d89d])
    let long = SHA1.words("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
    #expect(long == [0x8498_3e44, 0x1c3b_d26e, 0xbaae_4aa1, 0xf951_29e5, 0xe546_70f1])
    let lengths: [(Int, UInt64)] = [
      (0, 0xda39_a3ee_5e6b_4b0d), (1, 0x86f7_e437_faa5_a7fc), (54, 0xb05d_71c6_4979_cb95),
      (55, 0xc1c8_bbdc_2279_6e28), (56, 0xc2db_330f_6083_854c), (57, 0xf08f_2490_8d68_2555),
      (63, 0x03f0_9f5b_158a_7a8c), (64, 0x0098_ba82_4b5c_1642), (65, 0x1165_5326_c708_d703),
      (119, 0xee97_1065_aaa0_17e0), (120, 0xf34c_1488_3853_46a5),
    ]
    for (count, first) in lengths {
      #expect(SHA1.first64(String(repeating: "a", count: count)) == first, "\(count)")
    }
  }
}
