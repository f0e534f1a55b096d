/**
 * Passkeys: their registration, and the check of an assertion. @simplewebauthn/server reads and verifies what browsers
 * send (origin, RP ID, user verification, signature); this file keeps the challenges, the counters and the owners.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { v7 } from 'uuid';
import { dashboardBaseUrl } from '../config/index.ts';
import { isUuid } from '../core/ids.ts';
import { prisma } from '../db/index.ts';
import type { PrismaClient } from '../prisma/client.ts';
import { log } from '../telemetry/index.ts';
import { audit } from './audit.ts';
import { newRecoveryRow } from './second-factor.ts';
import { challengeSeconds } from './time-limits.ts';

/** What a browser sends for a passkey that signs in or confirms; its parts are not verified yet. */
export type Assertion = AuthenticationResponseJSON;
/** What a browser sends for a new passkey; its parts are not verified yet. */
export type NewPasskey = RegistrationResponseJSON;

/**
 * What a challenge is for, and its owner: the id of a session, or that of the pending sign-in. The challenge of a
 * sign-in without a password has no owner, because its user is not known yet.
 */
export type ChallengeUse =
  | { purpose: 'registration' | 'confirmation'; owner: string }
  | { purpose: 'second_step'; owner: string }
  | { purpose: 'sign_in'; owner: null };

/** The most passkeys of a user. */
export const passkeysMax = 10;

// The algorithms of every supported Node.js: Ed25519, ES256, RS256.
const algorithms = [-8, -7, -257];

// Passkeys belong to the dashboard's host, whatever name the browser used.
function relyingParty() {
  const { hostname, origin } = new URL(dashboardBaseUrl());
  return { id: hostname, origin };
}

const isVerified = { requireUserVerification: true } as const;

/** A user's passkeys, the oldest first. */
export async function listPasskeys(userId: string) {
  const rows = await prisma().userPasskey.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
  return rows.map(({ id, name, backedUp, createdAt, lastUsedAt }) => ({ id, name, backedUp, createdAt, lastUsedAt }));
}

/** The options with which a browser creates a passkey; null if the user has the most already. */
export async function registrationOptions(person: { id: string; email: string; name: string }, sessionId: string) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const known = await credentialsOf(person.id);
  if (known.length >= passkeysMax) return null;
  const options = await generateRegistrationOptions({
    rpName: 'Florin',
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name,
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  await storeChallenge({ purpose: 'registration', owner: sessionId }, options.challenge);
  return options;
}

/** `codes`: the recovery codes, if these are the user's first. `late`: the challenge has expired or was used. */
export type RegistrationResult = { codes: string[] | null } | 'late' | 'wrong' | 'known' | 'full';

/** Stores a new passkey, which makes two-factor authentication required for the user. */
export async function registerPasskey(
  userId: string,
  sessionId: string,
  name: string,
  response: NewPasskey,
): Promise<RegistrationResult> {
  const challenge = await claimChallenge({ purpose: 'registration', owner: sessionId }, response);
  if (challenge === null) return 'late';
  const made = await orNull(verifyNewPasskey(response, challenge));
  if (!made?.verified) return 'wrong';
  const { credential, credentialBackedUp: backedUp } = made.registrationInfo;
  const { id: credentialId, publicKey, counter, transports = [] } = credential;
  const { row, codes } = await newRecoveryRow(userId);
  return prisma().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.userPasskey.count({ where: { userId } })) >= passkeysMax) return 'full';
    const data = { id: v7(), userId, name, credentialId, publicKey, counter, transports, backedUp };
    const stored = await tx.userPasskey.createMany({ data: { ...data, createdAt: new Date() }, skipDuplicates: true });
    if (stored.count === 0) return 'known';
    await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: true } });
    const first = await tx.userTwoFactor.createMany({ data: row, skipDuplicates: true });
    return { codes: first.count > 0 ? codes : null };
  });
}

/** Verifies a new passkey; throws where it is not one that was requested with this challenge. */
export async function verifyNewPasskey(response: NewPasskey, expectedChallenge: string) {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const format = attestation.get('fmt');
  // Without a request for attestation browsers leave at most a signature of the passkey itself. The library would fetch the
  // addresses in certificates of other formats.
  if (format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c')))
    throw new Error(`the attestation ${format} was not requested`);
  const { id, origin } = relyingParty();
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: id };
  return verifyRegistrationResponse({ ...expected, ...isVerified, response, supportedAlgorithmIDs: algorithms });
}

/** Renames a user's passkey; false if it does not exist. */
export async function renamePasskey(userId: string, id: string, name: string): Promise<boolean> {
  return (await prisma().userPasskey.updateMany({ where: { id, userId }, data: { name } })).count > 0;
}

