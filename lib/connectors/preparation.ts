// What single methods need besides the payment: credentials of the merchant account that go along with an order, and for
// some a token and a reference that are fetched before it. None of these calls moves money, so that one that fails is a
// decline and never a doubt.
import { z } from 'zod';
import { formatAmount } from '../core/money';
import type { HttpSettings, Outcome, PayRequest } from './connector';
import type { ProviderReply } from './http.wire';

/** What goes along with an order: more request headers, and the `credentials` of its body. */
export type RequestSettings = { headers: Record<string, string>; credentials?: Record<string, string> };

/** A call to the provider that is no order: its path, its body and headers of its own. */
export type PreparatoryCall = (
  name: string,
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<ProviderReply>;

/** The name of the setting by which an account says that a method's payments have to be prepared. */
const privateKey = 'private_key';
/** The longest public id that a reference may be made for. */
const publicIdMax = 40;

const text = z.string().min(1).max(1024);
const tokenShape = z.object({ token: text });
// Where the provider names no gateway, the account's own setting of that name goes along.
const referenceShape = z.object({ reference: text, gateway_id: text.optional() });

/** The account's own settings for a method: those of its id, else those of the longest family that it belongs to. */
export function methodSettingsOf(settings: HttpSettings, method: string): Record<string, string> {
  const known = settings.methods ?? {};
  if (Object.hasOwn(known, method)) return known[method] ?? {};
  const families = Object.keys(known).filter((name) => name.endsWith('-') && method.startsWith(name));
  const [longest] = families.sort((a, b) => b.length - a.length);
  return longest === undefined ? {} : (known[longest] ?? {});
}

/** Settings as an order carries them: names that begin with `X-` as headers, all others in the body. */
export function toRequestSettings(own: Record<string, string>): RequestSettings {
  const entries = Object.entries(own).filter(([name]) => name !== privateKey);
  const [headers, others] = [entries.filter(isHeader), entries.filter((entry) => !isHeader(entry))];
  return {
    headers: Object.fromEntries(headers),
    ...(others.length > 0 && { credentials: Object.fromEntries(others) }),
  };
}

const isHeader = ([name]: [string, string]) => /^x-/i.test(name);

/**
 * What an order of this method carries. Where the account has a private key for the method, a token and a reference for
 * exactly this payment are fetched first; the private key itself never goes along with the order. An Outcome is the
 * decline of a payment that could not be prepared.
 */
export async function prepare(
  settings: HttpSettings,
  request: PayRequest,
  call: PreparatoryCall,
): Promise<RequestSettings | Outcome> {
  const own = methodSettingsOf(settings, request.method);
  const carried = toRequestSettings(own);
  const secret = own[privateKey];
  if (secret === undefined) return carried;
  const given = bodyOf(await call('token', '/tokens', { method: request.method, [privateKey]: secret }));
  const token = tokenShape.safeParse(given);
  if (!token.success) return unprepared;
  const authorization = token.data.token;
  const order = bodyOf(await call('reference', '/references', writeReference(request), { authorization }));
  const made = referenceShape.safeParse(order);
  if (!made.success) return unprepared;
  return {
    headers: { ...carried.headers, 'x-authorization-token': authorization },
    credentials: { ...carried.credentials, ...made.data },
  };
}

const unprepared: Outcome = {
  kind: 'declined',
  decline: { code: 'not_prepared', reason: 'The provider did not prepare the payment', class: 'technical', soft: true },
  facts: {},
};

function writeReference({ key, amount, method, recurring }: PayRequest): object {
  return {
    method,
    amount: formatAmount(amount.minor, amount.currency),
    currency: amount.currency,
    public_id: key.slice(0, publicIdMax),
    single: recurring === undefined,
  };
}

function bodyOf(reply: ProviderReply): unknown {
  return 'status' in reply && reply.status >= 200 && reply.status < 300 ? reply.body : undefined;
}
