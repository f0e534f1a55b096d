/**
 * The request builder: a form generated from an action's schema, signed by the server and sent to this deployment's
 * sandbox. In production nothing is signed or sent: the page shows code that signs with the reader's own password.
 */
import { z } from 'zod';
import { checkoutBaseUrl, env } from '../../config/index.ts';
import { mappingProtocols } from '../../core/mapping-options.ts';
import type { Protocol } from '../../core/payment.ts';
import { layOut, sign } from '../../core/signatures.ts';
import type { State } from '../../core/states.ts';
import { statement } from '../../db/index.ts';
import { programsOf, sampleOf } from '../../docs/index.ts';
import { bodyTextOf, encodeForm, type FormFields, isReserved } from '../../http/index.ts';
import { findCaller, type SigningKey, signingKeysOf } from '../../merchants/index.ts';
import {
  actionHelp,
  actionRegistry,
  executeRequest,
  fieldOf,
  fieldsOf,
  findRegisteredAction,
  helpOf,
  inspectSignature,
  type RegisteredAction,
  recipeOf,
} from '../../protocols/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, invalid, notFound, parseBody, refusal } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { textsOf } from '../requests/requests.ts';
import { validKeyOf } from './documentation-key.ts';
import { dots, formulaText } from './explanation.ts';

/** Requests that the browser must send itself, because only the merchant's page has the session token. */
const fromPages = /^\/api\/v1\/processing\//;

/** The actions with their fields, for the merchant in scope or the requested one. */
export async function builderPage({ scope, query, now }: PageContext) {
  const merchants = await merchantChoices(scope);
  const wanted = query.get('merchant');
  const merchant = merchants.find(({ id }) => id === wanted) ?? merchants[0] ?? null;
  const key = merchant && (await keyFor(merchant.id, now));
  const offered = actionRegistry.filter(({ action }) => !fromPages.test(action));
  const actions = await Promise.all(offered.map((each) => actionOf(each, merchant?.id ?? null, key, now)));
  /** Production requests are only shown as code, never signed or sent from here. */
  const sends = env.appEnv === 'sandbox';
  return { sends, merchant, merchants, keyName: key ? shortKey(key.key) : null, actions };
}

const shortKey = (key: string) => `${key.slice(0, 8)}…${key.slice(-4)}`;

const keyFor = async (merchantId: string, now: Date) => validKeyOf(await signingKeysOf(merchantId), now) ?? null;

async function actionOf(row: RegisteredAction, merchantId: string | null, key: SigningKey | null, now: Date) {
  const { protocol, action, path } = row;
  const caller = key && (await findCaller(key.key, protocol, now));
  const states = statesFor.flatMap(([pattern, state]) => (pattern.test(action) ? [state] : []));
  const suggestions = merchantId === null ? {} : await suggestionsFor(merchantId, protocol, states);
  const keyName = protocol === 'checkout' ? 'merchant_key' : 'client_key';
  const fields = fieldsOf(row, caller).filter((field) => field.path !== keyName);
  return {
    protocol: protocol as string,
    action,
    path,
    about: actionHelp[action] ?? '',
    title: protocol === 'checkout' ? action.replace('/api/v1/', '') : action,
    /** Requires a session token as a header. */
    token: row.row.caller !== undefined,
    fields: fields.map((field) => {
      // `usual`: shown from the start although not required.
      const { help, usual, sample } = helpOf(action, field.path);
      const suggestion = (references[field.path] ?? /./).test(action) ? suggestions[field.path] : null;
      return { ...field, help, usual, sample: suggestion ?? filled(sample) };
    }),
  };
}

/** The states of the payments that an action applies to, by the end of its name. */
const statesFor: [action: RegExp, state: State][] = [
  [/capture$/i, 'pending'],
  [/(void|refund)$/i, 'settled'],
  [/retry$/i, 'declined'],
];

