// The whole catalogue over S2S APM: every identifier of the protocol is rejected without its required fields, accepted
// with them, and ends settled with valid callbacks. Rows and samples are those of the Checkout tests.
import { type ApmMerchant, isSignedApmCallback } from '../support/apm-merchant.ts';
import {
  catalog,
  countryOf,
  type Line,
  linesFor,
  parametersOf,
  phones,
  type Row,
  sampleOf,
} from '../support/catalog.ts';
import type { Body, Changes } from '../support/merchant.ts';
import { finish } from '../support/method-flows.ts';
import { contractIds } from '../support/method-ids.ts';
import { describeS2sCallback, untilS2sStatus } from '../support/s2s-flows.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

type Action = 'SALE' | 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO';
type Walk = { row: Row; action: Action; country: string; currency: string; demanded: Line[]; own: Changes };

/** Payer fields for a country. */
function payerOf(country: string): { [name: string]: Changes } {
  return {
    name: { payer_first_name: 'Mia', payer_last_name: 'Lindqvist' },
    email: { payer_email: 'mia@example.com' },
    phone: { payer_phone: phones[country] ?? '+254712345678' },
    country: { payer_country: country },
    birth_date: { payer_birth_date: '1990-02-28' },
    city: { payer_city: 'Springfield' },
    zip: { payer_zip: '12345' },
    address: { payer_address: 'Main Street 1' },
  };
}

function walkOf(row: Row, action: Action): Walk {
  const pays = action === 'SALE';
  const country = countryOf(row);
  // Kora pays out in the currencies of its operators.
  const currency = row.currencies?.[0] ?? (row.payout && !pays ? 'GHS' : 'EUR');
  const lines = linesFor(pays ? row.parameters : (row.payout ?? row.parameters), country, currency);
  const payer = payerOf(country);
  const payerFields = pays ? Object.assign({}, ...(row.asks ?? []).map((name) => payer[name])) : {};
  const fields = Object.fromEntries((row.fields ?? []).map((line) => [line.name, sampleOf(line)]));
  // E-mail addresses have another length limit than other texts.
  if (fields.payer_email) fields.payer_email = 'mia@example.com';
  const payee = pays ? {} : { payee_first_name: 'Awa', payee_last_name: 'Traore', payee_email: 'awa@example.com' };
  return {
    row,
    action,
    country,
    currency,
    demanded: lines.filter(({ need }) => need === 'R' || need === 'C'),
    own: { ...payee, ...payerFields, ...fields },
  };
}

function bodyOf(
  shop: ApmMerchant,
  { row, action, country, currency, demanded, own }: Walk,
  more: Changes = {},
): Changes {
  const order = { brand: row.id, order_amount: '120.00', order_currency: currency };
  const changes = {
    ...order,
    identifier: 'payer-77',
    payer_country: country,
    ...own,
    parameters: parametersOf(demanded),
    ...more,
  };
  return action === 'SALE' ? shop.signed(shop.chargeBody('SALE', changes)) : shop.creditBody(changes, action);
}

const faultsOf = ({ errors = [] }: Body): string[] =>
  errors.map(({ error_message }: { error_message: string }) => error_message.split(':')[0]);

/** Without its required fields the request is rejected, with a field error for each missing name. */
async function expectRequiredFields(shop: ApmMerchant, walk: Walk): Promise<void> {
  const { demanded, own, action } = walk;
  const bare = Object.fromEntries(Object.keys(own).map((name) => [name, undefined]));
  const country = own.payer_country === undefined ? { payer_country: walk.country } : {};
  const { status, body } = await shop.post(bodyOf(shop, walk, { ...bare, ...country, parameters: undefined }));
  const names = demanded.map(({ name }) => `parameters.${name.split('[]')[0]}`);
  const needed = [
    ...names,
    ...Object.keys(own).filter((name) => action === 'SALE' || walk.row.fields?.some((l) => l.name === name)),
  ];
  if (needed.length === 0) return;
  const errors = faultsOf(body);
  expect(status, JSON.stringify(body)).toBe(400);
  // If the country decides which fields are required, it is checked first. Fields with a default are not required.
  for (const fieldError of errors) {
    if (fieldError.startsWith('parameters.') && own.payer_country === undefined) expect(names).toContain(fieldError);
  }
  for (const name of Object.keys(own).filter((each) => needed.includes(each))) expect(errors).toContain(name);
  if (names.length > 0 && own.payer_country === undefined) {
    expect(
      errors.some((fieldError) => fieldError.startsWith('parameters.')),
      JSON.stringify(body),
    ).toBe(true);
  }
}

const startable = catalog.flatMap((row) =>
  (['SALE', 'CREDIT2VIRTUAL', 'CREDIT2CRYPTO'] as const)
    .filter((action) => row.actions.includes(action))
    .map((action) => walkOf(row, action)),
);

test.describe('every catalogue method over S2S APM', () => {
  for (const walk of startable) {
    const { row, action } = walk;
    test(`${row.id} by ${action}`, async ({ apmShop }) => {
      await expectRequiredFields(apmShop, walk);
      const body = bodyOf(apmShop, walk);
      const answer = await apmShop.post(body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { result, status, trans_id: transId } = answer.body;
      expect([action, row.experience, `${result} ${status}`]).toEqual([action, row.experience, wantedOf(walk)]);
      if (status !== 'SETTLED') {
        await finish(apmShop, transId);
        await untilS2sStatus(apmShop, { transId }, 'SETTLED');
      }
      const orderId = String(body.order_id);
      const arrived = await apmShop.shopServer.waitFor(orderId, (all) =>
        all.map(describeS2sCallback).includes(`${action} SUCCESS SETTLED`),
      );
      const signed = { email: body.payer_email as string | undefined, crypto: row.kind === 'coin' };
      for (const { fields } of messagesOf(arrived)) {
        expect(isSignedApmCallback(fields, signed, apmShop.credentials), JSON.stringify(fields)).toBe(true);
      }
    });
  }

  test('covers every identifier of the contract other than cards', () => {
    const walked = new Set(startable.map(({ row }) => row.id));
    const browserOnly = ['card', 'applepay', 'googlepay'];
    const wanted = contractIds.filter((id) => !browserOnly.includes(id));
    console.log(
      `S2S APM: ${walked.size} identifiers walked by ${startable.length} requests; the contract has ${wanted.length}`,
    );
    expect(wanted.filter((id) => !walked.has(id))).toEqual([]);
    expect([...walked].filter((id) => !contractIds.includes(id))).toEqual([]);
  });
});

/** The expected interaction of a method in this protocol. */
function wantedOf({ row, action, country }: Walk): string {
  if (action !== 'SALE') return 'SUCCESS SETTLED';
  switch (row.experienceIn?.[country] ?? row.experience) {
    case 'none':
      return 'SUCCESS SETTLED';
    case 'redirect':
    case 'app':
    case 'qr':
      return 'REDIRECT REDIRECT';
    default:
      return 'SUCCESS PENDING';
  }
}
