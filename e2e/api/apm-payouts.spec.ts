// The payouts of S2S APM: CREDIT2VIRTUAL with kora's operators and the other providers' fields, and CREDIT2CRYPTO
// (interface.md, kora payout and Method-specific parameters; protocol.md 6).
import { type ApmMerchant, koraPayout } from '../support/apm-merchant.ts';
import type { Changes } from '../support/merchant.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

/** `ok`, or every field error of a payout. */
async function verdictOf(shop: ApmMerchant, changes: Changes): Promise<string> {
  const { status, body } = await shop.credit(changes);
  if (status === 200) return body.status === 'SETTLED' ? 'ok' : body.status;
  const errors = (body.errors ?? []).map((each: { error_message: string }) => each.error_message);
  return errors.length > 0 ? errors.join(' + ') : `${body.error_code} ${body.error_message}`;
}

for (const [mode, name] of [
  ['MD5', 'methods'],
  ['SHA-256', 'methodAdditions'],
] as const) {
  test(`the response, status and callback of a payout, signed by ${mode}`, async ({ apmAs, provider }) => {
    const shop = apmAs(name);
    const paid = await shop.payOut({ ...koraPayout, custom_data: { run: '12' } });
    expect(paid.answer.body).toMatchObject({
      action: 'CREDIT2VIRTUAL',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: paid.orderId,
      amount: '2000',
      currency: 'XOF',
    });
    expect(await s2sStatusOf(shop, paid)).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    const [message] = await expectS2sCallbacks(shop, paid, ['CREDIT2VIRTUAL SUCCESS SETTLED']);
    expect(message?.fields).toMatchObject({ amount: '2000', currency: 'XOF', 'custom_data[run]': '12' });
    expect(await provider.moved(paid.orderId)).toEqual(['payout 2000']);
  });

  test(`a declined payout and a pending payout, signed by ${mode}`, async ({ apmAs }) => {
    const shop = apmAs(name);
    const declined = await shop.payOut({ parameters: { sandbox: 'decline' } });
    expect(declined.answer.body).toMatchObject({ result: 'DECLINED', status: 'DECLINED' });
    expect(declined.answer.body.decline_reason).toEqual(expect.any(String));
    await expectS2sCallbacks(shop, declined, ['CREDIT2VIRTUAL DECLINED DECLINED']);
    const slow = await shop.payOut({ parameters: { sandbox: 'pending' } });
    expect(slow.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
    await untilS2sStatus(shop, slow, 'SETTLED');
    await expectS2sCallbacks(shop, slow, ['CREDIT2VIRTUAL WAITING PREPARE', 'CREDIT2VIRTUAL SUCCESS SETTLED']);
  });

  test(`a payout in coins names its network, signed by ${mode}`, async ({ apmAs }) => {
    const shop = apmAs(name);
    const paid = await shop.payOut(coins, 'CREDIT2CRYPTO');
    expect(paid.answer.body).toMatchObject({
      action: 'CREDIT2CRYPTO',
      result: 'SUCCESS',
      status: 'SETTLED',
      crypto_network: expect.stringMatching(/tron/i),
    });
    const [message] = await expectS2sCallbacks(shop, paid, ['CREDIT2CRYPTO SUCCESS SETTLED']);
    expect(message?.fields.crypto_network).toBe(paid.answer.body.crypto_network);
    const wrong = await shop.payOut(
      { ...coins, parameters: { ...coins.parameters, address: 'nowhere' } },
      'CREDIT2CRYPTO',
    );
    expect(wrong.answer.body).toMatchObject({ result: 'DECLINED', status: 'DECLINED' });
  });
}

const coins = {
  brand: 'm2p-withdrawal',
  crypto_network: 'tron',
  parameters: { withdrawCurrency: 'USDT', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
};

/** A recipient's number for each operator's country. */
const numbers: Record<string, string> = {
  GHS: '233241234567',
  KES: '254712345678',
  XOF: '2250700000000',
  XAF: '237670000000',
  TZS: '255712345678',
  EGP: '201001234567',
};

// currency | operators | minimum | maximum, from the contract
const operators = rowsOf(`
  GHS | mtn-gh airtel-gh tigo-gh vodafone-gh             | 1    | 50000
  KES | safaricom-ke airtel-ke                           | 10   | 150000
  KES | equitel-ke                                       | 10   | 100000
  KES | t-kash-ke telcom-ke                              | 50   | 200000
  XOF | mtn-ci orange-ci moov-ci wave-ci                 | 2    | 2000000
  XAF | mtn-cm                                           | 2    | 1000000
  XAF | orange-cm                                        | 2    | 500000
  TZS | vodacom-tz airtel-tz tigo-tz halopesa-tz         | 1000 | 30000
  EGP | vodafone-eg orange-eg etisalat-eg aman-eg        | 1    | 30000`);

function koraBy(operator: string, currency: string, amount: string, number = numbers[currency]): Changes {
  return {
    ...koraPayout,
    order_currency: currency,
    order_amount: amount,
    parameters: { ...(koraPayout.parameters as object), mobile_money_operator: operator, mobile_number: number },
  };
}

test('kora: every operator pays out between its minimum and maximum, in its currency and country', async ({
  apmShop,
}) => {
  const outside = 'order_amount: This value is not valid.';
  for (const [currency = '', slugs = '', least = '', most = ''] of operators) {
    const other = currency === 'GHS' ? 'KES' : 'GHS';
    for (const slug of slugs.split(' ')) {
      const seen = await Promise.all([
        verdictOf(apmShop, koraBy(slug, currency, least)),
        verdictOf(apmShop, koraBy(slug, currency, most)),
        verdictOf(apmShop, koraBy(slug, currency, String(Number(least) - 1))),
        verdictOf(apmShop, koraBy(slug, currency, String(Number(most) + 1))),
        verdictOf(apmShop, koraBy(slug, currency, least, numbers[other])),
        verdictOf(apmShop, koraBy(slug, other, '100')),
      ]);
      const none = 'order_amount: This value should be greater than 0.';
      expect(seen, slug).toEqual([
        'ok',
        'ok',
        least === '1' ? none : outside,
        outside,
        'parameters.mobile_number: This value is not valid.',
        'parameters.mobile_money_operator: The value you selected is not a valid choice.',
      ]);
    }
  }
});

test('kora: whole units in currencies without minor units', async ({ apmShop }) => {
  for (const [amount, currency, operator, wanted] of [
    ['100.50', 'XOF', 'mtn-ci', 'order_amount: This value is not valid.'],
    ['100.00', 'XOF', 'mtn-ci', 'ok'],
    ['100.50', 'XAF', 'mtn-cm', 'order_amount: This value is not valid.'],
    ['100.50', 'KES', 'safaricom-ke', 'ok'],
  ] as const) {
    expect(await verdictOf(apmShop, koraBy(operator, currency, amount)), `${amount} ${currency}`).toBe(wanted);
  }
  expect(await verdictOf(apmShop, koraBy('mtn-ci', 'USD', '100'))).toContain(
    'order_currency: This value is not valid.',
  );
});

const peru = {
  brand: 'smlpz-out-peru',
  order_currency: 'PEN',
  parameters: {
    paymentMethod: 'BCPLPE',
    cashAccount: '19100123456789',
    cashAccountType: 'AHORROS',
    cci: '00219100012345678950',
    name: 'Rosa Quispe',
    email: 'rosa@example.com',
    phone: '51987654321',
    idType: 'DNI',
    identity: '12345678',
  },
};
const allpay = {
  brand: 'allpay-payout',
  payer_first_name: 'Ana',
  payer_last_name: 'Petrović',
  payee_first_name: 'Mia',
  payee_last_name: 'Lindqvist',
  payer_email: 'ana@example.com',
  parameters: { SecurityQuestion: 'The first pet of all', SecurityQuestionAnswer: 'Rex' },
};
const swifipay = {
  brand: 'swifipay-withdrawal',
  parameters: {
    ToAccountNumber: '6222020000000000',
    ToAccountName: 'Li Wei',
    ToProvince: 'Hunan',
    ToCity: 'Changsha',
    ToBranch: 'Furong',
    ToAddress: '1 Wuyi Road',
    Email: 'li@example.com',
    Phone: '8613800138000',
  },
};

// payout | one changed field, - to remove it | the field error, or ok
const table: [payout: Changes, field: string, value: unknown, wanted: string][] = [
  [peru, 'paymentMethod', 'BCPLPE7', 'not valid'],
  [peru, 'cashAccountType', 'SAVINGS', 'choice'],
  [peru, 'cci', '0021910001234567895', 'not valid'],
  [peru, 'idType', 'LIC', 'choice'],
  [peru, 'identity', '1234567', 'not valid'],
  [peru, 'name', undefined, 'blank'],
  [peru, 'name', 'Rosa Q.', 'ok'],
  [allpay, 'SecurityQuestion', 'Pet?', 'not valid'],
  [allpay, 'SecurityQuestionAnswer', 'ab', 'not valid'],
  [allpay, 'SecurityQuestionAnswer', undefined, 'blank'],
  [allpay, 'SecurityQuestionAnswer', 'abc', 'ok'],
  [swifipay, 'ToAccountNumber', undefined, 'blank'],
  [swifipay, 'Email', 'nobody', 'not valid'],
  [swifipay, 'ToBranch', 'Kaifu', 'ok'],
  [coins, 'address', undefined, 'blank'],
  [coins, 'withdrawCurrency', undefined, 'blank'],
  [coins, 'tradingAccountLogin', '77', 'ok'],
];

const texts: Record<string, string> = {
  blank: 'This value should not be blank.',
  'not valid': 'This value is not valid.',
  choice: 'The value you selected is not a valid choice.',
};

test('the parameters of the other payouts', async ({ apmShop }) => {
  for (const [payout, name, value, wanted] of table) {
    const parameters = { ...(payout.parameters as object), [name]: value };
    const seen = await verdictOf(apmShop, { ...payout, parameters });
    expect(seen, `${payout.brand} ${name}`).toBe(wanted === 'ok' ? 'ok' : `parameters.${name}: ${texts[wanted]}`);
  }
});

test('only kora pays out without a description', async ({ apmShop }) => {
  const blank = 'order_description: This value should not be blank.';
  expect(await verdictOf(apmShop, { ...koraPayout, order_description: undefined })).toBe('ok');
  expect(await verdictOf(apmShop, { order_description: undefined })).toBe(blank);
  for (const [length, wanted] of [
    [4, 'order_description: This value is not valid.'],
    [5, 'ok'],
    [200, 'ok'],
    [201, 'order_description: This value is not valid.'],
  ] as const) {
    expect(await verdictOf(apmShop, { ...allpay, order_description: 'x'.repeat(length) })).toBe(wanted);
  }
});

test('a payout cannot be refunded or voided', async ({ apmShop }) => {
  const paid = await apmShop.payOut();
  expect((await apmShop.follow('CREDITVOID', paid)).body.error_message).toBe('Refund is not allowed');
  expect((await apmShop.follow('VOID', paid)).body.error_message).toBe('Void is not allowed.');
});
