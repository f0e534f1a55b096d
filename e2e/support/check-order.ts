// The order of checks of the form protocols, seen from outside: a table begins with every fault at once and repairs one a
// line, so that the next check answers. The last cell is what is answered before that repair is made.
import { expect } from '@playwright/test';
import type { Answer, Changes } from './merchant';
import { merchants } from './merchants';
import { parseCell, rowsOf } from './table';

const seen = ({ status, body }: Answer) =>
  [status, body.error_code ?? '', body.error_message ?? body.result].join(' ').replace(/ +/g, ' ');

/**
 * Posts the body before each line's repair and compares the answer. A value `<name>` is taken from `known`; `hash` is
 * set to `<right>` by signing what the body then holds.
 */
export async function expectCheckOrder(
  shop: { post: (body: Changes) => Promise<Answer> },
  start: Changes,
  table: string,
  known: Changes,
  sign: (body: Changes) => unknown,
): Promise<void> {
  const body = { ...start };
  for (const [repair = '', wanted = ''] of rowsOf(table)) {
    const answer = await shop.post(body);
    const errors = (answer.body.errors ?? []).map((each: { error_message: string }) => each.error_message).join(' ');
    expect(`${seen(answer)} ${errors}`, `before: ${repair}`).toContain(wanted);
    if (repair === 'end') continue;
    const [name = '', cell = ''] = repair.split('=').map((part) => part.trim());
    const taken = /^<(.+)>$/.exec(cell)?.[1];
    body[name] = taken === 'right' ? sign(body) : taken === undefined ? parseCell(cell) : known[taken];
  }
}

/** Keys that are refused one after the other, for the lines of a table. */
export const keys = {
  'live key': merchants.mappingOffLive.key,
  'mapping off': merchants.mappingOff.key,
  'distant allowlist': merchants.distantAllowlist.key,
  plain: merchants.plain.key,
  methods: merchants.methods.key,
};
