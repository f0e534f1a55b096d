/** The names of themes: what a merchant's users call them, and the values of `form_id` that select them. */
import { z } from 'zod';
import { scrubWrittenText } from '../../core/card-secrets.ts';
import { findThemes, type StoredBranding, ThemeTakenError } from '../../merchants/index.ts';
import { invalid, parseBody, refusal, textLine } from '../errors.ts';
import { themeBounds } from './options.ts';

const formId = z
  .string()
  .trim()
  .min(1, 'Enter a form ID.')
  .max(themeBounds.formId, `A form ID has at most ${themeBounds.formId} characters.`)
  .regex(/^[A-Za-z0-9._:-]*$/, 'A form ID has letters of the Latin alphabet, digits, and . _ : - only.')
  .refine((id) => scrubWrittenText(id) === id, 'A form ID has no card data.');

/** The name of a theme and its form IDs, as a form sends them. */
export const themeNames = z.object({
  name: textLine(themeBounds.name).min(1, 'Enter a name.'),
  formIds: z.array(formId).max(themeBounds.formIds, `Enter at most ${themeBounds.formIds} form IDs.`),
});

/** Reads the names of a theme of the merchant; `theme` is the theme that has them. Throws if they are not unique. */
export async function parseNames(body: unknown, { merchant, theme }: Pick<StoredBranding, 'merchant' | 'theme'>) {
  const names = parseBody(themeNames, body);
  const others = (await findThemes(merchant.id)).filter(({ id }) => id !== theme?.id);
  const repeated = names.formIds.find((id, at) => names.formIds.indexOf(id) !== at);
  if (repeated) throw invalid({ formIds: `${repeated} is listed twice.` });
  const isSame = (name: string) => name.toLowerCase() === names.name.toLowerCase();
  if (others.some(({ name }) => isSame(name))) throw invalid({ name: 'Another theme has this name.' });
  for (const id of names.formIds) {
    const owner = others.find(({ formIds }) => formIds.includes(id));
    if (owner) throw invalid({ formIds: `${id} belongs to the theme “${owner.name}”.` });
  }
  return names;
}

/** Reports names that another user took between the check and the write. */
export async function unlessTaken<T>(writing: Promise<T>): Promise<T> {
  return writing.catch((thrown) => {
    if (thrown instanceof ThemeTakenError) throw refusal('Another theme just got this name or one of these form IDs.');
    throw thrown;
  });
}
