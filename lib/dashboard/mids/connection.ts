/** Tests the connection of a MID by requesting the provider's capabilities, which moves no money. */

import { env } from '../../config/index.ts';
import { newId } from '../../core/ids.ts';
import { blockedTarget } from '../../http/index.ts';
import { checkProvider, findMidSettings } from '../../merchants/index.ts';
import { connectorOperations } from '../../routing/index.ts';
import { logAction } from '../changes.ts';
import { existing, invalid, parseBody } from '../errors.ts';
import type { Answer, DashboardRequest } from '../guard.ts';
import { checkInput, type MidInput, withoutHidden } from './schema.ts';
import { providerSettings } from './to-settings.ts';

type ProbeResult = Answer<typeof checkProvider>;

/** Tests the settings of a form, for the existing MID `params.id` if given, whose key may be used: this is logged. */
export async function checkAction(request: DashboardRequest) {
  const { scope, params, body } = request;
  const stored = params.id ? existing(await findMidSettings(params.id, scope)) : null;
  const input = parseBody(checkInput, withoutHidden(body));
  const errors: Record<string, string> = {};
  const provider = providerSettings(stored?.id ?? newId(), input, stored?.settings ?? null, env, errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { host } = new URL(provider.url);
  if (stored) await logAction(request, 'mid.check', `mid:${stored.id}`, { after: { host } });
  const answer = await checkProvider(input.connector, provider);
  if (!answer) throw invalid({ connector: 'Choose a connector.' });
  return connectionCheck(answer, host, input);
}

function connectionCheck(answer: ProbeResult, host: string, input: Pick<MidInput, 'methods' | 'operations'>) {
  const after = `after ${answer.durationMs} ms`;
  const failed = (text: string, note: string | null = null) => ({ ok: false, text: `${host} ${text}`, note });
  if (answer.kind === 'unreachable') {
    const why = networkErrorTexts.find(([pattern]) => pattern.test(answer.why))?.[1] ?? 'the connection was closed';
    return failed(`cannot be reached: ${why} ${after}.`);
  }
  if (answer.kind === 'refused') return failed(`refused the API key: HTTP ${answer.httpStatus} ${after}.`);
  if (answer.kind !== 'answers') {
    const note = "Check that the URL is the base URL of the provider's API.";
    return failed(`answered HTTP ${answer.httpStatus} ${after} without its capabilities.`, note);
  }
  const text = `${host} accepted the API key and answered ${after}.`;
  return { ok: true, text, note: missingCapabilities(answer, input) };
}

const providerOperations: Readonly<Record<string, string>> = connectorOperations;

/** The operations that the MID is configured for and the provider does not support; null if none. */
export function missingCapabilities(
  { operations, methods }: { operations: string[]; methods: string[] },
  wanted: Pick<MidInput, 'methods' | 'operations'>,
): string | null {
  const noMethods = methods.length === 0 ? [] : wanted.methods.filter((id) => !methods.includes(id));
  const noOperations = wanted.operations.filter((name) => !operations.includes(providerOperations[name] ?? name));
  const lacking = [...noMethods, ...noOperations];
  if (lacking.length === 0) return null;
  const more = lacking.length > 6 ? ` and ${lacking.length - 6} more` : '';
  return `It does not report support for ${lacking.slice(0, 6).join(', ')}${more}.`;
}

const networkErrorTexts: readonly (readonly [RegExp, string])[] = [
  [/^timeout$|TIMEOUT|ETIMEDOUT/, 'no response in time'],
  [/^(ENOTFOUND|EAI_)/, 'the host name cannot be resolved'],
  [new RegExp(`^${blockedTarget}$`), 'its address is in a private network that PRIVATE_NETWORKS does not list'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH)/, 'the network is unreachable'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/, 'its certificate is not trusted'],
];
