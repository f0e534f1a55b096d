// Routing over the dashboard API: permissions, the validation of drafts, and that only the publication of a simulated
// draft affects payments.
import { randomUUID } from 'node:crypto';
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { type people, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { mappingOf, publishRules, ruleBody } from '../support/mappings.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

// Requests a mapping of a merchant that none of the restricted roles belongs to.
const policies = rowsOf(`
  address                          | anonymous | viewer | operator | merchant | manager | administrator
  GET  /routing/{mapping}          | 401       | 403    | 403      | 404      | 200     | 200
  GET  /routing/{mapping}/hits     | 401       | 403    | 403      | 404      | 200     | 200
  POST /routing/{mapping}/draft    | 401       | 403    | 403      | 403      | 400     | 400
  POST /routing/{mapping}/discard  | 401       | 403    | 403      | 403      | 400     | 400
  POST /routing/{mapping}/rebase   | 401       | 403    | 403      | 403      | 400     | 400
  POST /routing/{mapping}/dry-run  | 401       | 403    | 403      | 403      | 400     | 400
  POST /routing/{mapping}/publish  | 401       | 403    | 403      | 403      | 400     | 400
`);
const [[, ...roles] = [], ...rows] = policies;

/** A merchant with two MIDs, and its S2S CARD routing. */
async function setUp(manager: Visitor) {
  const merchant = await makeMerchant(manager);
  const first = await makeMid(manager, merchant.id, { name: 'First', priority: 1 });
  const second = await makeMid(manager, merchant.id, { name: 'Second', priority: 2 });
  const { id } = await mappingOf(manager, merchant, 's2s_card');
  const post = (path: string, body: object) => manager.post(`/routing/${id}/${path}`, body);
  const page = async () => (await manager.get(`/routing/${id}`)).body;
  return { merchant, first: first.id as string, second: second.id as string, id, post, page };
}

test('every endpoint checks the session and the right', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { id } = await setUp(manager);
  const actual: string[][] = [];
  for (const [address = ''] of rows) {
    const [method, path = ''] = address.split(/\s+/);
    const real = path.replace('{mapping}', id);
    const line = [address];
    for (const role of roles) {
      const user = role === 'anonymous' ? visitor(florin) : await visitorAs(florin, role as keyof typeof people);
      const answer = method === 'GET' ? await user.get(real) : await user.post(real, {});
      line.push(String(answer.status));
    }
    actual.push(line);
  }
  expect(actual).toEqual(rows);
  for (const path of ['', '/hits']) expect((await manager.get(`/routing/${randomUUID()}${path}`)).status).toBe(404);
  expect((await manager.post('/routing/x/draft', {})).status).toBe(404);
});

test('a draft gets field errors by rule and field', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { first, post, page } = await setUp(manager);
  const foreign = (await setUp(manager)).first;
  const good = ruleBody('Euro', [first], { currencies: ['EUR'] });
  const faulty = [
    good,
    { ...ruleBody('euro', [[first, 0]], { currencies: ['EURO'], bins: ['41111x'] }) },
    ruleBody('Elsewhere', [foreign], { amountFrom: '10', amountTo: '9' }),
  ];
  const { status, body } = await post('draft', { version: null, basedOn: 0, rules: faulty });
  expect([status, body.error.fields]).toEqual([
    400,
    {
      'rules.1.conditions.currencies': 'EURO is not a supported currency.',
      'rules.1.conditions.bins': '41111x is not a BIN. Enter 2 to 8 digits.',
      'rules.1.targets': 'Choose at least one MID with a weight above 0.',
      'rules.2.conditions.amountTo': 'The upper bound is below the lower one.',
      'rules.2.targets.0.midId': 'This is not a MID of the merchant.',
      'rules.1.name': 'Rule 1 has this name already. Hits are counted by name.',
    },
  ]);
  expect((await page()).draft).toBeNull();
});

test('a draft is saved only for the version that was read, and affects no payment', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const { merchant, second, post, page } = await setUp(manager);
  const rules = [ruleBody('All', [second])];
  const created = await post('draft', { version: null, basedOn: 0, rules });
  expect([created.status, created.body.draft.version, created.body.draft.rules]).toEqual([200, 1, rules]);
  for (const version of [null, 0, 2]) expect((await post('draft', { version, basedOn: 0, rules })).status).toBe(409);
  const next = await post('draft', { version: 1, basedOn: 0, rules: [] });
  expect([next.status, next.body.draft.version]).toEqual([200, 2]);
  const sold = await cardMerchant(florin, merchant.credentials, shopServer).sell();
  expect(await accountOf(manager, sold.orderId)).toBe('First');
  expect((await page()).rules).toEqual([]);
  expect((await post('discard', { version: 1 })).status).toBe(409);
  expect((await post('discard', { version: 2 })).body.draft).toBeNull();
  expect((await post('draft', { version: null, basedOn: 1, rules })).status).toBe(409);
});

test('changes of a draft are logged, and refused ones if they were begun', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { first, id, post } = await setUp(manager);
  const rules = [ruleBody('Euro', [first])];
  await post('draft', { version: null, basedOn: 0, rules });
  await post('rebase', { version: 1 });
  await post('discard', { version: 2 });
  expect((await post('draft', { version: 2, basedOn: 0, rules })).status).toBe(409);
  expect((await post('draft', { version: null, basedOn: 1, rules })).status).toBe(409);
  const { rows: logged } = (await manager.get(`/audit-log?on=mapping:${id}&what=routing.`)).body;
  expect(logged.map(({ action }: { action: string }) => action).toReversed()).toEqual([
    'routing.draft.save',
    'routing.draft.rebase',
    'routing.draft.discard',
    'routing.draft.save',
    'routing.draft.save.refused',
  ]);
  expect(logged.at(-1).fields).toMatchObject([{ name: 'draft', after: expect.stringContaining('Euro') }]);
});

