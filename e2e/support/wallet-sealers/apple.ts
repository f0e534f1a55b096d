// Seals Apple Pay tokens like a device and Apple's server, following Apple's Payment Token Format Reference. It shares
// no code with the product, and lets a test change every step.

import {
  constants,
  createCipheriv,
  createECDH,
  createHash,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto';
import { ellipticKeys, type Issued, infoOf, issue, issueMerchant, rsaKeys } from './certificates.ts';
import { der, integer, nothing, octets, oid, open, sequence, set, utcTime } from './der.ts';

export const merchantId = 'merchant.example.florin';
export const markers = { leaf: '1.2.840.113635.100.6.29', intermediate: '1.2.840.113635.100.6.2.14' };

/**
 * The certificates of a wallet: a root and an intermediate, a signer for each kind of token, a merchant with each key.
 */
export type AppleCertificates = Record<
  'root' | 'intermediate' | 'leaf' | 'rsaLeaf' | 'merchant' | 'rsaMerchant',
  Issued
>;

export function makeAppleWorld(): AppleCertificates {
  const root = issue({ name: 'Root', keys: ellipticKeys('P-384'), authority: true, digest: 'sha384' });
  const marked = { [markers.intermediate]: nothing };
  const intermediate = issue({
    name: 'Intermediate',
    keys: ellipticKeys(),
    issuer: root,
    authority: true,
    digest: 'sha384',
    extensions: marked,
  });
  const extensions = { [markers.leaf]: nothing };
  return {
    root,
    intermediate,
    leaf: issue({ name: 'Signer', keys: ellipticKeys(), issuer: intermediate, serial: 7, extensions }),
    rsaLeaf: issue({ name: 'RSA signer', keys: rsaKeys(), issuer: intermediate, serial: 8, extensions }),
    merchant: issueMerchant(merchantId, ellipticKeys()),
    rsaMerchant: issueMerchant(merchantId, rsaKeys()),
  };
}

/** The keys and certificates that seal a token; they do not include a merchant's private key. */
export type AppleParties = Pick<AppleCertificates, 'intermediate' | 'leaf' | 'rsaLeaf'> &
  Record<'merchant' | 'rsaMerchant', Pick<Issued, 'publicKey'>>;

/** Every choice of a sealer. The defaults make a valid token. */
export type AppleChoices = {
  version: 'EC_v1' | 'RSA_v1';
  payment: unknown;
  recipient: Pick<Issued, 'publicKey'>;
  merchantId: string;
  /** The ephemeral or wrapped key that the token contains and Apple signs; null: the key that seals the token. */
  key: Buffer | null;
  transactionId: string;
  applicationData: string | undefined;
  /** The signed values; null: the token's own. */
  content: Buffer | null;
  signer: Issued;
  issuer: Issued;
  /** Certificates in the signature in addition to the signer's. */
  certificates: Issued[];
  signedAt: string | null;
  /** The values of the signed attributes. */
  contentType: string;
  digest: Buffer | null;
  digestAlgorithm: string;
  algorithm: string | null;
  signers: number;
  attached: boolean;
};

export const applePayment = {
  applicationPrimaryAccountNumber: '4817499130018492',
  applicationExpirationDate: '291231',
  currencyCode: '978',
  transactionAmount: 8450,
  cardholderName: 'Zoë Ünal',
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '5' },
};

export type AppleToken = {
  paymentData: {
    version: string;
    data: string;
    signature: string;
    header: {
      ephemeralPublicKey?: string;
      wrappedKey?: string;
      publicKeyHash: string;
      transactionId: string;
      applicationData?: string;
    };
  };
  paymentMethod: { network: string };
  transactionIdentifier: string;
};

