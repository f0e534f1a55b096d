// Prepares payments by single methods: adds the merchant account's credentials, and for some methods fetches a token
// and a reference first. These calls move no money, so a failure is a decline and never an unknown outcome.
import { z } from 'zod';
import { formatAmount } from '../core/money';
import type { HttpSettings, Outcome, PayRequest } from './connector';
import type { ProviderReply } from './http.wire';

/** Additional headers of a payment request, and the `credentials` of its body. */
export type RequestSettings = { headers: Record<string, string>; credentials?: Record<string, string> };

/** A preparatory call to the provider with its path, body and headers. */
export type PreparatoryCall = (
  name: string,
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<ProviderReply>;

/** The setting of an account whose payments by a method must be prepared. */
const privateKey = 'private_key';
/** The maximum length of the public id of a reference. */
export const publicIdMax = 40;

const text = z.string().min(1).max(1024);
/** The answer of POST /tokens. */
export const tokenShape = z.object({ token: text });
/** The answer of POST /references. Without a gateway the account's setting of that name is sent. */
export const referenceShape = z.object({ reference: text, gateway_id: text.optional() });

/** Returns the account's settings for a method: those of its id, else those of its longest matching family. */
export function methodSettingsOf(settings: HttpSettings, method: string): Record<string, string> {
  const known = settings.methods ?? {};
  if (Object.hasOwn(known, method)) return known[method] ?? {};
  const families = Object.keys(known).filter((name) => name.endsWith('-') && method.startsWith(name));
  const [longest] = families.sort((a, b) => b.length - a.length);
  return longest === undefined ? {} : (known[longest] ?? {});
}

/** Splits settings into headers (names that begin with `X-`) and credentials in the body (all others). */
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
 * Returns the request settings of a payment. If the account has a private key for the method, a token and a reference
 * for this payment are fetched first; the private key itself is not sent with the payment. An Outcome is the decline of
 * a payment that could not be prepared.
 */
export async function prepare(
  settings: HttpSettings,
  request: PayRequest,
  call: PreparatoryCall,
): Promise<RequestSettings | Outcome> {
  const methodSettings = methodSettingsOf(settings, request.method);
  const requestSettings = toRequestSettings(methodSettings);
  const secret = methodSettings[privateKey];
  if (secret === undefined) return requestSettings;
  const tokenBody = bodyOf(await call('token', '/tokens', { method: request.method, [privateKey]: secret }));
  const token = tokenShape.safeParse(tokenBody);
  if (!token.success) return unprepared;
  const authorization = token.data.token;
  const referenceBody = bodyOf(await call('reference', '/references', writeReference(request), { authorization }));
  const reference = referenceShape.safeParse(referenceBody);
  if (!reference.success) return unprepared;
  return {
    headers: { ...requestSettings.headers, 'x-authorization-token': authorization },
    credentials: { ...requestSettings.credentials, ...reference.data },
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
