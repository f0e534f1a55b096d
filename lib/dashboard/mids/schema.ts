/** The settings of a MID as forms send them. Rules that depend on stored values are in ./to-settings. */
import { z } from 'zod';
import { brandById } from '../../core/cards.ts';
import { exponentOf } from '../../core/currencies.ts';
import { pick } from '../../core/pick.ts';
import { plainAmount } from '../../core/typed-amount.ts';
import { parseWebUrl } from '../../http/index.ts';
import { connectorNames } from '../../merchants/index.ts';
import { cardSetIds } from '../../methods/card-sets.ts';
import { findMethod } from '../../methods/catalog.ts';
import { textLine, versionField, wholeNumber } from '../errors.ts';
import { idField } from '../fields.ts';
import { operations } from '../payments/list-filter.ts';
import { newMidValues } from './new-values.ts';

const decimal = /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,8})?$/;
const visible = /^[!-~]*$/;
const webhookSecret = /^(whsec_)?[A-Za-z0-9+/]{22,}={0,2}$/;

/** A list without duplicates; `isKnown` checks each entry. */
const listOf = (isKnown: (entry: string) => boolean, error: (entry: string) => string) =>
  z
    .array(
      z.string().refine(isKnown, { error: ({ input }) => error(String(input).slice(0, 40)) }),
      'Choose from the list.',
    )
    .max(1000, 'Choose at most 1000.')
    .transform((entries) => [...new Set(entries)]);

const connectorIds: readonly string[] = connectorNames().map(({ id }) => id);

/** A decimal text as people type it, with a comma or a point. */
const typedDecimal = (most: number) => textLine(most).transform((text) => plainAmount(text) ?? text);

const isProviderUrl = (text: string) => {
  const url = parseWebUrl(text);
  return url !== null && url.search === '' && url.hash === '';
};

/** The settings of a MID as its form sends them. */
export const midInput = z.object({
  name: textLine(100).min(1, 'Enter a name.'),
  priority: wholeNumber({ least: 0, most: 9999 }),
  paymentMode: z.enum(['sms', 'dms', 'sms_dms'], 'Choose SMS, DMS or SMS/DMS.'),
  connector: z.string().refine((id) => connectorIds.includes(id), 'Choose a connector.'),
  provider: z.enum(['sandbox', 'own'], 'Choose a provider.'),
  url: textLine(2048)
    .refine(
      (text) => text === '' || isProviderUrl(text),
      'Enter a full URL without a query, such as https://provider.example/v1.',
    )
    .transform((text) => text.replace(/\/+$/, '')),
  apiKey: textLine(1024).regex(visible, 'An API key is visible ASCII characters without spaces.'),
  signingSecret: textLine(1024).refine(
    (text) => text === '' || webhookSecret.test(text),
    'A signing secret is whsec_ followed by at least 22 Base64 characters.',
  ),
  timeoutSeconds: wholeNumber({ least: 1, most: 60 }).nullable(),
  methods: listOf(
    (id) => findMethod(id) !== undefined,
    (id) => `${id} is not a method of the catalogue.`,
  ).refine((methods) => methods.length > 0, 'Choose at least one method.'),
  credentials: z.record(z.string().max(64), z.record(z.string().max(64), textLine(1024))),
  currencies: listOf(
    (code) => exponentOf(code) !== null,
    (code) => `${code} is not a supported currency.`,
  ),
  operations: listOf(
    (name) => (operations as readonly string[]).includes(name),
    (name) => `${name} is not an operation.`,
  ),
  cardBrands: listOf(
    (id) => brandById(id) !== null,
    (id) => `${id} is not a card brand.`,
  ),
  cardOnFileSupport: z.boolean('Choose on or off.'),
  overrideLinkTarget: z.enum(['', '_blank', '_self', '_parent', '_top'], 'Choose a target.'),
  refundSupport: z.enum(['api', 'portal', 'none'], 'Choose how refunds are made.'),
  lateSuccess: z.enum(['void', 'refund', 'task'], 'Choose what happens to late approvals.'),
  zeroAmounts: z.boolean('Choose on or off.'),
  feePercent: typedDecimal(20).refine(
    (text) => text === '' || isPercent(text),
    'Enter a percentage such as 1.5, at most 100.',
  ),
  feeFixed: typedDecimal(20).refine((text) => text === '' || decimal.test(text), 'Enter an amount such as 0.30.'),
  feePayerBears: z.boolean('Choose on or off.'),
  holdDays: wholeNumber({ least: 1, most: 365 }),
  dailyLimit: textLine(32),
  monthlyLimit: textLine(32),
  payerTextMax: wholeNumber({ least: 10, most: 255 }).nullable(),
  wallet: z.enum(['', 'decrypted', 'token', 'none'], 'Choose what the MID accepts from a wallet.'),
  cardSets: listOf(
    (id) => (cardSetIds as readonly string[]).includes(id),
    (id) => `${id} is not a data set.`,
  ),
});

/** The settings that a form has as they are stored. */
export const plainSettings = <Settings extends Pick<MidInput, PlainSetting>>(settings: Settings) =>
  pick(settings, ...plainNames);

const plainNames = [
  ...(['name', 'priority', 'paymentMode', 'connector', 'methods', 'currencies', 'operations'] as const),
  ...(['cardBrands', 'cardOnFileSupport', 'refundSupport', 'zeroAmounts', 'holdDays', 'lateSuccess'] as const),
];

type PlainSetting = (typeof plainNames)[number];

function isPercent(text: string): boolean {
  return decimal.test(text) && (Number(text) < 100 || /^100(\.0+)?$/.test(text));
}

/** The input of a MID's form. */
export type MidInput = z.infer<typeof midInput>;

/** A form without the fields that it does not show: those of an external provider beside the simulator. */
export function withoutHidden(body: unknown): unknown {
  const isSimulated = (body as { provider?: unknown } | null)?.provider === 'sandbox';
  return isSimulated ? { ...(body as object), url: '', apiKey: '', signingSecret: '' } : body;
}

/** Valid values for the failed fields, so that the rules over several fields can check the others. */
export function validMid(failed: readonly string[], isStored: boolean): Partial<MidInput> {
  const valid: MidInput = {
    ...newMidValues,
    name: 'name',
    connector: connectorIds[0] ?? '',
    url: 'https://provider.example',
    apiKey: isStored ? '' : 'key',
    signingSecret: isStored ? '' : 'secret',
  };
  return Object.fromEntries(Object.entries(valid).filter(([name]) => failed.includes(name)));
}

/** A new MID of a merchant. */
export const newMid = midInput.extend({ merchantId: idField('Choose a merchant.') });

/** A change, on the version that the form was opened on. */
export const midChange = midInput.extend({ version: versionField });

/** The input of a connection test: the provider's address and the configured operations. */
export const checkInput = midInput.pick({
  connector: true,
  provider: true,
  url: true,
  apiKey: true,
  methods: true,
  operations: true,
});
