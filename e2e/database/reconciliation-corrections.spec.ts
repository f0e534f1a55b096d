// Reports that repeat, correct or contradict earlier ones, on a database of its own: nothing is booked twice, what was adjusted
// and appears later is found, and every day is searched once.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from '../support/test.ts';
import {
  adjust,
  type Deployment,
  decimal,
  differencesOf,
  type Entry,
  expectSound,
  fee,
  fileOf,
  imported,
  lineOf,
  postedBy,
  postingsOf,
  resultsOf,
  setMapping,
  start,
  withDeployment,
} from './settlements.ts';

const settlementsOf = ({ entries }: Deployment) => entries.filter(({ movement }) => movement === 'settlement');

/** A line without a transaction, from its type and amounts. */
const other = (amounts: string, day: string, batch = '') => `,,${amounts},EUR,${day},${batch},,`;

/** A line far behind, so that earlier days are searched. */
const later = (day: string) => `later-${day},,fee,1.00,,,EUR,${day},,,`;

const sorted = (texts: string[]) => [...texts].sort();

/** The sum of the adjustments of the receivable from the provider. */
const adjustedSum = async ({ client }: Deployment): Promise<string> =>
  (
    await client.query(
      `select coalesce(sum(case debit when 'provider_receivable' then amount_minor else -amount_minor end), 0)::text as sum
         from ledger_entries where movement = 'adjustment'`,
    )
  ).rows[0].sum;

test('fees and payouts are booked once, whatever reports repeat them', async () => {
  await withDeployment(300, async (deployment) => {
    const [sold] = settlementsOf(deployment) as [Entry];
    const { day } = sold;
    const paid = sold.minor - fee - 500;
    const first = [
      lineOf(sold, { batch: 'B1' }),
      other('fee,0.00,5.00,-5.00', day, 'B1'),
      other('fee,2.00,,', day),
      other(`payout,${decimal(paid)},,`, day, 'B1'),
    ];
    await imported(deployment, 'week-1.csv', first);
    expect(await differencesOf(deployment)).toEqual([]);
    const again = [...first, other('fee,3.00,,', day), other('fee,3.00,,', day)];
    await imported(deployment, 'week-2.csv', again);
    expect(await resultsOf(deployment)).toEqual([
      ...['matched', 'booked', 'booked', 'booked'],
      ...['duplicate silent', 'duplicate silent', 'duplicate silent', 'duplicate silent', 'booked', 'duplicate'],
    ]);
    expect(sorted(await postedBy(deployment))).toEqual(
      sorted([`bank_payout ${paid} 5`, 'fee 200 4', 'fee 30 2', 'fee 300 6', 'fee 500 3']),
    );
    expect(sorted(await postingsOf(deployment))).toEqual(
      sorted(['duplicate 0 500 0', 'duplicate 0 200 0', `duplicate 0 0 ${paid}`, 'duplicate 0 300 0']),
    );
    await expectSound(deployment);
    await adjust(deployment, 'duplicate');
    await expectSound(deployment);
  });
});

test('signed amounts are booked in their direction, and a wrong sign refuses the file', async () => {
  await withDeployment(300, async (deployment) => {
    await setMapping(deployment, { signed: true });
    const [sold] = settlementsOf(deployment) as [Entry];
    const refunded = deployment.entries.find(({ movement }) => movement === 'refund') as Entry;
    const { day } = sold;
    const paid = sold.minor - fee - 100;
    await imported(deployment, 'signed.csv', [
      lineOf(sold, { batch: 'B3' }),
      other(`payout,${decimal(-paid)},1.00,${decimal(-paid - 100)}`, day, 'B3'),
      `${refunded.transaction},,refund,${decimal(-refunded.minor)},,${decimal(-refunded.minor)},EUR,${day},,,`,
      other('fee,-2.00,,', day),
      other('fee,2.50,,', day),
      other('payout,-50.00,,', day),
      other('payout,40.00,1.00,39.00', day),
    ]);
    const { rows } = await deployment.client.query(
      `select concat_ws(' ', movement, debit, credit, amount_minor) as text from ledger_entries where payment_id is null`,
    );
    expect(sorted(rows.map(({ text }) => text))).toEqual(
      sorted([
        'fee fees provider_receivable 30',
        `bank_payout bank provider_receivable ${paid}`,
        'fee fees provider_receivable 100',
        'fee fees provider_receivable 200',
        'fee_return provider_receivable fees 250',
        'bank_payout bank provider_receivable 5000',
        'bank_payout provider_receivable bank 4000',
        'fee fees provider_receivable 100',
      ]),
    );
    // The payout and its fee are the total of its batch.
    expect(await differencesOf(deployment)).toEqual([]);
    const wrong = fileOf('wrong.csv', [`${refunded.transaction},,refund,1.00,,,EUR,${day},,,`]);
    const refused = await start(deployment, wrong).ended;
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('line 2, gross')]);
    await expectSound(deployment);
  });
});

