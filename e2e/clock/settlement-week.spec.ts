// A week of trade at the sandbox provider, whose reports are imported day by day: they reconcile to the last cent. And a day with
// planted differences, of which exactly these are found.
import { type CardMerchant, cardMerchant } from '../support/card-merchant.ts';
import type { Clock } from '../support/clock.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { isUnposted, sql } from '../support/database-rows.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import type { Provider } from '../support/provider.ts';
import { settlementReport } from '../support/provider-client.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { reportHeader, uploadBody } from '../support/settlement-reports.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const daySeconds = 24 * 3600;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

type Trade = { florin: string; clock: Clock; provider: Provider; shop: CardMerchant; mid: string };

/** A merchant with a MID of its own at the sandbox provider, at eight in the morning of the next day. */
async function trader(florin: string, clock: Clock, provider: Provider, shopServer: ShopServer): Promise<Trade> {
  const morning = new Date((await clock.now()).getTime() + daySeconds * 1000);
  morning.setUTCHours(8, 0, 0, 0);
  await clock.move((morning.getTime() - (await clock.now()).getTime()) / 1000);
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const { id: mid } = await makeMid(manager, own.id);
  // Payouts with the contract's hash alone.
  await changeMapping(manager, (await mappingOf(manager, own, 's2s_card')).id, { openPayouts: true });
  return { florin, clock, provider, shop: cardMerchant(florin, own.credentials, shopServer), mid };
}

async function sell({ shop }: Trade, changes: object = {}, action = 'SALE'): Promise<Sold> {
  const sold = await shop.sell({ ...changes }, action);
  expect(sold.answer.body.result).toMatch(/SUCCESS/);
  return sold;
}

const follow = async ({ shop }: Trade, action: string, sold: Sold, amount?: string) =>
  expect((await shop.follow(action, sold, amount ? { amount } : {})).body.result).toMatch(/SUCCESS|ACCEPTED/);

/** Waits until the outcome of all transactions of the MID but `open` is known, and of its `disputes`. */
async function untilFinal({ clock, mid }: Trade, { open = 0, disputes = 0 } = {}): Promise<void> {
  const isFinal = async () => {
    await clock.tick();
    const [row] = await sql(
      `select count(*) filter (where status not in ('success', 'fail'))::int as open,
              (select count(*)::int from ledger_entries where mid_id = $1 and movement in ('chargeback', 'chargeback_won')) as disputes
         from transactions where mid_id = $1`,
      [mid],
    );
    return row;
  };
  await expect.poll(isFinal, { timeout: 60_000 }).toEqual({ open, disputes });
}

/** Ends the day. The ledger has the times of the database's clock: its entries of the day are moved to the server's. */
async function endDay({ clock, mid }: Trade): Promise<void> {
  const ahead = ((await clock.now()).getTime() - Date.now()) / 1000;
  await sql(
    `update ledger_entries set posted_at = posted_at + make_interval(secs => $2)
      where mid_id = $1 and posted_at < clock_timestamp() + interval '1 minute' and ${isUnposted}`,
    [mid, ahead],
  );
  await clock.move(daySeconds);
}

/** The report of a day, from the provider's contract. */
async function reportOf({ florin, mid }: Trade, day: string, faults: string[] = []): Promise<string> {
  const [{ account }] = await sql(
    `select o.account from sim_operations o join transactions t on t.id::text = o.key where t.mid_id = $1 limit 1`,
    [mid],
  );
  const { http, text } = await settlementReport(florin, account, day, faults);
  expect(http).toBe(200);
  return text;
}

async function uploadText({ florin, mid }: Trade, name: string, text: string) {
  const body = { midId: mid, name, file: Buffer.from(text).toString('base64') };
  return uploadBody(await visitorAs(florin, 'manager'), body);
}

const differencesOf = ({ mid }: Trade): Promise<{ kind: string; state: string }[]> =>
  sql('select kind, state from settlement_differences where mid_id = $1 order by kind', [mid]);

