// Checks that the documentation contains the table of sandbox cards.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { groupDigits } from './cards.ts';
import { sandboxCards, sandboxCode } from './sandbox-cards.ts';

it('docs/reference/test-cards.md contains every sandbox card and no other', () => {
  const page = readFileSync(new URL('../../docs/reference/test-cards.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `\d/.test(line));
  const shown = rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  const wanted = sandboxCards.map(({ number, expiry, name, decline, follow }) => {
    const shown = decline ?? follow?.capture ?? follow?.refund ?? follow?.void;
    const why = shown ? `${shown.reason} (${shown.class})` : '';
    return [groupDigits(number), expiry ?? 'any', name, why];
  });
  expect(shown).toEqual(wanted);
  expect(page).toContain(`the code ${sandboxCode}.`);
});
