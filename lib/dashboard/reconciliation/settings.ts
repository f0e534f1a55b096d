/** How the reports of a MID are read, and the limits above which a second user approves. */
import { z } from 'zod';
import { exponentOf } from '../../core/currencies.ts';
import { isUuid } from '../../core/ids.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { findMerchant, findMidSettings } from '../../merchants/index.ts';
import { findLimits, findMapping, mappingSchema, saveLimits, saveMapping } from '../../reconciliation/index.ts';
import { logAction, loggedRefusal } from '../changes.ts';
import { existing, invalid, parseBody, versionField } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';

const midOf = async ({ params, scope }: Pick<PageContext, 'params' | 'scope'>) =>
  existing(isUuid(params.id ?? '') ? await findMidSettings(params.id ?? '', scope) : null);

/** The mapping of a MID as JSON text, with its version. */
export async function mappingPage(request: PageContext) {
  const mid = await midOf(request);
  const { settings, version } = await findMapping(mid.id);
  return { id: mid.id, name: mid.name, version, settings: JSON.stringify(settings, null, 2) };
}

const mappingInput = z.object({ version: versionField, settings: z.string('Enter the mapping.').max(14_000) });

/** Replaces the mapping of a MID. */
export async function mappingAction(request: DashboardRequest) {
  const mid = await midOf(request);
  const { version, settings: text } = parseBody(mappingInput, request.body);
  const read = mappingSchema.safeParse(parsed(text));
  if (!read.success) throw invalid({ settings: z.prettifyError(read.error) });
  const before = await findMapping(mid.id);
  const { merchantId } = mid;
  const subject = `mid:${mid.id}`;
  const change = { merchantId, before: before.settings, after: read.data };
  await logAction(request, 'settlement_mapping.change', subject, change);
  if (!(await saveMapping(mid.id, version, read.data, request.now))) {
    const message = 'The mapping was changed by someone else. Reload it and try again.';
    throw await loggedRefusal(request, 'settlement_mapping.change', subject, message, { merchantId });
  }
  return mappingPage(request);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ settings: 'This is not JSON.' });
  }
}

const merchantOf = async ({ params, scope }: Pick<PageContext, 'params' | 'scope'>) =>
  existing(isUuid(params.id ?? '') ? await findMerchant(params.id ?? '', scope) : null);

/** The limits of a merchant: one amount for each currency. */
export async function limitsPage(request: PageContext) {
  const { id } = await merchantOf(request);
  const limits = await findLimits({ merchant: id });
  return { id, limits: limits.map(({ currency, minor }) => ({ currency, amount: formatAmount(minor, currency) })) };
}

const limitsInput = z.object({
  limits: z
    .array(z.object({ currency: z.string(), amount: z.string() }))
    .max(200)
    .refine((all) => new Set(all.map(({ currency }) => currency)).size === all.length, 'A currency has one limit.'),
});

/** Replaces the limits of a merchant. */
export async function limitsAction(request: DashboardRequest) {
  const { id } = await merchantOf(request);
  const { limits } = parseBody(limitsInput, request.body);
  const read = limits.map(({ currency, amount }) => {
    if (exponentOf(currency) === null)
      throw invalid({ limits: `The currency ${currency.slice(0, 10)} does not exist.` });
    const parsedAmount = parseAmount(amount, currency);
    if (!parsedAmount.ok) throw invalid({ limits: `The limit in ${currency} is not an amount.` });
    return { currency, minor: parsedAmount.minor };
  });
  const { limits: before } = await limitsPage(request);
  const change = { merchantId: id, before: { limits: before }, after: { limits } };
  await logAction(request, 'settlement_limits.change', `merchant:${id}`, change);
  await saveLimits(id, read);
  return limitsPage(request);
}
