// The dashboard's requests with values drawn from the database, and their response times. One request at a time, each
// kind with different values every time.
import type { ClientBase } from 'pg';
import { percentile } from './report.ts';

const rounds = 40;

/** The bound of the 95th percentile for lists, filters and searches. */
export const boundMilliseconds = 150;

/** The list of payments, as a table: group, description, query. Names in braces are values of the sample below. */
const paymentCases = `
  list    | newest                          |
  list    | newest of one merchant          | merchant={merchant}
  list    | newest of a small merchant      | merchant={small}
  list    | oldest first                    | sort=oldest
  list    | largest of a currency           | currency=EUR&sort=largest
  list    | smallest of one merchant        | currency=EUR&sort=smallest&merchant={merchant}
  list    | largest of a rare status        | currency=EUR&sort=largest&state=redirect
  list    | largest of a day                | currency=EUR&sort=largest&from={day}&to={day}
  list    | largest, two common that never meet | currency=EUR&sort=largest&state=settled&class=funds
  list    | by amount, deep down            | currency=EUR&sort=largest&after={place}
  list    | a page deep down                | after={place}
  list    | a page deep down, one merchant  | after={place}&merchant={merchant}
  filter  | a common status                 | state=settled
  filter  | a rare status                   | state=redirect
  filter  | a rare status, one merchant     | state=redirect&merchant={merchant}
  filter  | a status without payments       | state=redirect&merchant={small}
  filter  | three statuses                  | state=reversal,void,chargeback
  filter  | a status deep down              | state=decline&after={place}
  filter  | a protocol                      | protocol=s2s_card
  filter  | an unused protocol              | protocol=s2s_apm
  filter  | an operation                    | operation=recurring
  filter  | a common method                 | method=card
  filter  | a rare method                   | method=paysafecard
  filter  | a common and a rare method      | method=blik,paysafecard
  filter  | an unused wallet                | method=applepay
  filter  | a common currency               | currency=EUR
  filter  | a rare currency                 | currency=JPY
  filter  | amounts from                    | amount_from={amount}
  filter  | amounts up to                   | amount_to={amount}
  filter  | one exact amount and currency   | amount_from={amount}&amount_to={amount}&currency=PLN
  filter  | amounts without payments        | amount_from=123456&amount_to=123457
  filter  | one day                         | from={day}&to={day}
  filter  | declined, one day               | from={day}&to={day}&state=decline
  filter  | an account                      | mid={mid}
  filter  | a small account                 | mid={smallMid}
  filter  | a large and a small account     | mid={mid},{smallMid}
  filter  | a card                          | card={card}
  filter  | what needs attention            | attention=yes
  filter  | a decline's class               | class=funds
  filter  | a rare decline's class          | class=technical
  filter  | a decline's reason              | reason=issuer un
  filter  | a common reason                 | reason=do not
  filter  | chains                          | recurring=first,later
  filter  | later charges of chains         | recurring=later
  filter  | outside of chains               | recurring=none
  filter  | several at once                 | state=decline&currency=RSD&class=data&amount_from=500
  filter  | two common ones that never meet | state=settled&class=funds
  filter  | a reason that no sale has       | state=settled&reason=do not
  filter  | a method without refunds        | state=refund&method=ideal
  filter  | chains without declines         | state=decline&recurring=later
  filter  | a protocol without a method     | protocol=s2s_card&method=blik
  filter  | a method and a class            | method=blik&class=funds
  filter  | a method among amounts          | method=ideal&amount_from=9500&currency=PLN
  filter  | chains of a currency            | recurring=first&currency=RSD
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
  search  | a season's declines of a class  | q=order-5&class=data
  search  | a season without a status       | q=order-5&state=chargeback
`;

