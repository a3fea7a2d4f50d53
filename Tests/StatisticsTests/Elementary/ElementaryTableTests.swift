import CElementary
import Testing

/// The tables of logarithms and powers, which are computed when a program is loaded, are those of `tables.py`.
@Suite("Elementary tables")
struct ElementaryTableTests {
  @Test("every bit of the tables is that of correctly rounded values")
  func digests() {
    let indices = UInt(0)..<128
    let logarithms = indices.map { bandolier_logarithm_at($0) }
    let quick = indices.map { bandolier_quick_logarithm_at($0) }
    let powers = indices.map { bandolier_power_at($0) }
    #expect(digest(logarithms.flatMap(numbers)) == 0xA053_F28C_0D7D_1A27)
    #expect(digest(quick.flatMap(numbers)) == 0xB3CD_A2A8_B45E_70BC)
    #expect(digest(powers.flatMap { [$0.power, $0.excess] }) == 0x110F_F2A0_3DC8_F782)
  }

  @Test("samples")
  func samples() {
    #expect(
      numbers(bandolier_logarithm_at(0)) == [0x1.724p0, -0x1.79db6681af8p-2, -0x1.659cdd3cbdc11p-45])
    #expect(numbers(bandolier_logarithm_at(79)) == [1, 0, 0])
    #expect(
      numbers(bandolier_quick_logarithm_at(0))
        == [0x1.734f0c541fe8dp0, -0x1.7cc7f7db468p-2, -0x1.06cf78ffb8648p-45])
    #expect(bandolier_power_at(0).power == 1 && bandolier_power_at(0).excess == 0)
    #expect(bandolier_power_at(64).power == 2.0.squareRoot())
    #expect(bandolier_power_at(64).excess == -0x1.3b3efbf5e2228p-54)
  }

  private func numbers(_ row: bandolier_logarithm) -> [Double] {
    [row.factor, row.leading, row.trailing]
  }

  /// Returns the FNV-1a hash of the bits.
  private func digest(_ numbers: [Double]) -> UInt64 {
    numbers.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1.bitPattern) &* 0x100_0000_01B3 }
  }
}