/** The balances of the receivable from the provider, by currency. */
const receivables = ({ mid }: Trade) =>
  sql(
    `select currency, sum(case 'provider_receivable' when debit::text then amount_minor when credit::text then -amount_minor
                                                     else 0 end)::text as minor
       from ledger_entries where mid_id = $1 group by currency order by currency`,
    [mid],
  );

type Week = {
  kept: Sold[];
  authorised?: Sold;
  released?: Sold;
  refunded?: Sold;
  debited?: Sold;
  won?: string;
  slow?: string;
};

/** What happens on each day of the week besides its sales; the number of chargebacks and wins so far, and of open refunds. */
const days: ((trade: Trade, week: Week) => Promise<{ open?: number; disputes?: number }>)[] = [
  async (trade, week) => {
    week.authorised = await sell(trade, { auth: 'Y' });
    week.released = await sell(trade, { auth: 'Y' });
    week.refunded = await sell(trade);
    week.debited = await sell(trade, {}, 'DEBIT');
    await follow(trade, 'VOID', await sell(trade));
    return {};
  },
  async (trade, { kept, authorised, released, refunded, debited }) => {
    await follow(trade, 'CAPTURE', authorised as Sold, '50.00');
    await follow(trade, 'CREDITVOID', refunded as Sold, '20.00');
    for (const each of [released, debited]) await follow(trade, 'CREDITVOID', each as Sold);
    await trade.provider.chargeback(kept[0]?.orderId ?? '', '30.00');
    return { disputes: 1 };
  },
  async (trade, week) => {
    await follow(trade, 'CREDITVOID', week.refunded as Sold, '64.50');
    week.won = week.kept[1]?.orderId ?? '';
    await trade.provider.chargeback(week.won);
    expect((await trade.shop.payout()).body.result).toMatch(/SUCCESS|ACCEPTED/);
    return { disputes: 2 };
  },
  async (trade, week) => {
    // Approved after midnight.
    const sold = await sell(trade);
    week.slow = sold.orderId;
    await trade.provider.fault({ fault: 'answer', call: 'refund', answer: { status: 'processing' } }, sold.orderId);
    await follow(trade, 'CREDITVOID', sold, '10.00');
    return { open: 1, disputes: 2 };
  },
  async (trade, { slow = '' }) => {
    const refund = (await trade.provider.journal(slow)).find(({ kind }) => kind === 'refund');
    await trade.provider.portal(slow, 'approve', { reference: refund?.reference ?? '' });
    return { disputes: 2 };
  },
  async (trade, { won = '' }) => {
    const [chargeback] = (await trade.provider.journal(won)).flatMap(({ chargebacks }) => chargebacks);
    await trade.provider.won(won, chargeback?.id ?? '');
    return { disputes: 3 };
  },
  async (trade) => {
    await follow(trade, 'CAPTURE', await sell(trade, { auth: 'Y' }));
    return { disputes: 3 };
  },
];

test('a week of trade reconciles to the last cent', async ({ florin, clock, provider, shopServer }) => {
  test.slow();
  const trade = await trader(florin, clock, provider, shopServer);
  const week: Week = { kept: [] };
  for (const happens of days) {
    const day = dayOf(await clock.now());
    week.kept.push(await sell(trade), await sell(trade), await sell(trade));
    await sell(trade, { order_currency: 'USD' });
    await untilFinal(trade, await happens(trade, week));
    await endDay(trade);
    const imported = await uploadText(trade, `${day}.csv`, await reportOf(trade, day));
    expect([day, imported.kind]).toEqual([day, 'imported']);
  }
  // The days of the reports are searched after the last of them is matched.
  const isSwept = async () => {
    const [row] = await sql(
      `select p.swept_until >= (select min(r.period_to) + 2 from settlement_reports r where r.mid_id = p.mid_id) as far
         from settlement_progress p where p.mid_id = $1`,
      [trade.mid],
    );
    return row?.far;
  };
  await expect.poll(isSwept).toBe(true);
  expect(await differencesOf(trade)).toEqual([]);
  expect(await receivables(trade)).toEqual([
    { currency: 'EUR', minor: '0' },
    { currency: 'USD', minor: '0' },
  ]);
});