test('what was adjusted and appears later is adjusted back', async () => {
  await withDeployment(300, async (deployment) => {
    const [lost, late, ...others] = settlementsOf(deployment) as [Entry, Entry, ...Entry[]];
    const rest = deployment.entries.filter(({ movement }) => movement !== 'settlement');
    const paid = lost.minor - fee;
    await imported(deployment, 'first.csv', [
      ...[...others, ...rest].map((entry) => lineOf(entry)),
      lineOf(late, { reference: 'late-order' }),
      other(`payout,${decimal(paid)},,`, late.day, 'B7'),
    ]);
    await imported(deployment, 'later.csv', [later('2026-11-29')]);
    expect(await differencesOf(deployment)).toEqual(
      sorted([
        'batch_total B7',
        'missing_here late-order',
        `missing_at_provider ${lost.transaction}`,
        `missing_at_provider ${late.transaction}`,
      ]),
    );
    for (const kind of ['batch_total', 'missing_here', 'missing_at_provider']) await adjust(deployment, kind);
    await expectSound(deployment);
    await deployment.client.query(
      "update payments set order_number = 'late-order' where id = (select payment_id from transactions where id = $1)",
      [late.transaction],
    );
    await imported(deployment, 'second.csv', [lineOf(lost, { batch: 'B7' })]);
    expect(sorted(await postingsOf(deployment))).toEqual(
      sorted([
        `adjusted_before ${lost.minor} 0 0`,
        `adjusted_before ${late.minor} 0 0`,
        `adjusted_before ${-late.minor} ${-fee} 0`,
        `adjusted_before ${-paid} 0 0`,
      ]),
    );
    await adjust(deployment, 'adjusted_before');
    expect(await adjustedSum(deployment)).toBe('0');
    // Another report changes nothing any more.
    await imported(deployment, 'third.csv', [later('2026-11-27')]);
    expect(await differencesOf(deployment)).toEqual([]);
    await expectSound(deployment);
  });
});

test('what a user adjusts while an import finds it is adjusted back', async () => {
  await withDeployment(300, async (deployment) => {
    const { client, url } = deployment;
    const [lost, ...others] = settlementsOf(deployment) as [Entry, ...Entry[]];
    const rest = deployment.entries.filter(({ movement }) => movement !== 'settlement');
    await imported(
      deployment,
      'first.csv',
      [...others, ...rest].map((entry) => lineOf(entry)),
    );
    await imported(deployment, 'later.csv', [later('2026-11-29')]);
    expect(await differencesOf(deployment)).toEqual([`missing_at_provider ${lost.transaction}`]);
    const watcher = new Client(url);
    await watcher.connect();
    try {
      await client.query('begin');
      await adjust(deployment, 'missing_at_provider');
      const running = start(deployment, fileOf('found.csv', [lineOf(lost)]));
      const waiting = async () =>
        (await watcher.query("select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'"))
          .rows;
      await expect.poll(waiting, { timeout: 60_000 }).toEqual([{ count: 1 }]);
      await client.query('commit');
      expect((await running.ended).code).toBe(0);
    } finally {
      await watcher.end();
    }
    expect(await postingsOf(deployment)).toEqual([`adjusted_before ${lost.minor} 0 0`]);
    await expectSound(deployment);
  });
});

