/**
 * How the settlement reports of a MID are read: the columns by their headers, the formats, the words of the types, and the
 * fees that the provider is expected to take. Without a mapping the report of the provider contract is expected.
 */
import { z } from 'zod';
import { exponentOf } from '../core/currencies.ts';
import { isDate } from '../core/dates.ts';
import { parseAmount } from '../core/money.ts';
import { statement } from '../db/index.ts';

/** The members of a line that a report may have a column for. */
export const lineFields = [
  ...(['reference', 'providerReference', 'type', 'gross', 'fee', 'net', 'currency', 'date'] as const),
  ...(['batch', 'arn', 'rrn'] as const),
] as const;
export type LineField = (typeof lineFields)[number];

/**
 * The types of lines. `credit` is a payout to a payee, `payout` the transfer to the merchant's bank. `fee` and `fee_return`
 * are lines of their own, besides the fees of other lines.
 */
export const lineTypes = [
  ...(['sale', 'refund', 'chargeback', 'chargeback_won', 'credit', 'fee', 'fee_return', 'payout'] as const),
] as const;
export type LineType = (typeof lineTypes)[number];

/** The types of transactions; the others are of no transaction, and booked as they are reported. */
export const transactionTypes = [
  ...(['sale', 'refund', 'chargeback', 'chargeback_won', 'credit'] as const),
] as const satisfies readonly LineType[];

const header = z.string().trim().min(1).max(100);
const word = z.string().trim().min(1).max(60);
const decimal = z.string().regex(/^\d{1,9}(\.\d{1,8})?$/, 'Enter a number such as 0.30.');

const feeRule = z
  .object({
    type: z.enum(transactionTypes, 'Expected fees are of sales, refunds, chargebacks and credits.'),
    currency: z.string().refine((code) => exponentOf(code) !== null, 'There is no such currency.'),
    percent: z.string().regex(/^\d{1,2}(\.\d{1,4})?$/, 'Enter a percentage such as 2.9.'),
    fixed: decimal,
    tolerance: decimal,
  })
  .refine((rule) => [rule.fixed, rule.tolerance].every((amount) => parseAmount(amount, rule.currency).ok), {
    message: 'An amount has more decimals than its currency.',
  });

const requiredFields: readonly LineField[] = ['type', 'gross', 'currency', 'date'];
const references: readonly LineField[] = ['reference', 'providerReference', 'arn', 'rrn'];

/** The settings of a mapping, as they are stored and submitted. */
export const mappingSchema = z.strictObject({
  /** `auto` chooses the separator that the header line has most often. */
  separator: z.enum(['auto', ',', ';', '\t']).default('auto'),
  /** A byte order mark decides in any case; `auto` reads UTF-8, and Windows-1252 where a file is not UTF-8. */
  encoding: z.enum(['auto', 'utf-8', 'utf-16', 'windows-1252']).default('auto'),
  /** The sign before the decimals. The other one separates thousands. */
  decimal: z.enum(['.', ',']).default('.'),
  date: z.enum(['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY']).default('YYYY-MM-DD'),
  timeZone: z.string().refine(isTimeZone, 'There is no such time zone.').default('UTC'),
  columns: z
    .partialRecord(z.enum(lineFields), header)
    .refine((columns) => requiredFields.every((field) => columns[field]), {
      message: 'Name the columns of type, gross amount, currency and date.',
    })
    .refine((columns) => references.some((field) => columns[field]), {
      message: 'Name a column with a reference, provider reference, ARN or RRN.',
    }),
  /** The words of each type, compared without regard to letter case. A word has one type. */
  types: z
    .partialRecord(z.enum(lineTypes), z.array(word).max(50))
    .refine(hasDistinctWords, { message: 'A word can stand for one type only.' }),
  /** Whether amounts have the sign of their effect on the payout; otherwise the type of a line has its direction. */
  signed: z.boolean().default(false),
  /** Whether the provider writes what it kept as a negative fee. */
  feesNegative: z.boolean().default(false),
  fees: z.array(feeRule).max(100).default([]),
  /** The days after which a transaction that no report has is a difference. */
  toleranceDays: z.int().min(0).max(60).default(3),
  /** The first day whose transactions have to be in a report; by default the last day of the MID's first report. */
  from: z.string().refine(isDate, 'Enter a day such as 2026-11-30.').optional(),
});

export type Mapping = z.output<typeof mappingSchema>;

/** A mapping with its version; 0 for that of the provider contract. */
export type StoredMapping = { settings: Mapping; version: number };

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

const folded = (text: string) => text.trim().toLowerCase();

function hasDistinctWords(types: Partial<Record<LineType, string[]>>): boolean {
  const words = Object.values(types).flatMap((each) => [...new Set(each?.map(folded))]);
  return new Set(words).size === words.length;
}

/** The type by its words in lower case: those of the mapping, and the types' own names where no other type has them. */
export function typesByWord({ types }: Mapping): Map<string, LineType> {
  const found = new Map<string, LineType>(lineTypes.map((type) => [type, type]));
  for (const type of lineTypes) for (const each of types[type] ?? []) found.set(folded(each), type);
  return found;
}

/** The report of the provider contract (docs/providers/contract.md). */
export const contractMapping: Mapping = mappingSchema.parse({
  separator: ',',
  encoding: 'utf-8',
  columns: {
    reference: 'reference',
    providerReference: 'provider_reference',
    type: 'type',
    gross: 'gross',
    fee: 'fee',
    net: 'net',
    currency: 'currency',
    date: 'date',
    batch: 'batch',
    arn: 'arn',
    rrn: 'rrn',
  },
  types: {},
});

const readMapping = statement<{ mid: string }, { settings: unknown; version: number }>(
  'settlement-mapping',
  'select settings, version from settlement_mappings where mid_id = :mid::uuid',
);

/** The mapping of a MID. */
export async function findMapping(mid: string): Promise<StoredMapping> {
  const [row] = await readMapping({ mid });
  return row
    ? { settings: mappingSchema.parse(row.settings), version: row.version }
    : { settings: contractMapping, version: 0 };
}

const writeMapping = statement<{ mid: string; settings: string; version: number; now: Date }, { version: number }>(
  'save-settlement-mapping',
  `insert into settlement_mappings as m (mid_id, settings, version, updated_at)
   select :mid::uuid, :settings::jsonb, 1, :now::timestamptz where :version::int = 0
       or exists (select from settlement_mappings where mid_id = :mid::uuid)
       on conflict (mid_id) do update set settings = excluded.settings, version = m.version + 1, updated_at = excluded.updated_at
    where m.version = :version::int
   returning version`,
);

/** Saves a mapping that was loaded with `version`; false if another user has changed it since. */
export async function saveMapping(mid: string, version: number, settings: Mapping, now: Date): Promise<boolean> {
  return (await writeMapping({ mid, version, settings: JSON.stringify(settings), now })).length === 1;
}
