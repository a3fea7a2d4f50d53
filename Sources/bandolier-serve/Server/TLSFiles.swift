internal import NIOSSL
internal import Service

extension TLSConfiguration {
  /// Reads a certificate chain and a private key.
  ///
  /// - Throws: ``ServiceOptionError`` that names the file.
  init(certificate: String, key: String) throws(ServiceOptionError) {
    let chain: [NIOSSLCertificate]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificate)
    } catch {
      throw ServiceOptionError("\(certificate): it is not a certificate in PEM: \(error)")
    }
    let privateKey: NIOSSLPrivateKey
    do {
      privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
    } catch {
      throw ServiceOptionError("\(key): it is not a private key in PEM: \(error)")
    }
    self = .makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    minimumTLSVersion = .tlsv12
  }
}
