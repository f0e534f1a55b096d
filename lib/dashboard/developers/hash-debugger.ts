/**
 * The hash debugger: reads a refused request again with the pipeline's own code, computes its signature with the
 * merchant's key and looks for the mistake. It stores nothing.
 */
import { z } from 'zod';
import { env } from '../../config/index.ts';
import type { Question } from '../../core/hash-causes/layouts.ts';
import { mappingProtocols } from '../../core/mapping-options.ts';
import type { Protocol } from '../../core/payment.ts';
import { isKnownToPayer, layOut } from '../../core/signatures.ts';
import { programsOf, sampleOf } from '../../docs/index.ts';
import { type SigningKey, signingKeysOf } from '../../merchants/index.ts';
import { kindOfId } from '../../payments/index.ts';
import {
  actionRegistry,
  bodyOf,
  fieldOf,
  findRegisteredAction,
  inspectSignature,
  merchantOfKey,
  type RegisteredAction,
  recipeOf,
  type SignatureInspection,
} from '../../protocols/index.ts';
import { invalid, orNull, parseBody } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { readList } from '../lists/resource.ts';
import { findRequest, type RequestDetails, requestRow, requests, signatureNeighbours } from '../requests/requests.ts';
import { explanationOf, seesWholeHash } from './explanation.ts';

const recentMax = 20;

/** The initial data of the page: the newest refused signatures, and the requested or newest one. */
export async function debuggerPage(request: PageContext) {
  const query = new URLSearchParams('outcome=signature');
  const { rows } = await readList(requests, { ...request, query });
  const recent = rows.slice(0, recentMax) as ReturnType<typeof requestRow>[];
  const wanted = request.query.get('request') ?? recent[0]?.id;
  return {
    recent,
    debugged: wanted === undefined ? null : await orNull(debugLogged({ ...request, params: { id: wanted } })),
    actions: actionRegistry.map(({ protocol, action }) => ({ protocol, action })),
  };
}

const nothing = (title: string, text: string, faults: string[] = []) => ({
  explanation: null,
  said: { title, text, faults },
});

async function debugLogged(request: PageContext) {
  const match = await findRequest(request);
  const { refusedAt, protocol, action, merchantId } = match;
  const registered = findRegisteredAction(protocol, action);
  const neighbours = await signatureNeighbours(match, request.scope);
  const about = { request: requestRow(match), message: messageOf(match), ...neighbours };
  if (refusedAt !== 'signature') return { ...about, ...nothing(...notExplainableReason(match)) };
  if (!registered) return { ...about, ...nothing('Unknown action', `The action ${action} no longer exists.`) };
  if (merchantId === null) {
    return { ...about, ...nothing('Unknown key', 'The key in the request is unknown or has expired.') };
  }
  return { ...about, ...(await explainText(registered, match.request, merchantId, request)) };
}

function messageOf({ response }: RequestDetails): string | null {
  const [, code, message] = /"error_code":(\d+),"error_message":"([^"]*)"/.exec(response) ?? [];
  return code === undefined ? null : `${code} ${message}`;
}

function notExplainableReason({ refusedAt, httpStatus }: RequestDetails): [string, string] {
  if (httpStatus >= 500) return ['Internal error', 'This is an error of Florin, not of the signature.'];
  if (refusedAt === null || ['run', 'subject', 'payout'].includes(refusedAt)) {
    return ['The hash was right', 'The request passed the signature check, so there is nothing to explain.'];
  }
  return [
    'The signature was not checked',
    'The request was refused earlier for another reason. Open it in the API logs to see why.',
  ];
}

const pasted = z.object({
  protocol: z.enum(mappingProtocols),
  action: z.string().max(64),
  text: z.string().trim().min(1, 'Paste the body of a request.').max(64_000, 'The text is too long.'),
});

/** Explains a pasted request of the user's own merchant. */
export async function debugPasted(request: DashboardRequest) {
  const { scope, now } = request;
  const { protocol, action, text } = parseBody(pasted, request.body);
  const about = { request: null, message: null, earlier: null, later: null };
  const raw = protocol === 'checkout' ? text : oneLine(text);
  const named = findRegisteredAction(protocol, action);
  const read = named && (await bodyOf(named, raw));
  if (!named || !read) throw invalid({ text: bodyError(protocol, text) }, 'The text cannot be read.');
  const registered = (typeof read.action === 'string' && findRegisteredAction(protocol, read.action)) || named;
  const key = protocol === 'checkout' ? read.merchant_key : read.client_key;
  const merchantId = await merchantOfKey(key, protocol, now);
  if (merchantId !== null && (scope === null || merchantId === scope)) {
    return { ...about, ...(await explainText(registered, raw, merchantId, request)) };
  }
  const keys = scope === null ? [] : await signingKeysOf(scope);
  const said = keys.some(({ password }) => password === key)
    ? nothing(
        'Key and password are swapped',
        'The password is in the place of the key. Send the key in the body and sign with the password.',
      )
    : nothing(
        'The key is not one of yours',
        'The request contains no valid key of yours. Keys of the other environment and expired keys are not accepted either.',
      );
  return { ...about, ...said };
}

