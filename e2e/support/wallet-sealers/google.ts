// Seals Google Pay tokens like Google, following "Payment data cryptography for merchants". It shares no code with the
// product, and lets a test change every step.

import { createCipheriv, createECDH, createHmac, type KeyObject, sign } from 'node:crypto';
import { ellipticKeys, infoOf, type KeyPair } from './certificates.ts';

/** Google's root key and intermediate key, and the recipient's own. */
export type GoogleParties = Record<'root' | 'intermediate' | 'recipient', KeyPair>;

export function makeGoogleWorld(): GoogleParties {
  return { root: ellipticKeys(), intermediate: ellipticKeys(), recipient: ellipticKeys() };
}

/** Every choice of a sealer. The defaults make a valid token. */
export type GoogleChoices = {
  sender: string;
  recipientId: string;
  protocol: string;
  /** The values that the signatures cover, if they differ from the token's. */
  signedProtocol: string;
  recipient: KeyObject;
  root: KeyObject;
  intermediate: KeyPair;
  keyExpires: string;
  /** The intermediate key's JSON; null: computed from the other choices. */
  signedKey: string | null;
  payment: unknown;
  /** Changes the message before it is signed. */
  message: (fields: Record<string, string>) => unknown;
};

const milliseconds = (time: string): string => String(Date.parse(time));

export const googlePayment = {
  messageExpiration: milliseconds('2026-11-27T12:00:00Z'),
  messageId: 'AH2EjtfkY514K5lmPF4NOP9lMR5tPedsjQR719hIzI',
  paymentMethod: 'CARD',
  paymentMethodDetails: {
    pan: '4111111111111111',
    expirationMonth: 12,
    expirationYear: 2029,
    authMethod: 'PAN_ONLY',
    assuranceDetails: { cardHolderAuthenticated: true, accountVerified: true },
  },
  gatewayMerchantId: 'shop-1',
};

export const googleCryptogram = {
  ...googlePayment,
  paymentMethodDetails: {
    pan: '4895370012003478',
    expirationMonth: 1,
    expirationYear: 2030,
    authMethod: 'CRYPTOGRAM_3DS',
    cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
    eciIndicator: '07',
  },
};

export type GoogleToken = {
  protocolVersion: string;
  signature: string;
  intermediateSigningKey: { signedKey: string; signatures: string[] };
  signedMessage: string;
};

/** Google's list of root keys, as it publishes it. */
export function rootsOf(parties: GoogleParties, expires = '2038-04-14T00:00:00Z'): string {
  const keyValue = infoOf(parties.root.publicKey).toString('base64');
  const old = { keyValue: infoOf(ellipticKeys().publicKey).toString('base64'), protocolVersion: 'ECv1' };
  return JSON.stringify({ keys: [old, { keyValue, protocolVersion: 'ECv2', keyExpiration: milliseconds(expires) }] });
}

/** Seals a token. A test's choices override the defaults. */
export function sealGoogle(parties: GoogleParties, changed: Partial<GoogleChoices> = {}): GoogleToken {
  const choices: GoogleChoices = {
    sender: 'Google',
    recipientId: 'gateway:florin',
    protocol: 'ECv2',
    signedProtocol: changed.protocol ?? 'ECv2',
    recipient: parties.recipient.publicKey,
    root: parties.root.privateKey,
    intermediate: parties.intermediate,
    keyExpires: '2026-11-21T00:00:00Z',
    signedKey: null,
    payment: googlePayment,
    message: (fields) => fields,
    ...changed,
  };
  const { sender, recipientId, signedProtocol, intermediate, keyExpires } = choices;
  const keyValue = infoOf(intermediate.publicKey).toString('base64');
  const signedKey = choices.signedKey ?? JSON.stringify({ keyValue, keyExpiration: milliseconds(keyExpires) });
  // Google escapes the sign = so that HTML can contain the text.
  const signedMessage = JSON.stringify(choices.message(encrypt(choices))).replaceAll('=', '\\u003d');
  return {
    protocolVersion: choices.protocol,
    signature: signParts([sender, recipientId, signedProtocol, signedMessage], intermediate.privateKey),
    intermediateSigningKey: { signedKey, signatures: [signParts([sender, signedProtocol, signedKey], choices.root)] },
    signedMessage,
  };
}

/** A signature of texts, each after its length in four bytes, least significant byte first. */
export function signParts(parts: readonly string[], key: KeyObject): string {
  const framed = parts.map((part) => {
    const bytes = new TextEncoder().encode(part);
    const length = new Uint8Array(new Uint32Array([bytes.length]).buffer);
    return Buffer.concat([length, bytes]);
  });
  return sign('sha256', Buffer.concat(framed), key).toString('base64');
}

function encrypt({ payment, recipient }: GoogleChoices): Record<string, string> {
  const text = typeof payment === 'string' ? payment : JSON.stringify(payment);
  const ephemeral = createECDH('prime256v1');
  const point = ephemeral.generateKeys();
  const shared = ephemeral.computeSecret(infoOf(recipient).subarray(-65));
  const keys = expand(Buffer.concat([point, shared]));
  const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, 32), Buffer.alloc(16));
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
  const tag = createHmac('sha256', keys.subarray(32)).update(encrypted).digest();
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: tag.toString('base64'),
  };
}

// HKDF of RFC 5869 with SHA-256, a salt of 32 zero bytes and the sender as context, step by step: 64 bytes.
function expand(material: Buffer): Buffer {
  const mac = (key: Buffer, ...parts: Uint8Array[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  const context = Buffer.from('Google');
  const extracted = mac(Buffer.alloc(32), material);
  const first = mac(extracted, context, Buffer.from([1]));
  return Buffer.concat([first, mac(extracted, first, context, Buffer.from([2]))]);
}
