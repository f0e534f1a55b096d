// A software authenticator for WebAuthn: creates passkeys and signs with them, also wrongly. Written separately for the
// tests, so that they do not check the server with its own code.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Visitor, visitor, visitorAs } from './dashboard.ts';
import { createUser, merchantIds } from './users.ts';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** What an authenticator can do wrong. */
export type Wrong = {
  origin?: string;
  rpId?: string;
  /** Without the check of a fingerprint, a face or a PIN. */
  unverified?: true;
  /** The count of uses, instead of the next one. */
  counter?: number;
  challenge?: string;
  userHandle?: string;
  /** Signs with the key of another passkey. */
  key?: KeyObject;
};

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255]);

// CBOR: the map {1: 2, 3: -7, -1: 1, -2: x, -3: y} of COSE for a key of the curve P-256.
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
  return Buffer.concat([
    Buffer.from('a5010203262001', 'hex'),
    Buffer.from([0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
}

// CBOR: the map {fmt: "none", attStmt: {}, authData}.
function attestation(authData: Buffer): Buffer {
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  const data = Buffer.concat([Buffer.from([0x59]), uint16(authData.length), authData]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    data,
  ]);
}

/** A passkey that this authenticator has created for `origin`. */
export function softPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let owner = '';

  const clientData = (type: string, options: Options, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (options: Options, wrong: Wrong, more = Buffer.alloc(0)) => {
    counter = wrong.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    // Present, verified, with the data of a new passkey.
    const flags = 0x01 | (wrong.unverified ? 0 : 0x04) | (more.length > 0 ? 0x40 : 0);
    const rpId = wrong.rpId ?? options.rp?.id ?? options.rpId ?? '';
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  };
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    privateKey,
    /** The answer of a browser to the options of a registration. */
    create(options: Options, wrong: Wrong = {}) {
      owner = options.user?.id ?? '';
      const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)]);
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', options, wrong).toString('base64url'),
          attestationObject: attestation(authData(options, wrong, credential)).toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    /** The answer of a browser to the options of a sign-in or a confirmation. */
    get(options: Options, wrong: Wrong = {}) {
      const [client, data] = [clientData('webauthn.get', options, wrong), authData(options, wrong)];
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), wrong.key ?? privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: wrong.userHandle ?? owner,
        },
        clientExtensionResults: {},
      };
    },
  };
}

export type SoftPasskey = ReturnType<typeof softPasskey>;

/** Adds a passkey to a user's account; returns it with its id there and the recovery codes, if they are the first. */
export async function addPasskey(own: Visitor, florin: string, name = 'Laptop', proof: object = {}) {
  const passkey = softPasskey(florin);
  const begun = await own.post('/account/passkeys/begin', proof);
  if (begun.status !== 200) throw new Error(`no passkey: ${JSON.stringify(begun.body)}`);
  const body = { name, passkey: passkey.create(begun.body.options, { counter: 0 }) };
  const done = await own.post('/account/passkeys/finish', body);
  if (done.status !== 200) throw new Error(`no passkey: ${JSON.stringify(done.body)}`);
  const { passkeys } = (await own.get('/account')).body;
  return { passkey, id: passkeys.at(-1).id as string, codes: done.body.codes as string[] | null };
}

/** The options with which a page asks for a passkey. */
export async function passkeyOptions(user: Visitor, purpose: 'sign_in' | 'second_step' | 'confirmation') {
  const { status, body } = await user.post('/passkey-options', { purpose });
  if (status !== 200) throw new Error(`no options: ${JSON.stringify(body)}`);
  return body as Options & { allowCredentials?: { id: string }[]; userVerification: string };
}

export type PasskeyOptions = Awaited<ReturnType<typeof passkeyOptions>>;

/** A signed-in viewer with one passkey and no other second factor. */
export async function passkeyUser(florin: string) {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  return { ...own, ...(await addPasskey(own.visitor, florin)), userId: own.id };
}

/** Signs in by a passkey alone. */
export const signInByPasskey = (florin: string, passkey: object, next?: string) =>
  visitor(florin).post('/sign-in/passkey', { passkey, next });

/** A user's entries in the audit log as sentences, the newest first. */
export async function loggedFor(florin: string, userId: string, what: string): Promise<string[]> {
  const { body } = await (await visitorAs(florin, 'administrator')).get(`/audit-log?on=user:${userId}&what=${what}`);
  return body.rows.map((row: { what: string }) => row.what);
}
