// Apple Pay and Google Pay tokens: verification and decryption, pure cryptography.
// Owns no tables.
// May import: core, methods.

export { decryptApplePay, isForOrder } from './apple';
export { type ApplePayKey, readApplePayKey, readApplePayRoots } from './apple-key';
export {
  type CertificateInfo,
  certificateInfo,
  certificateMatchesKey,
  merchantHashOf,
  readCertificateFile,
  readPrivateKeyFile,
} from './certificate-info';
export { certificateRequest, makePrivateKey } from './certificate-request';
export { decryptGooglePay } from './google';
export { type GooglePayKey, readGooglePayKey, readGooglePayRoots } from './google-key';
export { WalletKeyError } from './key-error';
export { type Pkcs12Error, readPkcs12 } from './pkcs12';
export { WalletTokenError } from './token-error';