/** The requests in which an identifier names an existing object; those of other fields always do. */
const references: { readonly [path: string]: RegExp } = {
  order_id: /^GET_.*STATUS/,
  card_token: /credit|remove/,
  schedule_id: /^(?!CREATE_SCHEDULE$).*SCHEDULE/,
};

function filled(sample: string): string {
  return sample
    .replace('{order}', `order-${Math.random().toString(36).slice(2, 10)}`)
    .replace('{base}', checkoutBaseUrl());
}

const built = z.object({
  protocol: z.enum(mappingProtocols),
  action: z.string().max(64),
  fields: z.record(z.string().max(128), z.string().max(32_000)),
  token: z
    .string()
    .max(512)
    .trim()
    .regex(/^[!-~]*$/, 'Enter a token without spaces and other characters that a header does not have.')
    .optional(),
  merchantId: idField().optional(),
});

type BuiltRequest = Awaited<ReturnType<typeof readRequest>>;

async function readRequest({ scope, body, now }: DashboardRequest) {
  const { protocol, action, fields, token, merchantId } = parseBody(built, body);
  const row = findRegisteredAction(protocol, action);
  if (!row || fromPages.test(action)) throw notFound();
  if (scope !== null && merchantId !== undefined && merchantId !== scope) throw notFound();
  const owner = scope ?? merchantId;
  if (owner === undefined) throw new DashboardError(400, 'Choose the merchant whose key signs.');
  const key = await keyFor(owner, now);
  if (!key) throw refusal(`This merchant has no valid ${env.appEnv} key. Generate one in the merchant settings.`);
  const keyName = protocol === 'checkout' ? { merchant_key: key.key } : { action, client_key: key.key };
  const named = row.row.caller ? {} : keyName;
  const headers: Record<string, string> = token ? { token } : {};
  const sent: { [name: string]: unknown } = { ...bodyOf(row, fields), ...named };
  return { row, body: sent, key, headers };
}

