// Apple Pay and Google Pay tokens: verification and decryption, pure cryptography.
// Owns no tables.
// May import: core, methods.

export { decryptApplePay, isForOrder } from './apple.ts';
export * from './apple-key.ts';
export {
  type CertificateInfo,
  certificateInfo,
  certificateMatchesKey,
  merchantHashOf,
  readCertificateFile,
  readPrivateKeyFile,
} from './certificate.ts';
export { certificateRequest, makePrivateKey } from './certificate-request.ts';
export { decryptGooglePay, type GooglePayKey, readGooglePayKey, readGooglePayRoots } from './google.ts';
export { WalletKeyError } from './p256.ts';
export { type Pkcs12Error, readPkcs12 } from './pkcs12.ts';
export { WalletTokenError } from './token.ts';
