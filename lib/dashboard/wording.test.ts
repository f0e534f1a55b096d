// The dashboard says the field's words. Terms that its users did not understand must not come back; single words are in
// docs/glossary.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const files = globSync('{components,lib,app}/{dashboard,auth,outbox,core/hash-causes}/**/*.{ts,tsx}', { cwd: root });
/** The sources without comments. */
const texts = files
  .filter((file) => !file.includes('.test'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<![:\w])\/\/.*$/gm, '')]);

const refused = `
  stays with its merchant for ever | may go over it | Begin a chain | charges of a chain | Outside of chains
  Hold now | Prepare to Settled | Void is over | passed over | Taken back
  given up | Acknowledged with | Hold host | No money or over a limit | typed is wrong | Refused by the bank
  Bank not reached | Longest call | allows less than it can | and of coins | Confirmed elsewhere | Final at once
  In the portal | None demanded | Parameter sets | Borne by the payer | Fixed part | Zero amounts
  Open provider contract | The sandbox's own | As the protocol began | is used up | says nothing about
  Strong signature | 1 is no cascade | kept and not sent | When it holds | Where it leads | Holds for every | Run dry
  Publishing needs it | first is drawn | Would move | Card number begins | Card country | End now | Replace by a new key
  Make new key | Ends at once | Confirm that it is you | last proof | Let in again | Take it away
  Last here | looks on | opens its sheet | sealed for | public half | Keep file | Make request | is left out
  can be called | More of the merchant | as the shop speaks | whole address | Write the host | It is no JSON
  is no currency | without blanks | signs of Base64 | Every other language
   Next twelve | last day taken | turned to capitals | single keys off | e-mail`
  .split(/[|\n]/)
  .map((phrase) => phrase.trim())
  .filter((phrase) => phrase !== '');

test.each(refused)('no text of the dashboard says "%s"', (phrase) => {
  const pattern = new RegExp(`\\b${phrase.replaceAll(' ', '\\s+')}`);
  expect(texts.flatMap(([file = '', text = '']) => (pattern.test(text) ? [file] : []))).toEqual([]);
});