/** The account name of an order's payment, from its page. */
async function accountOf(user: Visitor, orderId: string): Promise<string | undefined> {
  const { rows: payments } = (await user.get(`/payments?q=${encodeURIComponent(orderId)}`)).body;
  const { body } = await user.get(`/payments/${payments[0].id}`);
  return ['First', 'Second'].find((name) => JSON.stringify(body.groups).includes(`"${name}"`));
}

test('a draft is simulated and published, and routes the next payment', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const { merchant, first, second, id, post, page } = await setUp(manager);
  const shop = cardMerchant(florin, merchant.credentials, shopServer);
  for (const amount of ['10.00', '20.00', '30.00']) await shop.sell({ order_amount: amount });
  const large = ruleBody('Large', [second], { currencies: ['EUR'], amountFrom: '2000' });
  const { draft } = (await post('draft', { version: null, basedOn: 0, rules: [large] })).body;

  const early = await post('publish', { version: draft.version });
  expect([early.status, early.body.error.message]).toEqual([409, 'Simulate the draft with past payments first.']);
  const { dryRun } = (await post('dry-run', { version: draft.version })).body.draft;
  expect(dryRun).toMatchObject({
    payments: 3,
    moved: 2,
    without: { now: 0, draft: 0 },
    mids: [
      { id: first, name: 'First', now: 3, draft: 1 },
      { id: second, name: 'Second', now: 0, draft: 2 },
    ],
    rules: { [large.id]: 2, '': 1 },
  });
  expect(dryRun.moves.map(({ amount, from, to }: Record<string, string>) => `${amount} ${from} ${to}`)).toEqual([
    '30.00 First Second',
    '20.00 First Second',
  ]);
  const repeated = (await post('dry-run', { version: draft.version })).body.draft.dryRun;
  expect({ ...repeated, at: '' }).toEqual({ ...dryRun, at: '' });

  const renamed = { ...large, name: 'Larger' };
  const changed = (await post('draft', { version: draft.version, basedOn: 0, rules: [renamed] })).body.draft;
  expect((await post('publish', { version: changed.version })).status).toBe(409);
  await post('dry-run', { version: changed.version });
  expect((await post('publish', { version: draft.version })).status).toBe(409);
  const published = await post('publish', { version: changed.version });
  expect([published.status, published.body.version, published.body.draft]).toEqual([200, 1, null]);
  expect(published.body.rules).toMatchObject([
    { name: 'Larger', conditions: large.conditions, targets: large.targets },
  ]);
  expect(published.body.publications).toMatchObject([{ version: 1, rules: [{ name: 'Larger' }] }]);

  expect(await accountOf(manager, (await shop.sell({ order_amount: '20.00' })).orderId)).toBe('Second');
  expect(await accountOf(manager, (await shop.sell({ order_amount: '19.99' })).orderId)).toBe('First');
  const hits = (await manager.get(`/routing/${id}/hits`)).body;
  expect(hits).toMatchObject({ payments: 5, cut: false });
  expect(hits.rules).toEqual({ [(await page()).rules[0].id]: 1, '': 4 });
});

test('a publication is logged with the rules before and after, and rules keep their ids', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { first, second, id } = await setUp(manager);
  const one = await publishRules(manager, id, [ruleBody('Euro', [first], { currencies: ['EUR'] })]);
  const [euro] = one.rules;
  const two = await publishRules(manager, id, [ruleBody('Yen', [second], { currencies: ['JPY'] }), euro]);
  expect(two.version).toBe(2);
  expect(two.rules.map(({ name }: { name: string }) => name)).toEqual(['Yen', 'Euro']);
  expect(two.rules[1].id).toBe(euro.id);
  expect(two.publications.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  expect(two.publications[1].rules).toEqual(one.rules);
  const { body } = await manager.get(`/audit-log?on=mapping:${id}`);
  const published = body.rows.filter(({ action }: { action: string }) => action === 'routing.publish');
  expect(published).toHaveLength(2);
  expect(JSON.stringify(published[0])).toContain('Yen');
});

test("the id of another mapping's rule is not accepted", async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const [one, other] = [await setUp(manager), await setUp(manager)];
  const [rule] = (await publishRules(manager, one.id, [ruleBody('Euro', [one.first])])).rules;
  const [copy] = (await publishRules(manager, other.id, [{ ...ruleBody('Euro', [other.first]), id: rule.id }])).rules;
  expect(copy.id).not.toBe(rule.id);
  expect((await one.page()).rules).toEqual([rule]);
});

test('a simulation reports payments without an eligible account', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  await makeMid(manager, merchant.id, { name: 'Euro' });
  const dollars = await makeMid(manager, merchant.id, { name: 'Dollars', currencies: ['USD'], priority: 200 });
  const { id } = await mappingOf(manager, merchant, 's2s_card');
  const shop = cardMerchant(florin, merchant.credentials, shopServer);
  await shop.sell();
  await shop.charge('SALE', cardFields.declined);
  const rules = [ruleBody('Wrong', [dollars.id])];
  const { draft } = (await manager.post(`/routing/${id}/draft`, { version: null, basedOn: 0, rules })).body;
  const { dryRun } = (await manager.post(`/routing/${id}/dry-run`, { version: draft.version })).body.draft;
  expect(dryRun).toMatchObject({ payments: 2, moved: 2, without: { now: 0, draft: 2 }, approval: null });
  expect(dryRun.moves[0]).toMatchObject({ from: 'Euro', to: null, amount: '84.50', currency: 'EUR' });
});