test('each day is searched once: days without lines too, and none because of a stray date', async () => {
  await withDeployment(300, async (deployment) => {
    const { client } = deployment;
    const [lost, quiet, ...others] = settlementsOf(deployment) as [Entry, Entry, ...Entry[]];
    const rest = deployment.entries.filter(({ movement }) => movement !== 'settlement');
    await client.query(
      `begin; set local session_replication_role = replica;
       update ledger_entries set posted_at = '2026-11-10 12:00:00Z' where transaction_id = '${quiet.transaction}'; commit`,
    );
    const sweptUntil = async () =>
      (await client.query('select swept_until::text as day from settlement_progress')).rows[0]?.day;
    const lines = [...others, ...rest].map((entry) => lineOf(entry));
    await imported(deployment, 'stray.csv', [...lines, `stray,,fee,1.00,,,EUR,2026-01-05,,,`]);
    expect(await sweptUntil()).toBeNull();
    await imported(deployment, 'later.csv', [later('2026-11-20')]);
    expect(await sweptUntil()).toBe('2026-11-17');
    const missing = sorted([lost, quiet].map(({ transaction }) => `missing_at_provider ${transaction}`));
    expect(await differencesOf(deployment)).toEqual(missing);
    await client.query(
      "update settlement_differences set state = 'closed', resolution = 'accepted', closed_by = 'user:1', closed_at = now()",
    );
    await imported(deployment, 'next.csv', [later('2026-11-21')]);
    expect([await sweptUntil(), await differencesOf(deployment)]).toEqual(['2026-11-18', []]);
    // Without tolerance, today is never searched.
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await setMapping(deployment, { toleranceDays: 0, from: dayBefore(3) });
    await imported(deployment, 'today.csv', [later(dayBefore(0))]);
    expect(await sweptUntil()).toBe(dayBefore(1));
    await expectSound(deployment);
  });
});

test('an equal line of another report is no difference, and one of the same report is', async () => {
  await withDeployment(300, async (deployment) => {
    const [one, two, three] = settlementsOf(deployment) as [Entry, Entry, Entry];
    await imported(deployment, 'first.csv', [lineOf(one), lineOf(two), lineOf(three)]);
    await imported(deployment, 'corrected.csv', [
      ...[lineOf(one), lineOf(two, { fee: 31 }), lineOf(three), lineOf(three)],
    ]);
    expect(await resultsOf(deployment)).toEqual([
      ...['matched', 'matched', 'matched', 'duplicate silent', 'duplicate', 'duplicate silent', 'duplicate'],
    ]);
    expect(await differencesOf(deployment)).toEqual(
      sorted([`duplicate ${two.transaction}`, `duplicate ${three.transaction}`]),
    );
    expect(sorted(await postingsOf(deployment))).toEqual(
      sorted([`duplicate ${two.minor} 31 0`, `duplicate ${three.minor} ${fee} 0`]),
    );
    await adjust(deployment, 'duplicate');
    await expectSound(deployment);
  });
});

test('a wrong reference does not hide the right one, and fillers and checks of cards are recognised', async () => {
  await withDeployment(300, async (deployment) => {
    const { client } = deployment;
    const sales = settlementsOf(deployment);
    const captured = sales.find(({ minor }) => minor === 6000) as Entry;
    const [wrong, filler] = sales.filter(({ minor }) => minor === 10000) as [Entry, Entry];
    await client.query(`update transactions set facts = '{"providerRef": "pi_9"}' where id = $1`, [
      captured.transaction,
    ]);
    await client.query(`update transactions set facts = '{"rrn": "000000000000"}' where id = $1`, [filler.transaction]);
    await imported(deployment, 'references.csv', [
      `${wrong.order},pi_9,sale,60.00,0.30,59.70,EUR,${captured.day},,,`,
      `nowhere,,sale,100.00,0.30,99.70,EUR,${filler.day},,,000000000000`,
      `check,,sale,0.00,0.05,-0.05,EUR,${filler.day},,,`,
      // Nothing else is found by the provider's reference: ours decides.
      `${wrong.order},pi_none,sale,99.00,0.30,98.70,EUR,${wrong.day},,,`,
    ]);
    const { rows } = await client.query(
      `select l.result, l.transaction_id as transaction from settlement_lines l order by number`,
    );
    expect(rows).toEqual([
      { result: 'matched', transaction: captured.transaction },
      { result: 'missing_here', transaction: null },
      { result: 'matched', transaction: null },
      { result: 'amount_differs', transaction: wrong.transaction },
    ]);
    expect(sorted(await postedBy(deployment))).toEqual(sorted(['fee 30 2', 'fee 5 4', 'fee 30 5']));
    await expectSound(deployment);
  });
});

