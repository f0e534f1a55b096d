// The keys that seal the tests' wallet tokens. The servers under test trust the roots in wallet-roots/; the recipients
// are the merchants of e2e/seed/test-merchants.ts.
import { createPrivateKey, createPublicKey } from 'node:crypto';

/** The private key of the root in wallet-roots/apple.pem. */
export const appleRootKey = createPrivateKey(`-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCyWL+j69m6cbQWHGoI
mQ3sY9NBREqUID5cVByYjbCAVexKvp74tJ+CfSGqlZIYB62hZANiAAS/BOdkn1j0
GhEEH4DKT12vM+7ON1mIIQPuvUEEWauK9jgdnZYFUevciWWo5qb4mDCiCQdtfYgT
570W37fXgTgbUTgegCynKZT9KDD2Gw5fq5l4Y2snurlAJCRyxeNKIfc=
-----END PRIVATE KEY-----
`);

/** The private key of the root in wallet-roots/google.json. */
export const googleRootKey = createPrivateKey(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgL6JSr5XitPKQbFdA
n1UAdamzQAoRHNWlivaGfgjIxGehRANCAAT9uwtCNvsb7x6NUD5sCSqUaToEI3qs
iKY/CEf8wEdub585wp8eIssNQ6vrI4lixi/D46qHrbYqaheHak9xis5M
-----END PRIVATE KEY-----
`);

/** The merchant's keys: for EC_v1 and RSA_v1 of Apple Pay, and for Google Pay. */
export const recipients = {
  elliptic: createPublicKey(`-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/sLX0rSKIB9hJ9rv+RQMKWaA4qA4
8rNAhr2+UrIdzHlCYSv7nHeyhcO8Ij0/rTNZ0PcGdifF/KbFiN/l7vBJkQ==
-----END PUBLIC KEY-----
`),
  rsa: createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6i2cAlS0ncsA2g8IRyTP
iLQop1LZnGKJbaOvY4Ift859iLnzzROa9C41vcZ8nfiN/zO7pLrldnLMeu+BlSnX
pwCtELYEZlrdZbdNDZPkpN6QUF1Wzod0JNq1de+m5oRqXBNDmOjkrVR4PTSU/EDV
uJXgabbTd89CAK/Ro1glLbxfNvpG3Oft//7p5NGZ+K3VFnlsKnKcr6sOEGNpjCrI
v1nk5ILNY02qNUm/wbdOzH4+1Rcb9yXuqJTOlm4JrCk5dYUn+yYhsw68vHI4rzV9
DHO1hxHNqNShnff/dnMUc4U+Zje7O3I9wre3dBeG+EDKeD371rdTa7cldkjziq5c
bwIDAQAB
-----END PUBLIC KEY-----
`),
  google: createPublicKey(`-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENAnQA38A9gqYzL2FtwKvSqSVUuGg
HKfqXCLdEbjkJb1af/YtiYs0xvBdChSmPgJtacqVUFV4MWEHsZTxJN4prQ==
-----END PUBLIC KEY-----
`),
};
