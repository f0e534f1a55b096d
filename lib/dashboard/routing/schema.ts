/** Validates a draft of routing rules. Errors are reported by rule and field: `rules.2.targets`. */
import { z } from 'zod';
import { brandById } from '../../core/cards.ts';
import { isCountry } from '../../core/countries.ts';
import { exponentOf } from '../../core/currencies.ts';
import { findMethod } from '../../methods/catalog.ts';
import { idField } from '../fields.ts';

const rulesMost = 100;
const namesMost = 60;
const weightMost = 1_000_000;
const listMost = 300;

/** The rules of a draft in order; `midIds` are the merchant's MIDs. */
export function rulesSchema(midIds: ReadonlySet<string>) {
  return z
    .array(rule(midIds), 'Send the rules in their order.')
    .max(rulesMost, `A mapping has at most ${rulesMost} rules.`)
    .superRefine((rules, context) => {
      const names = new Map<string, number>();
      const ids = new Set<string>();
      for (const [place, { id, name }] of rules.entries()) {
        const duplicate = names.get(name.toLowerCase());
        const message = `Rule ${(duplicate ?? 0) + 1} has this name already. Hits are counted by name.`;
        if (duplicate !== undefined) context.addIssue({ code: 'custom', path: [place, 'name'], message });
        if (ids.has(id))
          context.addIssue({ code: 'custom', path: [place, 'id'], message: 'Two rules have the same ID.' });
        names.set(name.toLowerCase(), place);
        ids.add(id);
      }
    });
}

function rule(midIds: ReadonlySet<string>) {
  return z.strictObject({
    id: idField('A rule requires an ID.'),
    name: z
      .string('Give the rule a name.')
      .trim()
      .min(1, 'Give the rule a name.')
      .max(namesMost, `Enter at most ${namesMost} characters.`),
    enabled: z.boolean('Choose on or off.'),
    conditions,
    targets: z
      .array(
        z.strictObject({
          midId: z.string().refine((id) => midIds.has(id), 'This is not a MID of the merchant.'),
          weight: z
            .int('A weight is a whole number.')
            .min(0, 'A weight is 0 or more.')
            .max(weightMost, `A weight is at most ${weightMost}.`),
        }),
        'Choose a MID.',
      )
      .max(listMost)
      .refine((targets) => targets.some(({ weight }) => weight > 0), 'Choose at least one MID with a weight above 0.')
      .refine(
        (targets) => new Set(targets.map(({ midId }) => midId)).size === targets.length,
        'A rule can contain each MID only once.',
      ),
  });
}

/** A list of known values; the first unknown one is named in the error. */
function textList(isKnown: (word: string) => boolean, error: (word: string) => string) {
  return z
    .array(z.string().max(64))
    .min(1, 'Choose at least one value or remove the condition.')
    .max(listMost, `Enter at most ${listMost}.`)
    .superRefine((input, context) => {
      const unknownEntry = input.find((word) => !isKnown(word));
      if (unknownEntry !== undefined) context.addIssue({ code: 'custom', message: error(unknownEntry) });
    })
    .transform((values) => [...new Set(values)]);
}

const minor = z.string().regex(/^(0|[1-9]\d{0,17})$/, 'Enter the amount in digits, in minor units.');

const conditions = z
  .strictObject({
    currencies: textList(
      (code) => exponentOf(code) !== null,
      (code) => `${code} is not a supported currency.`,
    ),
    methods: textList(
      (id) => findMethod(id) !== undefined,
      (id) => `${id} is not a method.`,
    ),
    brands: textList(
      (id) => brandById(id) !== null,
      (id) => `${id} is not a card brand.`,
    ),
    bins: textList(
      (digits) => /^\d{2,8}$/.test(digits),
      (digits) => `${digits} is not a BIN. Enter 2 to 8 digits.`,
    ),
    binCountries: textList(isCountry, (code) => `${code} is not a country. Enter two letters such as DE.`),
    amountFrom: minor,
    amountTo: minor,
  })
  .partial()
  .superRefine(({ amountFrom, amountTo }, context) => {
    // An invalid bound has an error of its own.
    const [least, most] = [amountFrom, amountTo].map((end) => minor.safeParse(end).data);
    if (least === undefined || most === undefined || BigInt(least) <= BigInt(most)) return;
    context.addIssue({ code: 'custom', path: ['amountTo'], message: 'The upper bound is below the lower one.' });
  });