/** Removes a user's passkey; false if it is the only second factor. */
export function removePasskey(userId: string, id: string): Promise<boolean> {
  return prisma().$transaction(async (tx) => {
    await lockUser(tx, userId);
    const others = await tx.userPasskey.count({ where: { userId, id: { not: id } } });
    const authenticators = await tx.userTwoFactor.count({ where: { userId, verified: true } });
    if (others + authenticators === 0) return false;
    await tx.userPasskey.deleteMany({ where: { id, userId } });
    return true;
  });
}

// Of two concurrent changes of a user's passkeys the second sees the first.
const lockUser = (tx: Pick<PrismaClient, '$executeRaw'>, userId: string) =>
  tx.$executeRaw`select 1 from users where id = ${userId}::uuid for update`;

/** The options with which a browser asks for a passkey: one of this user, or any of this site. */
export async function assertionOptions(use: ChallengeUse, userId: string | null) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification: 'required',
    timeout: challengeSeconds * 1000,
    ...(userId !== null && { allowCredentials: await credentialsOf(userId) }),
  });
  await storeChallenge(use, options.challenge);
  return options;
}

/** The user who owns the passkey and whom the passkey names; null for an unknown one. Nothing is verified yet. */
export function findPasskeyOwner({ id: credentialId, response }: Assertion) {
  const named = Buffer.from(response.userHandle ?? '', 'base64url').toString();
  const owned = { passkeys: { some: { credentialId } } };
  return isUuid(named) ? prisma().user.findFirst({ where: { id: named, ...owned } }) : null;
}

/** Accepts an assertion of a user's passkey, once; false for any other. */
export async function consumeAssertion(
  userId: string,
  use: ChallengeUse,
  response: Assertion,
  now: Date,
): Promise<boolean> {
  const challenge = await claimChallenge(use, response);
  const stored = await prisma().userPasskey.findFirst({ where: { credentialId: response.id, userId } });
  if (challenge === null || !stored) return false;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  // Any counter is accepted here; advanceCounter compares it with the stored one, in the statement that changes it.
  const credential = { id: stored.credentialId, publicKey: new Uint8Array(stored.publicKey), counter: 0 };
  const expected = { expectedChallenge: challenge, expectedOrigin, expectedRPID };
  const checked = await orNull(verifyAuthenticationResponse({ ...expected, ...isVerified, response, credential }));
  if (!checked?.verified) return false;
  const { newCounter, credentialBackedUp } = checked.authenticationInfo;
  if (await advanceCounter(stored.id, newCounter, credentialBackedUp)) return true;
  const after = { name: stored.name, counter: newCounter, stored: Number(stored.counter) };
  await audit({ actor: 'unauthenticated', action: 'passkey.counter', subject: `user:${userId}`, after }, now);
  return false;
}

// A counter that does not grow is that of a copied passkey. Passkeys that do not count always have 0.
async function advanceCounter(id: string, counter: number, backedUp: boolean): Promise<boolean> {
  const { count } = await prisma().userPasskey.updateMany({
    where: { id, OR: [{ counter: { lt: counter } }, ...(counter === 0 ? [{ counter: 0 }] : [])] },
    data: { counter, backedUp, lastUsedAt: new Date() },
  });
  return count > 0;
}

async function credentialsOf(userId: string) {
  const rows = await prisma().userPasskey.findMany({ where: { userId } });
  return rows.map(({ credentialId: id, transports }) => ({ id, transports: transports as Transports }));
}

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;

const challengeKey = ({ purpose, owner }: ChallengeUse, challenge: string) =>
  `passkey:${purpose}:${owner ?? ''}:${challenge}`;

async function storeChallenge(use: ChallengeUse, challenge: string): Promise<void> {
  const expiresAt = new Date(Date.now() + challengeSeconds * 1000);
  const data = { id: v7(), identifier: challengeKey(use, challenge), value: '', expiresAt };
  await prisma().userVerification.create({ data });
}

/** Uses up the challenge that a browser signed; null if it was not given out for this use, or is used or expired. */
async function claimChallenge(use: ChallengeUse, { response }: Assertion | NewPasskey): Promise<string | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  const challenge = await orNull((async () => decodeClientDataJSON(response.clientDataJSON)?.challenge)());
  if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge)) return null;
  const where = { identifier: challengeKey(use, challenge), expiresAt: { gt: new Date() } };
  return (await prisma().userVerification.deleteMany({ where })).count > 0 ? challenge : null;
}

// The library throws for everything that it does not accept.
async function orNull<Checked>(checking: Promise<Checked>): Promise<Checked | null> {
  return checking.catch((thrown: unknown) => {
    log.info({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'a passkey was not accepted');
    return null;
  });
}
