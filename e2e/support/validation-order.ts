// The order of validation of the form protocols. A table starts with a body that has every error and repairs one error
// per row, so that the next check rejects it. The last cell is the answer before that repair.
import { expect } from '@playwright/test';
import type { Answer, Changes } from './merchant.ts';
import { merchants } from './merchants.ts';
import { parseCell, rowsOf } from './text-table.ts';

const seen = ({ status, body }: Answer) =>
  [status, body.error_code ?? '', body.error_message ?? body.result].join(' ').replace(/ +/g, ' ');

/**
 * Posts the body before each repair and compares the answer. A value `<name>` is looked up in `known`; a `hash` of
 * `<right>` is replaced by the signature of the current body.
 */
export async function expectValidationOrder(
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
    const reference = /^<(.+)>$/.exec(cell)?.[1];
    body[name] = reference === 'right' ? sign(body) : reference === undefined ? parseCell(cell) : known[reference];
  }
}

/** Merchant keys for the rows of a table, each rejected by a later check. */
export const keys = {
  'live key': merchants.mappingOffLive.key,
  'mapping off': merchants.mappingOff.key,
  'distant allowlist': merchants.distantAllowlist.key,
  plain: merchants.plain.key,
  methods: merchants.methods.key,
};