/** Why a body cannot be read; for JSON with the place of the error. */
function bodyError(protocol: Protocol, text: string): string {
  if (protocol !== 'checkout') return 'Invalid form body: enter name=value, one line or one line per field.';
  try {
    JSON.parse(text);
    return 'Invalid JSON body: enter an object.';
  } catch (thrown) {
    const at = Number(/position (\d+)/.exec((thrown as Error).message)?.[1] ?? text.length);
    const before = text.slice(0, at).split('\n');
    return `Invalid JSON in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
  }
}

/** Accepts a form with one field per line, as the log shows it. */
export function oneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const pairs = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const at = line.indexOf('=');
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
  });
  return new URLSearchParams(pairs).toString();
}

async function explainText(
  registered: RegisteredAction,
  text: string,
  merchantId: string,
  { viewer, now }: PageContext,
) {
  const explained = await inspectSignature(registered, text);
  if (explained.kind === 'unsigned') {
    return nothing('This request is not signed', 'This action is authenticated by its session token.');
  }
  if (explained.kind === 'refused') {
    const why = `This request is refused before the signature check: ${explained.message}`;
    return nothing('The signature cannot be computed', why, explained.faults);
  }
  if (explained.caller.merchant.id !== merchantId) {
    return nothing('The key is not one of yours', 'It belongs to another merchant.');
  }
  const { recipe, values } = explained.signature;
  if (await isKnownToPayer({ recipe, values: { ...values, password: '' } }, (id) => kindOfId(merchantId, id))) {
    return nothing(
      'The payer can obtain this hash',
      'The signed text begins with the ID of one of your payments, as the hash on success_url and cancel_url does. Such a request is always refused: send an order number of your own.',
    );
  }
  return { explanation: await explainSigned(registered, explained, seesWholeHash(viewer), now), said: null };
}

type Signed = Extract<SignatureInspection, { kind: 'signed' }>;

async function explainSigned(
  registered: RegisteredAction,
  { caller, signature, body, others, unsigned }: Signed,
  whole: boolean,
  now: Date,
) {
  const { key, mapping, merchant } = caller;
  const values = { ...signature.values, password: key.password };
  const layout = layOut(recipeOf(signature), values);
  const { digest } = mapping;
  const question: Question = {
    recipe: signature.recipe,
    values,
    digest,
    hash: signature.hash,
    key: key.key,
    passwords: otherPasswords(await signingKeysOf(merchant.id), key.id, now),
    others,
    unsigned,
  };
  const labelOf = (name: string, text: string) => {
    const field = fieldOf(name, text, body);
    return field && name === 'fragment' ? `${field}: first 6 and last 4` : (field ?? fieldByName(name, body));
  };
  return explanationOf({
    ...question,
    labelOf,
    whole,
    code: programsOf(sampleOf(registered, body, { layout, digest }), 'signing'),
  });
}

// Maps a value that an explanation changed to its field.
function fieldByName(name: string, body: { [name: string]: unknown }): string | null {
  const nested = typeof body.order === 'object' && body.order !== null;
  const names: { readonly [name: string]: string } = {
    orderId: nested ? 'order.number' : 'order_id',
    amount: nested ? 'order.amount' : 'order_amount' in body ? 'order_amount' : 'amount',
    currency: nested ? 'order.currency' : 'order_currency',
    description: nested ? 'order.description' : 'order_description',
    identifier: 'identifier',
  };
  return names[name] ?? null;
}

/** The merchant's other passwords, labelled by key without revealing them. */
export function otherPasswords(keys: SigningKey[], usedId: string, now: Date): { password: string; what: string }[] {
  const used = keys.find(({ id }) => id === usedId);
  return keys
    .filter(({ id, password }) => id !== usedId && password !== used?.password)
    .map(({ key, environment, password, validUntil, createdAt }) => {
      const short = `${key.slice(0, 4)}…${key.slice(-4)}`;
      if (environment !== env.appEnv) return { password, what: `the ${environment} password, of the key ${short}` };
      if (validUntil && validUntil <= now) return { password, what: `the password of the expired key ${short}` };
      const age = used && createdAt < used.createdAt ? 'earlier' : 'other';
      return { password, what: `the password of your ${age} key ${short}` };
    });
}
