/**
 * Testing where an account leads: the provider is asked what it can do, which moves nothing, and its answer is held
 * against what the account is meant to do. Typed credentials are tested before they are stored.
 */

import { env } from '../../config';
import { checkProvider, findMidSettings, newMidId, type StoredMid } from '../../merchants';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import type { ConnectionCheck } from './contract';
import { checkInput, type MidInput } from './schema';
import { providerSettings } from './to-settings';

type ProbeResult = NonNullable<Awaited<ReturnType<typeof checkProvider>>>;

/** Tests the settings of a form; of an account's own where `params.id` names one. Null where it does not exist. */
export async function checkAction({
  scope,
  params,
  body,
}: Pick<DashboardRequest, 'scope' | 'params' | 'body'>): Promise<ConnectionCheck | null> {
  const stored: StoredMid | null = params.id ? await findMidSettings(params.id, scope) : null;
  if (params.id && !stored) return null;
  const input = parseBody(checkInput, body);
  const faults: Record<string, string> = {};
  const provider = providerSettings(stored?.id ?? newMidId(), input, stored?.settings ?? null, env.appEnv, faults);
  if (Object.keys(faults).length > 0) throw new DashboardError(400, 'The request is not valid.', faults);
  const answer = await checkProvider(input.connector, provider);
  if (!answer) throw new DashboardError(400, 'The request is not valid.', { connector: 'Choose a connector.' });
  return connectionCheck(answer, new URL(provider.url).host, input);
}

function connectionCheck(
  answer: ProbeResult,
  host: string,
  input: Pick<MidInput, 'methods' | 'operations'>,
): ConnectionCheck {
  const after = `after ${answer.durationMs} ms`;
  if (answer.kind === 'unreachable') {
    return { ok: false, text: `${host} cannot be reached: ${networkErrorText(answer.why)} ${after}.`, note: null };
  }
  if (answer.kind === 'refused') {
    return { ok: false, text: `${host} refused the API key: HTTP ${answer.httpStatus} ${after}.`, note: null };
  }
  if (answer.kind !== 'answers') {
    const text = `${host} answered HTTP ${answer.httpStatus} ${after} and did not say what it can do.`;
    return { ok: false, text, note: 'Check that the address is where the provider contract begins.' };
  }
  return {
    ok: true,
    text: `${host} knows the API key and answered ${after}.`,
    note: missingCapabilities(answer, input),
  };
}

/** The provider's word for each use of an account. */
const providerOperations: Readonly<Record<string, string>> = {
  purchase: 'sale',
  debit: 'debit',
  credit: 'payout',
  transfer: 'transfer',
  recurring: 'sale',
};

/** What the account is meant to do and its provider does not; null where nothing is lacking. */
export function missingCapabilities(
  { operations, methods }: { operations: string[]; methods: string[] },
  wanted: Pick<MidInput, 'methods' | 'operations'>,
): string | null {
  const noMethods = methods.length === 0 ? [] : wanted.methods.filter((id) => !methods.includes(id));
  const noOperations = wanted.operations.filter((name) => !operations.includes(providerOperations[name] ?? name));
  const lacking = [...noMethods, ...noOperations];
  if (lacking.length === 0) return null;
  const more = lacking.length > 6 ? ` and ${lacking.length - 6} more` : '';
  return `It does not say that it can do ${lacking.slice(0, 6).join(', ')}${more}.`;
}

const networkErrorTexts: readonly (readonly [RegExp, string])[] = [
  [/^timeout$|TIMEOUT|ETIMEDOUT/, 'no answer in time'],
  [/^(ENOTFOUND|EAI_)/, 'the name is not known'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH)/, 'the network does not lead there'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/, 'its certificate is not trusted'],
];

function networkErrorText(why: string): string {
  return networkErrorTexts.find(([pattern]) => pattern.test(why))?.[1] ?? 'the connection broke off';
}