/** The other lists in the same way; the group is the address. `as` is the selected merchant. */
const objectCases = `
  sessions    | newest                      |
  sessions    | of one merchant             | as={merchant}
  sessions    | of a small merchant         | as={small}
  sessions    | deep down                   | after={place}
  sessions    | one day                     | from={day}&to={day}
  sessions    | open                        | state=open
  sessions    | being paid                  | state=trying
  sessions    | paid                        | state=paid
  sessions    | expired                     | state=expired
  sessions    | cancelled                   | state=cancelled
  sessions    | open and paid               | state=open,paid
  sessions    | open, of a small merchant   | state=open&as={small}
  sessions    | with a common method        | method=card
  sessions    | with a rare method          | method=paysafecard
  sessions    | with an unused method       | method=papara
  sessions    | of hosted fields            | for=fields
  sessions    | of the page                 | for=page
  sessions    | by order number             | q={order}
  sessions    | by a season's orders        | q=order-5
  sessions    | by e-mail                   | q={emailStart}
  sessions    | by last four, expired       | q={last4}&state=expired
  callbacks   | newest                      |
  callbacks   | of one merchant             | as={merchant}
  callbacks   | of a small merchant         | as={small}
  callbacks   | deep down                   | after={callbackPlace}
  callbacks   | one day                     | from={day}&to={day}
  callbacks   | waiting                     | state=waiting
  callbacks   | given up                    | state=failed
  callbacks   | delivered                   | state=delivered
  callbacks   | without an address          | state=undelivered
  callbacks   | of a decline                | outcome=fail
  callbacks   | of a wait                   | outcome=waiting
  callbacks   | of nothing                  | outcome=undefined
  callbacks   | to a host                   | host=shop.example
  callbacks   | to an unknown host          | host=unknown.example
  callbacks   | answered ERROR              | answer=error
  callbacks   | by order number             | q={order}
  callbacks   | by a season's orders        | q=order-5
  callbacks   | by last four, of a decline  | q={last4}&outcome=fail
  callbacks   | a season, waiting           | q=order-5&state=waiting
  requests    | newest                      |
  requests    | of one merchant             | as={merchant}
  requests    | of a small merchant         | as={small}
  requests    | deep down                   | after={requestPlace}
  requests    | of a protocol               | protocol=s2s_card
  requests    | of an unused protocol       | protocol=s2s_apm
  requests    | of an action                | action=SALE
  requests    | of a rare action            | action=RECURRING_SALE
  requests    | of an unknown action        | action=NOTHING
  requests    | carried out                 | outcome=carried
  requests    | refused                     | outcome=refused
  requests    | refused for the signature   | outcome=signature
  requests    | failed                      | outcome=failed
  requests    | with an error's code        | code=100000
  requests    | with an unused error code    | code=999999
  requests    | by order number             | q={order}
  requests    | by a season's orders        | q=order-5
  requests    | by an unknown order         | q=nobody-has-this
  requests    | by payment id               | q={payment}
  requests    | refused, of a small merchant | outcome=refused&as={small}
  tokens      | newest                      |
  tokens      | of a small merchant         | as={small}
  tokens      | active                      | state=active
  tokens      | expired                     | state=expired
  tokens      | removed                     | state=removed
  tokens      | of a brand                  | brand=visa
  tokens      | of an unused brand          | brand=jcb
  tokens      | by last four                | q={last4}
  tokens      | by the first six            | q=424242
  tokens      | by other first six          | q=555555
  tokens      | by token                    | q={token}
  chains      | newest                      |
  chains      | of a small merchant         | as={small}
  chains      | on a schedule               | state=scheduled
  chains      | open                        | state=open
  chains      | stopped                     | state=stopped
  chains      | by token                    | q={chain}
  chains      | by e-mail                   | q={emailStart}
  schedules   | newest                      |
  payouts     | newest                      |
  payouts     | declined, in yen            | state=decline&currency=JPY
  payouts     | by last four                | q={last4}
  chargebacks | newest                      |
  chargebacks | of a small merchant         | as={small}
  chargebacks | in a currency               | currency=RSD
  chargebacks | for a reason                | reason=10.4
  chargebacks | by a season's orders        | q=order-5
  audit-log   | newest                      |
  audit-log   | of an action                | what=payment.refund
  audit-log   | searched                    | q=goods
  audit-log   | searched without a result      | q=nobody-has-this
`;

type Asked = { milliseconds: number; found?: number };
type Once = (at: number) => Promise<Asked>;

/** The milliseconds of one case. */
export type Measured = { group: string; name: string; found?: number; p50: number; p95: number };

// biome-ignore lint/suspicious/noExplicitAny: each statement has rows of its own.
type Row = any;