/** The report of a day with planted differences: by faults of the provider, and by edited lines. */
async function plantedReport(trade: Trade, day: string): Promise<string> {
  const faults = ['amount', 'currency', 'missing', 'unknown', 'duplicate', 'fee', 'batch'];
  const lines = (await reportOf(trade, day, faults)).split('\n').filter((line) => line !== '');
  const [lower, lost] = lines.filter((line) => line.split(',')[2] === 'refund') as [string, string];
  const changed = lines
    .filter((line) => line !== lost)
    .map((line) => {
      if (line !== lower) return line;
      const cells = line.split(',');
      return [...cells.slice(0, 3), '19.00', cells[4], '', ...cells.slice(6)].join(',');
    });
  const unknown = ['refund', 'chargeback'].map((type) => `unknown-${type},,${type},5.00,,,EUR,${day},,,`);
  return [...changed, ...unknown, ''].join('\n');
}

test('of a day with twelve planted differences exactly these are found', async ({
  florin,
  clock,
  provider,
  shopServer,
}) => {
  test.slow();
  const trade = await trader(florin, clock, provider, shopServer);
  const manager = await visitorAs(florin, 'manager');
  const { body: mapping } = await manager.get(`/settlement-mappings/${trade.mid}`);
  // The tolerance is above the fee of the hundred euros by which the wrong amount is higher.
  const rule = { type: 'sale', currency: 'EUR', percent: '1.5', fixed: '0.00', tolerance: '2.00' };
  const settings = JSON.stringify({ ...JSON.parse(mapping.settings), fees: [rule] });
  const saved = await manager.post(`/settlement-mappings/${trade.mid}`, { version: mapping.version, settings });
  expect(saved.status).toBe(200);
  const day = dayOf(await clock.now());
  const sold: Sold[] = [];
  for (let count = 0; count < 8; count += 1) sold.push(await sell(trade));
  for (const each of sold.slice(4, 7)) await follow(trade, 'CREDITVOID', each, '20.00');
  await untilFinal(trade);
  await endDay(trade);
  for (const fault of ['type', 'truncated']) {
    const refused = await uploadText(trade, `${fault}.csv`, await reportOf(trade, day, [fault]));
    expect([fault, refused.kind]).toEqual([fault, 'refused']);
  }
  expect((await uploadText(trade, 'planted.csv', await plantedReport(trade, day))).kind).toBe('imported');
  await clock.move(5 * daySeconds);
  const later = dayOf(new Date(Date.parse(day) + 4 * daySeconds * 1000));
  const [payment] = await provider.journal(sold[5]?.orderId ?? '');
  const repeated = (await reportOf(trade, day)).split('\n').find((line) => line.startsWith(`${payment?.reference},`));
  const cells = (repeated ?? '').split(',');
  // With another fee: an equal line of another report says nothing new.
  const again = [...cells.slice(0, 4), '1.28', '', ...cells.slice(6, 8), '', '', ''].join(',');
  await uploadText(trade, 'later.csv', [reportHeader, again, `later,,fee,0.01,,,EUR,${later},,,`, ''].join('\n'));
  const open = async () => (await differencesOf(trade)).map(({ kind, state }) => `${kind} ${state}`);
  await expect
    .poll(open)
    .toEqual(
      [
        ...['amount_differs', 'amount_differs', 'batch_total', 'currency_differs', 'duplicate', 'duplicate'],
        ...['fee_unexpected', 'missing_at_provider', 'missing_at_provider'],
        ...['missing_here', 'missing_here', 'missing_here'],
      ].map((kind) => `${kind} open`),
    );
});