/** Builds the body from fields by their paths; empty ones are omitted. */
function bodyOf({ protocol }: RegisteredAction, fields: Record<string, string>): { [name: string]: unknown } {
  const body: Level = {};
  const errors: Record<string, string> = {};
  for (const [path, text] of Object.entries(fields)) {
    if (text.trim() === '' || !/^[\w.]+$/.test(path)) continue;
    const names = path.split('.');
    const last = names.pop() as string;
    const level = isReserved(last) ? null : levelOf(body, names);
    try {
      if (level) level[last] = jsonValue(path, text, protocol);
      else errors[path] = 'This name is not allowed.';
    } catch {
      errors[path] = 'Invalid JSON.';
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors, 'A field is not valid.');
  return body;
}

type Level = { [name: string]: unknown };

/** The object at a path, created if absent. Null for a text, and for names that lead to the prototype of all objects. */
function levelOf(body: Level, names: string[]): Level | null {
  let level: unknown = body;
  for (const name of names) {
    if (isReserved(name) || typeof level !== 'object') return null;
    (level as Level)[name] ??= {};
    level = (level as Level)[name];
  }
  return typeof level === 'object' ? (level as Level) : null;
}

const jsonNames = new Set(['methods', 'parameters', 'custom_data', 'card_token', 'mpi_data']);

function jsonValue(path: string, text: string, protocol: RegisteredAction['protocol']): unknown {
  if (jsonNames.has(path) && /^\s*[[{"]/.test(text)) {
    const value: unknown = JSON.parse(text);
    // Throws for a value that is nested too deeply to be sent.
    JSON.stringify(value);
    return value;
  }
  if (protocol === 'checkout' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const textOf = ({ protocol }: RegisteredAction, body: { [name: string]: unknown }) =>
  protocol === 'checkout' ? JSON.stringify(body) : encodeForm(body as FormFields);

/** Signs a request and renders it in every language. Refuses what the pipeline refuses before the signature check. */
export async function signRequest(context: DashboardRequest) {
  return (await signed(await readRequest(context))).shown;
}

async function signed({ row, body, headers, key }: BuiltRequest) {
  const explained = await inspectSignature(row, textOf(row, { ...body, hash: '0' }), undefined, headers);
  if (explained.kind === 'refused') throw invalid(fieldErrorsOf(explained.faults), explained.message);
  if (explained.kind === 'unsigned') {
    const code = programsOf(sampleOf(row, body, null, headers), 'program');
    return { shown: { hash: null, signed: null, formula: null, code }, body };
  }
  const { signature, caller } = explained;
  // What a signature covers of a payment is its merchant's.
  if (caller.merchant.id !== key.merchantId) throw notFound();
  const recipe = recipeOf(signature);
  const values = { ...signature.values, password: key.password };
  const { digest } = caller.mapping;
  const layout = layOut(recipe, values);
  const code = programsOf(sampleOf(row, body, { layout, digest }, headers), 'program');
  const parts = layout.groups.flatMap((group) => group.parts);
  const shownParts = parts.map(({ name, text }) => {
    const secret = name === 'password';
    const label = secret ? `password of ${shortKey(key.key)}` : (fieldOf(name, text, body) ?? `${name} of the payment`);
    return { text: secret ? dots : text, label, secret, changed: false };
  });
  // Production passwords sign nothing here.
  const hash = env.appEnv === 'sandbox' ? sign(recipe, values, { digest }) : null;
  const shown = { hash, signed: shownParts, formula: formulaText(recipe), code };
  return { shown, body: hash === null ? body : { ...body, hash } };
}

const fieldErrorsOf = (lines: string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));

/** The client IP of requests from the dashboard. */
const ownAddress = '127.0.0.1';

/** Signs a request, sends it to this sandbox and returns the response. */
export async function sendRequest(context: DashboardRequest) {
  if (env.appEnv !== 'sandbox') {
    throw refusal('Requests cannot be sent from here in production. Run the code instead.');
  }
  const request = await readRequest(context);
  const { row, headers, key } = request;
  const { body } = await signed(request);
  const after = { action: row.action, protocol: row.protocol };
  await logAction(context, 'request.send', `merchant:${key.merchantId}`, { after });
  const started = performance.now();
  const response = await executeRequest(row, textOf(row, body), headers, ownAddress);
  const text = await bodyTextOf(response);
  const durationMs = Math.round(performance.now() - started);
  return { status: response.status, durationMs, text: textsOf({ request: '', response: text }).response.text };
}

/**
 * Examples of identifiers by their fields: of the newest payment of a protocol in one of the states (any if empty), the
 * newest recurring agreement, card token and schedule.
 */
async function suggestionsFor(merchantId: string, protocol: Protocol, states: State[]) {
  const [row] = await readExamples({ merchantId, protocol, states });
  return row ?? {};
}

type ExamplesOf = { merchantId: string; protocol: Protocol; states: State[] };
const readExamples = statement<ExamplesOf, { [path: string]: string | null }>(
  'suggestions',
  `select p.id as payment_id, p.attempt_id as trans_id, p.order_number as order_id, c.recurring_token,
          c.attempt_id as recurring_init_trans_id, c.attempt_id as recurring_first_trans_id, k.token as card_token,
          s.id as schedule_id
     from (select 1) one
     left join lateral (select id, attempt_id, order_number from payments where merchant_id = :merchantId::uuid
            and protocol = :protocol::"Protocol" and attempt_id is not null
            and (cardinality(:states::"PaymentState"[]) = 0 or state = any(:states::"PaymentState"[]))
            order by created_at desc, id desc limit 1) p on true
     left join lateral (select recurring_token, attempt_id from payments where merchant_id = :merchantId::uuid
            and recurring_token is not null and recurring_first_id is null and state = 'settled'
            order by created_at desc, id desc limit 1) c on true
     left join lateral (select token from card_tokens where merchant_id = :merchantId::uuid and removed_at is null
            order by created_at desc limit 1) k on true
     left join lateral (select id from schedules where merchant_id = :merchantId::uuid and deleted_at is null
            order by created_at desc limit 1) s on true`,
);
