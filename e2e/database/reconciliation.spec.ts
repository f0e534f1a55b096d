// Reconciliation on a database of its own, by the command: planted differences are found, each once and nothing else; a
// killed import is completed by the next one; and a file that cannot be read leaves nothing behind.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '../support/test.ts';
import {
  decimal,
  differencesOf,
  type Entry,
  expectSound,
  fee,
  fileOf,
  lineOf,
  postedBy,
  setFeeRule,
  start,
  withDeployment,
} from './settlements.ts';

test('twelve kinds of planted differences are found, each of them once and nothing else', async () => {
  await withDeployment(300, async (deployment) => {
    await setFeeRule(deployment);
    const lines = new Map(deployment.entries.map((entry) => [entry.transaction, lineOf(entry)]));
    const ofMovement = (movement: string) => deployment.entries.filter((entry) => entry.movement === movement);
    const [higher, foreign, twice, again, costly, lostSale] = ofMovement('settlement') as [
      Entry,
      Entry,
      Entry,
      Entry,
      Entry,
      Entry,
    ];
    const [lower, lostRefund] = ofMovement('refund') as [Entry, Entry];
    lines.set(higher.transaction, lineOf(higher, { minor: higher.minor + 1 }));
    lines.set(lower.transaction, lineOf(lower, { minor: lower.minor - 1 }));
    lines.set(foreign.transaction, lineOf(foreign, { currency: 'USD' }));
    lines.set(costly.transaction, lineOf(costly, { fee: 99 }));
    lines.delete(lostSale.transaction);
    lines.delete(lostRefund.transaction);
    const unknown = { reference: 'unknown-sale' };
    const planted = [
      lineOf(higher, unknown),
      lineOf(lower, { reference: 'unknown-refund', type: 'refund' }),
      lineOf(higher, { reference: 'unknown-chargeback', type: 'chargeback' }),
      lineOf(twice),
      lineOf(again, { reference: 'batch-sale', batch: 'B1' }),
      `,,payout,1.00,,,EUR,${again.day},B1,,`,
    ];
    const first = await start(deployment, fileOf('twelve.csv', [...lines.values(), ...planted])).ended;
    expect([first.code, first.output]).toEqual([0, expect.stringContaining('is imported')]);
    // With another fee: an equal line of another report says nothing new.
    const later = [lineOf(again, { fee: 31 }), `later,,fee,1.00,,,EUR,2026-11-29,,,`];
    expect((await start(deployment, fileOf('later.csv', later)).ended).code).toBe(0);
    expect(await differencesOf(deployment)).toEqual(
      [
        `amount_differs ${higher.transaction}`,
        `amount_differs ${lower.transaction}`,
        'batch_total B1',
        `currency_differs ${foreign.transaction}`,
        `duplicate ${again.transaction}`,
        `duplicate ${twice.transaction}`,
        `fee_unexpected ${costly.transaction}`,
        `missing_at_provider ${lostRefund.transaction}`,
        `missing_at_provider ${lostSale.transaction}`,
        ...['batch-sale', 'unknown-chargeback', 'unknown-refund', 'unknown-sale'].map((text) => `missing_here ${text}`),
      ].sort(),
    );
    await expectSound(deployment);
  });
});

test('a report of every entry has no difference, and the same file is imported once', async () => {
  await withDeployment(300, async (deployment) => {
    // By order numbers: type and amount distinguish the transactions of a payment.
    const file = fileOf(
      'whole.csv',
      deployment.entries.map((entry) => lineOf(entry, { reference: entry.order })),
    );
    expect((await start(deployment, file).ended).code).toBe(0);
    expect(await differencesOf(deployment)).toEqual([]);
    const posted = await postedBy(deployment);
    expect(posted.length).toBe(deployment.entries.length);
    const repeated = await start(deployment, file).ended;
    expect([repeated.code, repeated.output]).toEqual([0, expect.stringContaining('was imported before')]);
    expect(await postedBy(deployment)).toEqual(posted);
    await expectSound(deployment);
  });
});

test('a bad line refuses the whole file by its number and field, and nothing remains of it', async () => {
  await withDeployment(300, async (deployment) => {
    const good = deployment.entries.map((entry) => lineOf(entry));
    const bad = [good[0]?.replace('sale', 'surprise') ?? '', 'truncated,line'];
    const refused = await start(deployment, fileOf('bad.csv', [...good, ...bad])).ended;
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`line ${good.length + 2}, type: The type “surprise”`);
    expect(refused.output).toContain(`line ${good.length + 3}, line: The line has 2 columns, the header 11.`);
    const { rows } = await deployment.client.query(
      `select (select count(*)::int from settlement_lines) as lines, (select count(*)::int from settlement_differences) as differences,
              (select count(*)::int from ledger_entries where payment_id is null) as entries,
              (select array_agg(state) from settlement_reports) as states`,
    );
    expect(rows).toEqual([{ lines: 0, differences: 0, entries: 0, states: ['refused'] }]);
    // An account manager adds the word, and the same file is read again.
    await setFeeRule(deployment);
    await deployment.client.query(
      `update settlement_mappings set settings = jsonb_set(settings, '{types}', '{"sale": ["surprise"]}')`,
    );
    const repeated = await start(deployment, fileOf('fixed.csv', [...good, bad[0] ?? ''])).ended;
    expect(repeated.code).toBe(0);
    expect(await differencesOf(deployment)).toEqual([`duplicate ${deployment.entries[0]?.transaction}`]);
  });
});

