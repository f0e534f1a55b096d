// A merchant's key for Apple Pay tokens: the payment processing certificate from Apple and its private key. Both are
// parsed when the settings are entered or loaded, not for each token.

import { createHash, createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { orNull } from './ber.ts';
import { merchantHashIn, readPemCertificate } from './certificate.ts';
import { isOnP256, WalletKeyError } from './p256.ts';

/** SHA-256 of the certificate: 63343abf b89a6a03 ebb57e9b 3f5fa7be 7c4f5c75 6f3017b3 a8c488c3 653e9179. */
const appleRootCaG3 = `-----BEGIN CERTIFICATE-----
MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
6BgD56KyKA==
-----END CERTIFICATE-----
`;

export type ApplePayKey = {
  /** The tokens that it decrypts: EC_v1 with an elliptic key, RSA_v1 with an RSA key. */
  readonly version: 'EC_v1' | 'RSA_v1';
  readonly privateKey: KeyObject;
  /** SHA-256 of the certificate's SubjectPublicKeyInfo, by which a token identifies its key. */
  readonly publicKeyHash: Buffer;
  /** SHA-256 of the merchant identifier, an input of EC_v1's key derivation. */
  readonly merchantHash: Buffer;
};

/** Reads a payment processing certificate and its key, both in PEM. Throws WalletKeyError if they do not match. */
export function readApplePayKey(settings: { certificate: string; privateKey: string }): ApplePayKey {
  const certificate = readPemCertificate(settings.certificate);
  const privateKey = orNull(() => createPrivateKey(settings.privateKey));
  if (!certificate) throw new WalletKeyError('certificate', 'The certificate is not a certificate in PEM.');
  if (!privateKey) throw new WalletKeyError('privateKey', 'The private key is not an unencrypted private key in PEM.');
  const merchantHash = merchantHashIn(certificate.extensions);
  if (!merchantHash) {
    throw new WalletKeyError('certificate', 'The certificate is not an Apple Pay payment processing certificate.');
  }
  const version = versionOf(privateKey);
  if (!version)
    throw new WalletKeyError('privateKey', 'The private key is neither on P-256 nor RSA of 2048 bits or more.');
  if (!certificate.x509.checkPrivateKey(privateKey)) {
    throw new WalletKeyError('privateKey', 'The private key does not belong to the certificate.');
  }
  const info = certificate.x509.publicKey.export({ format: 'der', type: 'spki' });
  return { version, privateKey, publicKeyHash: createHash('sha256').update(info).digest(), merchantHash };
}

/** The trusted roots of Apple Pay tokens, from PEM or Apple's own. Throws WalletKeyError if one is no authority. */
export function readApplePayRoots(pem: string = appleRootCaG3): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const roots = blocks.map((block) => readPemCertificate(block)?.x509);
  if (roots.length === 0 || !roots.every((root) => root?.ca)) {
    throw new WalletKeyError('roots', 'The roots are not certificates of authorities in PEM.');
  }
  return roots as X509Certificate[];
}

function versionOf(key: KeyObject): ApplePayKey['version'] | null {
  if (isOnP256(key)) return 'EC_v1';
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? 'RSA_v1' : null;
}