/** Seals an EC_v1 token, or an RSA_v1 token if that is the version. A test's choices override the defaults. */
export function sealApple(parties: AppleParties, changed: Partial<AppleChoices> = {}): AppleToken {
  const rsa = changed.version === 'RSA_v1';
  const signer = changed.signer ?? (rsa ? parties.rsaLeaf : parties.leaf);
  const choices: AppleChoices = {
    version: 'EC_v1',
    payment: applePayment,
    recipient: rsa ? parties.rsaMerchant : parties.merchant,
    merchantId,
    key: null,
    transactionId: '117a9854c5886bdff1815c06ae695c171bc22b1e37994ad9fbe77a3efb868034',
    applicationData: undefined,
    content: null,
    signer,
    issuer: parties.intermediate,
    certificates: [signer, parties.intermediate],
    signedAt: '2026-11-20T11:59:30Z',
    contentType: '1.2.840.113549.1.7.1',
    digest: null,
    digestAlgorithm: '2.16.840.1.101.3.4.2.1',
    algorithm: null,
    signers: 1,
    attached: false,
    ...changed,
  };
  const { name, secret, ...made } = rsa ? wrap(choices.recipient.publicKey) : agree(choices);
  const key = choices.key ?? made.key;
  const data = encrypt(choices.payment, secret);
  const { transactionId, applicationData } = choices;
  const ids = Buffer.from(transactionId + (applicationData ?? ''), 'hex');
  const signature = signedData(choices.content ?? Buffer.concat([key, data, ids]), choices);
  const publicKeyHash = createHash('sha256').update(infoOf(choices.recipient.publicKey)).digest('base64');
  const [data64, signature64] = [data, signature].map((bytes) => bytes.toString('base64')) as [string, string];
  const header = { [name]: key.toString('base64'), publicKeyHash, transactionId, applicationData };
  return {
    paymentData: { version: choices.version, data: data64, signature: signature64, header },
    paymentMethod: { network: 'Visa' },
    transactionIdentifier: transactionId,
  };
}

function agree({ recipient, merchantId: id }: AppleChoices) {
  const ephemeral = createECDH('prime256v1');
  const point = ephemeral.generateKeys();
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const recipientPoint = infoOf(recipient.publicKey).subarray(-65);
  const key = infoOf(createPublicKey({ key: jwk, format: 'jwk' }));
  const parties = Buffer.concat([
    Buffer.from('0d', 'hex'),
    Buffer.from('id-aes256-GCM'),
    Buffer.from('Apple'),
    createHash('sha256').update(id).digest(),
  ]);
  const derivation = Buffer.concat([Buffer.from('00000001', 'hex'), ephemeral.computeSecret(recipientPoint), parties]);
  return { key, name: 'ephemeralPublicKey', secret: createHash('sha256').update(derivation).digest() };
}

function wrap(key: KeyObject) {
  const secret = randomBytes(16);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return { key: publicEncrypt({ key, padding, oaepHash: 'sha256' }, secret), name: 'wrappedKey', secret };
}

function encrypt(payment: unknown, secret: Buffer): Buffer {
  const text = typeof payment === 'string' ? payment : JSON.stringify(payment);
  if (text === '') return Buffer.alloc(0);
  const name = secret.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm';
  const cipher = createCipheriv(name, secret, Buffer.alloc(16));
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** A detached CMS signature of `content`, with the indefinite lengths and the attributes that Apple uses. */
function signedData(content: Buffer, choices: AppleChoices): Buffer {
  const attributes = attributesOf(content, choices);
  const signed = sign('sha256', set(...attributes), choices.signer.privateKey);
  const rsa = choices.signer.privateKey.asymmetricKeyType === 'rsa';
  const algorithm = choices.algorithm ?? (rsa ? '1.2.840.113549.1.1.11' : '1.2.840.10045.4.3.2');
  const digestAlgorithm = sequence(oid(choices.digestAlgorithm));
  const signer = sequence(
    integer(1),
    sequence(choices.issuer.name, choices.signer.serial),
    digestAlgorithm,
    der(0xa0, ...attributes),
    sequence(oid(algorithm)),
    octets(signed),
  );
  const inner = [oid('1.2.840.113549.1.7.1'), ...(choices.attached ? [open(0xa0, octets(content))] : [])];
  const data = open(
    0x30,
    integer(1),
    set(digestAlgorithm),
    open(0x30, ...inner),
    open(0xa0, ...choices.certificates.map(({ certificate }) => certificate)),
    set(...Array.from({ length: choices.signers }, () => signer)),
  );
  return open(0x30, oid('1.2.840.113549.1.7.2'), open(0xa0, data));
}

function attributesOf(content: Buffer, { contentType, digest, signedAt }: AppleChoices): Buffer[] {
  const attribute = (dotted: string, value: Buffer) => sequence(oid(dotted), set(value));
  const messageDigest = digest ?? createHash('sha256').update(content).digest();
  return [
    attribute('1.2.840.113549.1.9.3', oid(contentType)),
    ...(signedAt === null ? [] : [attribute('1.2.840.113549.1.9.5', utcTime(new Date(signedAt)))]),
    attribute('1.2.840.113549.1.9.4', octets(messageDigest)),
  ];
}