test('a line is matched again when its transaction appears, and later lines find their batch', async () => {
  await withDeployment(300, async (deployment) => {
    const [late, ...others] = deployment.entries.filter(({ movement }) => movement === 'settlement') as [
      Entry,
      ...Entry[],
    ];
    const payout = `,,payout,${decimal(late.minor - fee)},,,EUR,${late.day},B7,,`;
    const first = [lineOf(late, { reference: 'late-order', batch: 'B6' }), payout];
    expect((await start(deployment, fileOf('early.csv', first)).ended).code).toBe(0);
    expect(await differencesOf(deployment)).toEqual(['batch_total B7', 'missing_here late-order']);
    await deployment.client.query(
      "update payments set order_number = 'late-order' where id = (select payment_id from transactions where id = $1)",
      [late.transaction],
    );
    const second = others
      .slice(0, 3)
      .map((entry, at) => lineOf(entry, at === 0 ? { batch: 'B7', minor: late.minor } : {}));
    expect((await start(deployment, fileOf('second.csv', second)).ended).code).toBe(0);
    expect(await differencesOf(deployment)).toEqual([]);
    const { rows } = await deployment.client.query(
      'select kind, resolution, closed_by from settlement_differences order by kind',
    );
    expect(rows).toEqual([
      { kind: 'batch_total', resolution: 'resolved', closed_by: 'florin' },
      { kind: 'missing_here', resolution: 'resolved', closed_by: 'florin' },
    ]);
    await expectSound(deployment);
  });
});

test('lines are found by the provider’s reference, and by ARN or RRN with the amount', async () => {
  await withDeployment(300, async (deployment) => {
    const [one, two, three, other] = deployment.entries.filter(({ movement }) => movement === 'settlement') as Entry[];
    const facts = [
      [one, '{"providerRef": "pi_1"}'],
      [two, '{"arn": "74537605332012345678901"}'],
      [three, '{"rrn": "633201234566"}'],
      [other, '{"rrn": "633201234567"}'],
    ] as const;
    for (const [entry, value] of facts) {
      await deployment.client.query('update transactions set facts = $2 where id = $1', [entry?.transaction, value]);
    }
    const lineBy = (cells: Record<number, string>) =>
      lineOf(one as Entry, { reference: '' })
        .split(',')
        .map((cell, at) => cells[at] ?? cell)
        .join(',');
    const lines = [
      lineBy({ 1: 'pi_1' }),
      lineBy({ 9: '74537605332012345678901' }),
      lineBy({ 10: '633201234566' }),
      // Another amount: an RRN alone is no proof.
      lineBy({ 3: '1.00', 5: '0.70', 10: '633201234567' }),
    ];
    expect((await start(deployment, fileOf('references.csv', lines)).ended).code).toBe(0);
    const { rows } = await deployment.client.query('select result from settlement_lines order by number');
    expect(rows.map(({ result }) => result)).toEqual(['matched', 'matched', 'matched', 'missing_here']);
    await expectSound(deployment);
  });
});

test('a killed import is completed by the next one, without doubles', async () => {
  await withDeployment(20_000, async (deployment) => {
    const lines = deployment.entries.map((entry) => lineOf(entry));
    const payout = `,,payout,1.00,,,EUR,${deployment.entries[0]?.day},,,`;
    const file = fileOf('killed.csv', [...lines, payout]);
    const until = async (condition: string, running: ReturnType<typeof start>) => {
      for (;;) {
        const { rows } = await deployment.client.query(`select ${condition} as reached`);
        if (rows[0].reached || running.child.exitCode !== null) return;
        await setTimeout(5);
      }
    };
    for (const condition of [
      'exists (select from settlement_reports)',
      '(select count(*) from settlement_lines) >= 4000',
      "exists (select from settlement_reports where state = 'read')",
      '(select count(*) from settlement_lines where result is not null) >= 5000',
      '(select count(*) from settlement_lines where result is not null) >= 10000',
    ]) {
      const running = start(deployment, file);
      await until(condition, running);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    const last = await start(deployment, file).ended;
    expect([last.code, last.output]).toEqual([0, expect.stringContaining(`${lines.length + 1} lines`)]);
    expect(await differencesOf(deployment)).toEqual([]);
    const posted = await postedBy(deployment);
    expect([posted.length, new Set(posted).size]).toEqual([lines.length + 1, lines.length + 1]);
    await expectSound(deployment);
  });
});
