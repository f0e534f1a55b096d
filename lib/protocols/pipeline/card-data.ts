/** Removes card data from the places of a request where it does not belong, before its action runs. */
import type { Protocol } from '../../core/payment.ts';
import { maskFreeText } from '../../core/written-texts.ts';
import type { Caller } from '../../merchants/index.ts';
import { isDeclaredAccount } from '../../methods/declared-accounts.ts';
import { log, metrics } from '../../telemetry/index.ts';

/** More paths do not fit into a header that every proxy passes on. */
const namedFieldsMax = 20;

type Request = { protocol: { name: Protocol }; input: unknown; caller: Caller | null };

/** The input without card data in texts and parameters; the signature was verified over the texts that were sent. */
export function withoutCardData({ protocol, input, caller }: Request, headers: [string, string][]): unknown {
  const isAccount = (path: string) => isDeclaredAccount(pathByMethod(protocol.name, input, path));
  const { data, masked } = maskFreeText(input, isAccount);
  if (masked.length === 0) return input;
  metrics.maskedCardNumbers.inc({ protocol: protocol.name }, masked.length);
  log.warn({ protocol: protocol.name, merchant: caller?.merchant.id, fields: masked }, 'masked card data in texts');
  headers.push(['florin-masked-fields', encodeURI(masked.slice(0, namedFieldsMax).join(','))]);
  return data;
}

// Checkout names the method in the path, S2S APM in its brand.
function pathByMethod(protocol: Protocol, input: unknown, path: string): string {
  if (protocol === 'checkout') return path;
  return `${protocol === 's2s_card' ? 'card' : (input as { brand?: string }).brand}.${path}`;
}