test('of several refunds of a payment the nearest amount is compared, and of high amounts the fee', async () => {
  await withDeployment(300, async (deployment) => {
    const { client } = deployment;
    const part = deployment.entries.find(({ movement, minor }) => movement === 'refund' && minor === 4000) as Entry;
    await client.query(
      `insert into transactions select n.* from transactions t,
         jsonb_populate_record(null::transactions, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'amount_minor', 2000)) n
        where t.id = $1`,
      [part.transaction],
    );
    await setMapping(deployment, {
      fees: [{ type: 'sale', currency: 'EUR', percent: '99.0', fixed: '0', tolerance: '0' }],
    });
    const [sold] = settlementsOf(deployment) as [Entry];
    await imported(deployment, 'nearest.csv', [
      `${part.order},,refund,21.00,,,EUR,${part.day},,,`,
      `${sold.transaction},,sale,90000000000000.00,1.00,,EUR,${sold.day},,,`,
    ]);
    const { rows } = await client.query(
      'select kind, expected_minor::text as expected from settlement_differences order by kind, expected_minor',
    );
    expect(rows).toEqual([
      { kind: 'amount_differs', expected: '2000' },
      { kind: 'amount_differs', expected: '10000' },
      { kind: 'fee_unexpected', expected: '8910000000000000' },
    ]);
  });
});

test('lines of another mapping do not remain in a report', async () => {
  await withDeployment(300, async (deployment) => {
    const [sold] = settlementsOf(deployment) as [Entry];
    const file = fileOf('mapped.csv', [lineOf(sold)]);
    // As an import leaves it that was killed before the mapping was changed.
    const id = '00000000-0000-4000-8000-000000000001';
    await deployment.client.query(
      `insert into settlement_reports (id, mid_id, merchant_id, name, digest, mapping_version, imported_by, created_at)
       select $1::uuid, id, merchant_id, 'mapped.csv', $3, 0, 'command', now() from mids where id = $2::uuid`,
      [id, deployment.mid, createHash('sha256').update(readFileSync(file)).digest()],
    );
    await deployment.client.query(
      `insert into settlement_lines (id, report_id, number, mid_id, type, currency, gross_minor, net_minor, day)
       values ($1, $1, 99, $2, 'fee', 'EUR', 1, -1, $3)`,
      [id, deployment.mid, sold.day],
    );
    await setMapping(deployment, {});
    expect((await start(deployment, file).ended).code).toBe(0);
    expect(await resultsOf(deployment)).toEqual(['matched']);
    await expectSound(deployment);
  });
});

test('a difference that a line explains already is closed', async () => {
  await withDeployment(300, async (deployment) => {
    const { client } = deployment;
    const [sold] = settlementsOf(deployment) as [Entry];
    const file = fileOf('sold.csv', [lineOf(sold)]);
    expect((await start(deployment, file).ended).code).toBe(0);
    // As a search leaves it that ran beside the import.
    const plant = (entry: string) =>
      client.query(
        `insert into settlement_differences (id, kind, merchant_id, mid_id, entry_id, transaction_id, expected_minor,
           expected_currency, delta_minor, created_at)
         select gen_random_uuid(), 'missing_at_provider', e.merchant_id, e.mid_id, e.id, e.transaction_id, e.amount_minor,
                e.currency, -e.amount_minor, now() from ledger_entries e where ${entry}`,
      );
    await plant('e.id = (select entry_id from settlement_lines where entry_id is not null)');
    // Settled and returned: the provider need not report either of them.
    await plant(
      `e.movement = 'settlement' and e.payment_id = (select payment_id from ledger_entries where movement = 'return' order by id limit 1)`,
    );
    expect((await differencesOf(deployment)).length).toBe(2);
    expect((await start(deployment, file).ended).output).toContain('was imported before');
    const { rows } = await client.query('select state, resolution, closed_by from settlement_differences');
    const closed = { state: 'closed', resolution: 'resolved', closed_by: 'florin' };
    expect(rows).toEqual([closed, closed]);
  });
});
