// What people ask the dashboard for, with values that are drawn from the database, and how long the answers take. One
// request at a time, as a person waits for one; each kind is asked with other values every time.

const rounds = 40;

/** The bound that every answer of the list, of a filter and of a search is to keep, at the 95th percentile. */
export const boundMilliseconds = 150;

/** As a table: group, what is asked, its query. A name in braces stands for values of the sample below. */
const table = `
  list    | newest                          |
  list    | newest of one merchant          | merchant={merchant}
  list    | newest of a small merchant      | merchant={small}
  list    | oldest first                    | sort=oldest
  list    | largest of a currency           | currency=EUR&sort=largest
  list    | smallest of one merchant        | currency=EUR&sort=smallest&merchant={merchant}
  list    | largest of a rare status        | currency=EUR&sort=largest&state=redirect
  list    | largest of a day                | currency=EUR&sort=largest&from={day}&to={day}
  list    | by amount, deep down            | currency=EUR&sort=largest&after={place}
  list    | a page deep down                | after={place}
  list    | a page deep down, one merchant  | after={place}&merchant={merchant}
  filter  | a common status                 | state=settled
  filter  | a rare status                   | state=redirect
  filter  | a rare status, one merchant     | state=redirect&merchant={merchant}
  filter  | a status that a merchant has not| state=redirect&merchant={small}
  filter  | three statuses                  | state=reversal,void,chargeback
  filter  | a status deep down              | state=decline&after={place}
  filter  | a protocol                      | protocol=s2s_card
  filter  | a protocol that nobody uses     | protocol=s2s_apm
  filter  | an operation                    | operation=recurring
  filter  | a common method                 | method=card
  filter  | a rare method                   | method=paysafecard
  filter  | a wallet that nobody uses       | method=applepay
  filter  | a common currency               | currency=EUR
  filter  | a rare currency                 | currency=JPY
  filter  | amounts from                    | amount_from={amount}
  filter  | one exact amount and currency   | amount_from={amount}&amount_to={amount}&currency=PLN
  filter  | amounts that nobody paid        | amount_from=123456&amount_to=123457
  filter  | one day                         | from={day}&to={day}
  filter  | declined, one day               | from={day}&to={day}&state=decline
  filter  | an account                      | mid={mid}
  filter  | a small account                 | mid={smallMid}
  filter  | a decline's class               | class=funds
  filter  | a rare decline's class          | class=technical
  filter  | a decline's reason              | reason=issuer un
  filter  | chains                          | recurring=first,later
  filter  | outside of chains               | recurring=none
  filter  | several at once                 | state=decline&currency=RSD&class=data&amount_from=500
  filter  | two common ones that never meet | state=settled&class=funds
  search  | payment id                      | q={payment}
  search  | transaction id                  | q={transaction}
  search  | order number                    | q={order}
  search  | beginning of an order number    | q={orderStart}
  search  | beginning of every order number | q=order
  search  | beginning of a season's orders  | q=order-5
  search  | e-mail                          | q={email}
  search  | beginning of an e-mail          | q={emailStart}
  search  | card's last four                | q={last4}
  search  | card token                      | q={token}
  search  | recurring token                 | q={chain}
  search  | nothing there                   | q=nobody-has-this
  search  | within one merchant             | q={last4}&merchant={merchant}
  search  | with a filter                   | q={emailStart}&state=settled
`;

const parsed = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Values to ask for, drawn from all over the table. */
async function sampleOf(database) {
  const { rows } = await database.query(`
    with drawn as (select * from payments tablesample system (0.2) where attempts > 0 order by random() limit ${rounds})
    select p.id as payment, p.attempt_id as transaction, p.order_number as order, p.payer ->> 'email' as email, k.last4,
           extract(epoch from p.created_at) * 1000 as at, p.amount_minor / 100 as amount,
           (select token from card_tokens where card_id = k.id limit 1) as token,
           to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
      from drawn p left join cards k on k.id = p.card_id`);
  const { rows: tokens } = await database.query(`select token from card_tokens order by random() limit ${rounds}`);
  const { rows: chains } = await database.query(`select token from recurring_chains order by random() limit ${rounds}`);
  const { rows: mids } = await database.query(
    `select i.id, i.merchant_id, count(p.id)::int as payments from mids i
       join payments p on p.merchant_id = i.merchant_id group by i.id order by 3 desc`,
  );
  const own = mids.filter(({ payments }) => payments > 1);
  const [big, small] = [own[0], own.at(-1)];
  const pick = (list, at) => list[at % list.length];
  return (name, at) => {
    const row = pick(rows, at);
    const known = {
      merchant: big.merchant_id,
      small: small.merchant_id,
      mid: big.id,
      smallMid: small.id,
      place: `${Math.floor(row.at)}.${row.payment}`,
      orderStart: row.order.slice(0, -2),
      emailStart: row.email.slice(0, -14),
      last4: row.last4 ?? '4242',
      token: pick(tokens, at).token,
      chain: pick(chains, at).token,
    };
    return known[name] ?? row[name];
  };
}

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];

/** Milliseconds until the whole answer is there, or until its first byte. */
async function timed(url, headers, firstByteOnly = false) {
  const started = performance.now();
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  if (firstByteOnly) {
    const reader = response.body.getReader();
    await reader.read();
    const milliseconds = performance.now() - started;
    await reader.cancel();
    return { milliseconds };
  }
  const body = await response.json();
  return { milliseconds: performance.now() - started, found: body.rows?.length };
}

async function measure(name, group, times, once) {
  // Whoever comes first pays for plans and pages that are not in memory yet.
  for (let at = 0; at < 3; at += 1) await once(at);
  const taken = [];
  let found;
  for (let at = 0; at < times; at += 1) {
    const answer = await once(at);
    found = answer.found ?? found;
    taken.push(answer.milliseconds);
  }
  taken.sort((a, b) => a - b);
  return { group, name, found, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) };
}

/**
 * Asks for everything, one after the other.
 * @param {{ url: string, cookie: string, database: import('pg').ClientBase, only?: string }} asked
 * @returns {Promise<{ group: string, name: string, found?: number, p50: number, p95: number }[]>}
 */
export async function measureDashboard({ url, cookie, database, only = '' }) {
  const value = await sampleOf(database);
  const headers = { cookie };
  const api = `${url}/dashboard/api`;
  const results = [];
  const add = async (name, group, times, once) => {
    if (`${group} ${name}`.includes(only)) results.push(await measure(name, group, times, once));
  };
  for (const [group, name, query] of parsed) {
    const filled = (at) => query.replace(/\{(\w+)\}/g, (_, each) => encodeURIComponent(value(each, at)));
    await add(name, group, rounds, (at) => timed(`${api}/payments?${filled(at)}`, headers));
    if (group === 'filter')
      await add(`${name}, counted`, 'count', 10, (at) => timed(`${api}/payments/count?${filled(at)}`, headers));
  }
  await add('everything, counted', 'count', 10, () => timed(`${api}/payments/count`, headers));
  await add('what can be chosen', 'other', rounds, () => timed(`${api}/payments/choices`, headers));
  await add("a payment's page", 'other', rounds, (at) => timed(`${api}/payments/${value('payment', at)}`, headers));
  await add('overview', 'other', 10, () => timed(`${api}/overview`, headers)).catch((fault) =>
    console.error(fault.message),
  );
  await add('first byte of an export', 'other', 10, () => timed(`${api}/payments/export`, headers, true));
  return results;
}
