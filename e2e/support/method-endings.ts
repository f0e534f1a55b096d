// The page on which a payer ends after the form, by the kind of method: which texts it has in every language, and which
// would be wrong there.
import { readdirSync, readFileSync } from 'node:fs';
import type { Row } from './catalog.ts';

type Ending = { says: string[]; never?: string[] };

const bankWords = ['instructions.note', 'details.beneficiary'];

/** By experience, with vouchers apart. Keys of messages/<language>.json. */
const endings: { [experience: string]: Ending } = {
  redirect: { says: ['redirecting.text', 'leave.heading'] },
  app: { says: ['app.opens', 'qr.confirm', 'leave.heading'] },
  qr: { says: ['qr.confirm', 'leave.heading'], never: bankWords },
  confirm: { says: ['waiting.confirmation.heading', 'leave.heading'] },
  details: { says: ['instructions.sent', 'instructions.line', 'leave.heading'], never: ['voucher.heading'] },
  voucher: { says: ['voucher.heading', 'present.line', 'instructions.ticket', 'leave.heading'], never: bankWords },
  message: { says: ['present.line', 'leave.heading'] },
  crypto: { says: ['crypto.noteMore', 'crypto.line', 'leave.heading'], never: bankWords },
  code: { says: ['otp.heading', 'otp.button'] },
  none: { says: ['receipt.date', 'receipt.number'] },
};

const messages = new Map<string, Record<string, string>[]>();

/** The texts of a language, then those of its regions. */
function textsOf(language: string): Record<string, string>[] {
  const prefix = { sp: 'es', zh: 'zh-Hans', 'zh-TW': 'zh-Hant' }[language] ?? language;
  const regions = readdirSync('messages/regions').filter((name) => name.startsWith(`${prefix}-`));
  const files = [`${language}.json`, ...regions.map((name) => `regions/${name}`)];
  const known = messages.get(language) ?? files.map((name) => JSON.parse(readFileSync(`messages/${name}`, 'utf8')));
  messages.set(language, known);
  return known;
}

/** The texts that the page after the form of a method must and must not have, each in the words of any region. */
export function endingOf(row: Row, country: string, language: string): { says: string[][]; never: string[][] } {
  const experience = row.experienceIn?.[country] ?? row.experience;
  const { says, never = [] } = endings[row.voucher && experience === 'details' ? 'voucher' : experience] ?? {
    says: [],
  };
  return { says: wordsOf(says, language), never: wordsOf(never, language) };
}

/** The texts of every receipt. */
export const receiptTexts = (language: string): string[][] => wordsOf(endings.none?.says ?? [], language);

/** As in the text of a page, non-breaking spaces are spaces. */
function wordsOf(keys: string[], language: string): string[][] {
  const texts = textsOf(language);
  return keys.map((key) => texts.flatMap((each) => each[key] ?? []).map((text) => text.replace(/\s+/g, ' ')));
}