const read = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** Sample values from the whole table. */
async function sampleOf(database: ClientBase) {
  const { rows } = await database.query(`
    with drawn as (select * from payments tablesample bernoulli (0.2) where attempts > 0 order by random() limit ${rounds})
    select p.id as payment, p.attempt_id as transaction, p.order_number as order, p.payer ->> 'email' as email, k.last4,
           extract(epoch from p.created_at) * 1000 as at, p.amount_minor / 100 as amount,
           (select token from card_tokens where card_id = k.id limit 1) as token,
           to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(k.id, p.id) as card
      from drawn p left join cards k on k.id = p.card_id`);
  const { rows: tokens } = await database.query(`select token from card_tokens order by random() limit ${rounds}`);
  const { rows: chains } = await database.query(`select token from recurring_chains order by random() limit ${rounds}`);
  const { rows: mids } = await database.query(
    `select i.id, i.merchant_id, count(p.id)::int as payments from mids i
       join payments p on p.merchant_id = i.merchant_id group by i.id order by 3 desc`,
  );
  const own = mids.filter(({ payments }) => payments > 1);
  const [big, small]: Row[] = [own[0], own.at(-1)];
  const placesIn = async (table: string, at: string) => {
    const { rows: places } = await database.query(
      `select floor(extract(epoch from ${at}) * 1000) || '.' || id as place
         from ${table} tablesample bernoulli (0.2) order by random() limit ${rounds}`,
    );
    return places.map(({ place }) => place);
  };
  const callbackPlaces = await placesIn('callbacks', 'created_at');
  const requestPlaces = await placesIn('api_requests', 'at');
  const pick = (list: Row[], at: number): Row => list[at % list.length];
  return (name: string, at: number): string => {
    const row = pick(rows, at);
    const known: Record<string, string> = {
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
      callbackPlace: pick(callbackPlaces, at),
      requestPlace: pick(requestPlaces, at),
    };
    return known[name] ?? row[name];
  };
}

/** Milliseconds until the full response, or until its first byte. */
async function timed(url: string, headers: Record<string, string>, firstByteOnly = false): Promise<Asked> {
  const started = performance.now();
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  if (firstByteOnly) {
    const reader = response.body?.getReader();
    await reader?.read();
    const milliseconds = performance.now() - started;
    await reader?.cancel();
    return { milliseconds };
  }
  const body = await response.json();
  return { milliseconds: performance.now() - started, found: body.rows?.length };
}

async function measure(name: string, group: string, times: number, once: Once): Promise<Measured> {
  // The first request pays for query plans and cold pages.
  for (let at = 0; at < 3; at += 1) await once(at);
  const taken: number[] = [];
  let found: number | undefined;
  for (let at = 0; at < times; at += 1) {
    const answer = await once(at);
    found = answer.found ?? found;
    taken.push(answer.milliseconds);
  }
  taken.sort((a, b) => a - b);
  const at = (part: number) => percentile(taken, part) ?? Number.NaN;
  return { group, name, found, p50: at(0.5), p95: at(0.95) };
}

/** Measures all cases one after the other. */
export async function measureDashboard({
  url,
  cookie,
  database,
  only = '',
}: {
  url: string;
  cookie: string;
  database: ClientBase;
  only?: string;
}): Promise<Measured[]> {
  const value = await sampleOf(database);
  const headers = { cookie };
  const api = `${url}/dashboard/api`;
  const results: Measured[] = [];
  const add = async (name: string, group: string, times: number, once: Once) => {
    if (`${group} ${name}`.includes(only)) results.push(await measure(name, group, times, once));
  };
  const fill = (query: string, at: number) =>
    query.replace(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(value(each, at)));
  for (const [group = '', name = '', query = ''] of read(paymentCases)) {
    const filled = (at: number) => fill(query, at);
    await add(name, group, rounds, (at) => timed(`${api}/payments?${filled(at)}`, headers));
    if (group === 'filter')
      await add(`${name}, counted`, 'count', 10, (at) => timed(`${api}/payments/count?${filled(at)}`, headers));
  }
  for (const [group = '', name = '', query = ''] of read(objectCases)) {
    await add(name, group, rounds, (at) => {
      const params = new URLSearchParams(fill(query, at));
      const merchant = params.get('as');
      params.delete('as');
      const picked = merchant === null ? cookie : `${cookie}; florin_merchant=${merchant}`;
      return timed(`${api}/${group}?${params}`, { cookie: picked });
    });
  }
  await add('everything, counted', 'count', 10, () => timed(`${api}/payments/count`, headers));
  await add('what can be chosen', 'other', rounds, () => timed(`${api}/payments/choices`, headers));
  await add("a payment's page", 'other', rounds, (at) => timed(`${api}/payments/${value('payment', at)}`, headers));
  await add('overview', 'other', 10, () => timed(`${api}/overview`, headers)).catch((error) =>
    console.error(error.message),
  );
  await add('first byte of an export', 'other', 10, () => timed(`${api}/payments/export`, headers, true));
  return results;
}
