// Merchants: what belongs to one does not show up at the other.
import type { Base } from '../database.ts';
import { merchantAt } from '../merchants.ts';
import type { World } from '../world.ts';

/** The references between rows that may lead to another merchant: a table with its alias, the owner, the referenced one. */
const references: [from: string, owner: string, referenced: string][] = [
  ['transactions t join payments p on p.id = t.payment_id join mids x on x.id = t.mid_id', 'p', 'x'],
  ['transactions t join payments p on p.id = t.payment_id join cards x on x.id = t.card_id', 'p', 'x'],
  ['payments p join cards x on x.id = p.card_id', 'p', 'x'],
  ['payments p join merchant_keys x on x.id = p.key_id', 'p', 'x'],
  ['payments p join schedules x on x.id = p.schedule_id', 'p', 'x'],
  ['callbacks p join payments x on x.id = p.payment_id', 'p', 'x'],
  ['unresolved p join payments x on x.id = p.payment_id', 'p', 'x'],
  ['recurring_chains p join payments x on x.id = p.payment_id', 'p', 'x'],
  ['recurring_chains p join mids x on x.id = p.mid_id', 'p', 'x'],
  ['card_tokens p join cards x on x.id = p.card_id', 'p', 'x'],
  ['subscriptions s join schedules p on p.id = s.schedule_id join payments x on x.id = s.payment_id', 'p', 'x'],
];
const findForeign = references
  .map(
    ([from, owner, referenced]) =>
      `select '${from}' as place, count(*) as count from ${from} where ${owner}.merchant_id <> ${referenced}.merchant_id`,
  )
  .join(' union all ');

/** No row refers to another merchant's, and no response and no callback has an id of another merchant's payments. */
export async function checkIsolation({ base, merchants, answers, tries, report }: World) {
  if (merchants.length < 2) return;
  for (const { place, count } of await base.rows<{ place: string; count: string }>(findForeign))
    if (count !== '0') report(`${count} rows refer to another merchant: ${place}`);
  const ids = await idsOf(base);
  for (const { merchant, id } of ids) {
    const isForeign = (text: string, to: string) => to !== merchant && text.includes(id);
    for (const { who, text } of answers) {
      const to = merchants.find(({ name }) => name === who) ?? (who.startsWith('client ') ? merchants[0] : undefined);
      if (to && isForeign(text, to.id)) report(`a response to ${who} has ${id} of another merchant`);
    }
    for (const { url, body } of tries)
      if (isForeign(body, merchantAt(url).id)) report(`a callback to ${url} has ${id} of another merchant`);
  }
}

/** The ids by which a merchant could reach something, with their owners. */
const idsOf = (base: Base) =>
  base.rows<{ merchant: string; id: string }>(
    `select merchant_id as merchant, id::text from payments
      union all select p.merchant_id, t.id::text from transactions t join payments p on p.id = t.payment_id
      union all select merchant_id, token from recurring_chains
      union all select merchant_id, id::text from schedules
      union all select merchant_id, key from merchant_keys`,
  );
