/// Polynomials for ln Γ(1 + f)/(f·(f − 1)); written by `tables.py`.
enum LogGammaTable {
  /// For each eighth of 0 ... 1, thirteen numbers: the constant as two Doubles, then the coefficients of the first to
  /// the eleventh power of the distance from the middle.
  static let rows: InlineArray<104, Double> = [
    0x1.1ffbc90ebe138p-1, -0x1.6776095315a27p-55, -0x1.d112f2b3b57e6p-3, 0x1.162eda95b8ef2p-3,
    -0x1.84577cc33c942p-4, 0x1.2502bc32fb55bp-4, -0x1.ceacb08b24b01p-5, 0x1.781ead4734311p-5,
    -0x1.3808ac04c0a0ep-5, 0x1.06c51bb61ed97p-5, -0x1.bfbbbf1a6c616p-6, 0x1.846f200d4bc5p-6,
    -0x1.50973cb0919b9p-6, 0x1.1273305f1abb7p-1, -0x1.b97bfb8aff6p-56, -0x1.939c7d39be5f8p-3,
    0x1.b24a56b39d3a2p-4, -0x1.0fc6c5ac9214fp-4, 0x1.6f6f1e7d40c23p-5, -0x1.03e2194284ffp-5,
    0x1.7a89e35c2ee65p-6, -0x1.19584e6e967f4p-6, 0x1.a881302ea24b8p-7, -0x1.43f6ff1f27eb4p-7,
    0x1.f69871845297p-8, -0x1.860a9c815b575p-8, 0x1.069fc6dbf31d1p-1, -0x1.914f9e75ec07ep-55,
    -0x1.630c70df1f666p-3, 0x1.5b5dc5be08dc4p-4, -0x1.8a17bf609c0f9p-5, 0x1.e297bf53a02cap-6,
    -0x1.3521fac486da7p-6, 0x1.97cf2a4f7cd96p-7, -0x1.1285fe058b57dp-7, 0x1.7728e4d4be864p-8,
    -0x1.034d437e31993p-8, 0x1.6bd7eac3155b8p-9, -0x1.ff61cf061bb97p-10, 0x1.f85341d79e78p-2,
    -0x1.25e621a1671b8p-57, -0x1.3bd15648e7adep-3, 0x1.1b7132981eef3p-4, -0x1.2620eb41611a2p-5,
    0x1.492d5f927c092p-6, -0x1.815c1a5009255p-7, 0x1.d08c15f73b892p-8, -0x1.1dc5ee2e25a2p-8,
    0x1.64e450dc93cebp-9, -0x1.c2d85aca78d43p-10, 0x1.20c38743fc2ecp-10, -0x1.72daaa443066cp-11,
    0x1.e5a06e5dfae2ap-2, -0x1.06505071e75adp-56, -0x1.1b8a2e50cbdp-3, 0x1.d6539c27ad25p-5,
    -0x1.c1c7d1612a428p-6, 0x1.cf827ff11eb1ep-7, -0x1.f38bffdf0ff2fp-8, 0x1.1532dab7022f1p-8,
    -0x1.39fcbffcdbec2p-9, 0x1.6907220bf9eadp-10, -0x1.a3e694ec58343p-11, 0x1.eeda9ecdd42b1p-12,
    -0x1.248c8e1f89478p-12, 0x1.d4c5c0303a8f4p-2, 0x1.97178ccfded4cp-56, -0x1.009230d25df4fp-3,
    0x1.8bc0885a5b11cp-5, -0x1.5f029f824284cp-6, 0x1.4f3372a6cbd72p-7, -0x1.4eb2197745339p-8,
    0x1.581f7d689ac81p-9, -0x1.6922673497416p-10, 0x1.80b8fe3b31f6fp-11, -0x1.9e95287661db1p-12,
    0x1.c46c34f5a6962p-13, -0x1.ef9d0ff471474p-14, 0x1.c5782317e9399p-2, 0x1.3aacd9c610f55p-60,
    -0x1.d37b9d371f43bp-4, 0x1.510c8665b49fap-5, -0x1.16c7299cfc46p-6, 0x1.f01acecd84856p-8,
    -0x1.cd6e036f0ebadp-9, 0x1.b9ea1f9464ec3p-10, -0x1.affd7d6fe638p-11, 0x1.acb227fe548d1p-12,
    -0x1.ae59179438685p-13, 0x1.b547e75229ccfp-14, -0x1.be3ccb49ec087p-15, 0x1.b77c8b7131432p-2,
    0x1.2e76a20699813p-57, -0x1.ac6492c8647adp-4, 0x1.2213393256f06p-5, -0x1.c19b3bb0b130dp-7,
    0x1.76856bce2f7bcp-8, -0x1.460562edf824ap-9, 0x1.2434975605e6fp-10, -0x1.0b534e42ecfdp-11,
    0x1.f090da04e3c9ep-13, -0x1.d28aaaf83d7c2p-14, 0x1.bb85bf989197ap-15, -0x1.a79d674aa1ac8p-16,
  ]
}
