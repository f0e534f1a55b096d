// The credentials that methods require in an order, and for some a token and a reference issued earlier. Any value of
// the account's settings is accepted, since the provider issued none; issued values are derived from the vault key and
// so can be verified.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { env } from '../../config/index.ts';
import { formatAmount } from '../../core/money.ts';
import { now } from '../../db/clock.ts';
import type { HttpRequest, HttpResult } from '../../http/index.ts';
import { credentialLines } from '../../methods/catalog/lines.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { Method } from '../../methods/method.ts';
import { digitsOf } from './bank-details.ts';
import type { Caller } from './modifications.ts';
import { minorIn, parse, parseJson, reject, say } from './wire.ts';

const privateKey = 'private_key';
const tokenSeconds = 15 * 60;

type Order = {
  reference: string;
  method: string;
  minor: bigint;
  currency: string;
  credentials?: Record<string, unknown>;
};

/** Rejects an order with missing or wrong credentials. */
export function requireCredentials(caller: Caller, method: Method, order: Order, headers: Headers): void {
  const credential = (name: string) => (/^x-/i.test(name) ? headers.get(name) : order.credentials?.[name]);
  const needed = credentialLines(method.credentials).filter(({ required }) => required);
  const missing = needed.filter(({ name }) => name !== privateKey && !isText(credential(name)));
  if (missing.length > 0) rejectUncredited(missing.map(({ name }) => name));
  if (needed.some(({ name }) => name === privateKey)) requireReference(caller, order, headers);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function rejectUncredited(names: string[]): never {
  return reject(400, 'credentials_missing', `The order lacks the account's own ${names.join(', ')}`);
}

function requireReference(caller: Caller, order: Order, headers: Headers): void {
  const token = headers.get('x-authorization-token');
  const { reference, gateway_id: gateway } = order.credentials ?? {};
  if (!isText(token) || !isText(reference) || !isText(gateway))
    rejectUncredited(['X-Authorization-Token', 'reference', 'gateway_id']);
  if (readToken(token)?.account !== caller.account) reject(403, 'token_not_valid', 'The token is not valid');
  const made = referenceOf(caller.account, order.method, order.reference.slice(0, 40), order.minor, order.currency);
  if (made.reference !== reference || made.gateway_id !== gateway)
    reject(422, 'reference_not_valid', 'There is no such reference for this payment');
}

const tokenShape = z.object({ method: z.string().min(1).max(255), [privateKey]: z.string().min(1).max(1024) });

/** Answers POST /tokens: issues a token for a valid private key. */
export async function issueToken(caller: Caller, request: HttpRequest): Promise<HttpResult> {
  const read = tokenShape.safeParse(parseJson(await request.text()));
  if (!read.success) rejectUncredited([privateKey]);
  const { method } = read.data;
  const isPrepared = credentialLines(findMethod(method)?.credentials).some(({ name }) => name === privateKey);
  if (!isPrepared) reject(422, 'method_not_supported', 'This method takes no token');
  const ends = Math.floor(now().getTime() / 1000) + tokenSeconds;
  return say({ token: writeToken(caller.account, ends), expires_in: tokenSeconds });
}

const referenceShape = z.object({
  method: z.string().min(1).max(255),
  amount: z.string().max(20),
  currency: z.string().min(3).max(6),
  public_id: z.string().min(1).max(40),
  single: z.boolean(),
});

/** Answers POST /references, authorised by a token: issues the reference to pay this amount with. */
export async function issueReference(request: HttpRequest): Promise<HttpResult> {
  const token = readToken(request.headers.get('authorization') ?? '');
  if (!token) return reject(401, 'unauthorized', 'The token is not valid');
  const { method, amount, currency, public_id } = parse(referenceShape, parseJson(await request.text()));
  return say(referenceOf(token.account, method, public_id, minorIn(amount, currency), currency));
}

function referenceOf(account: string, method: string, publicId: string, minor: bigint, currency: string) {
  const seed = ['reference', account, method, publicId, formatAmount(minor, currency), currency].join(' ');
  return { reference: digitsOf(macOf(seed), 14), gateway_id: `gw-${digitsOf(macOf(`gateway ${method}`), 6)}` };
}

function macOf(text: string): string {
  return createHmac('sha256', env.vaultKey).update(`sandbox provider ${text}`).digest('base64url');
}

const writeToken = (account: string, ends: number) => `${account}.${ends}.${macOf(`token ${account} ${ends}`)}`;

function readToken(token: string): { account: string } | null {
  const [, account = '', ends = ''] = /^([\w-]{1,64})\.(\d{1,12})\.[\w-]{43}$/.exec(token) ?? [];
  const right = Buffer.from(writeToken(account, Number(ends)));
  const received = Buffer.from(token);
  const isRight = right.length === received.length && timingSafeEqual(right, received);
  return isRight && Number(ends) * 1000 > now().getTime() ? { account } : null;
}
