import { expect, it } from 'vitest';
import { findMethod } from '../methods/catalog.ts';
import { deviceOf, type OrderFacts, orderMethods } from './method-order.ts';

const given = ['paypal', 'ppro-ideal', 'blik', 'ptn-inapp', 'ptw-pp_przelewy24_pln', 'googlepay', 'applepay'];

function orderOf(facts: Partial<OrderFacts>, ids = given): string[] {
  const methods = ids.flatMap((id) => findMethod(id) ?? []);
  const all = { isMerchantOrder: false, currency: 'USD', device: { isPhone: false }, successes: new Map(), ...facts };
  return orderMethods(methods, all).map(({ id }) => id);
}

const phone = { isPhone: true, wallet: 'Apple Pay' } as const;

it('keeps the merchant’s order, whatever else is known', () => {
  const facts = { country: 'PL', currency: 'PLN', device: phone, successes: new Map([['blik', 900]]) };
  expect(orderOf({ ...facts, isMerchantOrder: true })).toEqual(given);
});

it('puts methods of the payer’s country first and those of other countries last', () => {
  expect(orderOf({ country: 'PL' })).toEqual([
    ...['blik', 'ptw-pp_przelewy24_pln'],
    ...['paypal', 'ptn-inapp', 'googlepay', 'applepay'],
    'ppro-ideal',
  ]);
});

it('puts methods of the currency first while the country is unknown', () => {
  expect(orderOf({ currency: 'EUR' }).slice(0, 2)).toEqual(['ppro-ideal', 'paypal']);
  expect(orderOf({ currency: 'PLN' }).slice(0, 2)).toEqual(['blik', 'ptw-pp_przelewy24_pln']);
});

it('then the device’s wallet, apps on a phone, and past successes', () => {
  const successes = new Map([
    ['googlepay', 10],
    ['ptn-inapp', 70],
  ]);
  const ids = ['paypal', 'ptn-inapp', 'googlepay', 'applepay'];
  expect(orderOf({ device: phone }, ids)).toEqual(['applepay', 'ptn-inapp', 'paypal', 'googlepay']);
  expect(orderOf({ successes }, ids)).toEqual(['ptn-inapp', 'googlepay', 'paypal', 'applepay']);
  expect(orderOf({ successes, device: phone }, ids)).toEqual(['applepay', 'ptn-inapp', 'googlepay', 'paypal']);
});

it('keeps the order of equal methods and does not change the given list', () => {
  const ids = ['ppro-skrill', 'paypal', 'ppro-klarna'];
  expect(orderOf({}, ids)).toEqual(ids);
});

const mozilla = 'Mozilla/5.0';
const agents: [string, string, object][] = [
  ['an iPhone', `${mozilla} (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1`, phone],
  [
    'Safari on a Mac',
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15`,
    { ...phone, isPhone: false },
  ],
  ['Chrome on a Mac', `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0 Safari/537.36`, { isPhone: false }],
  [
    'an Android phone',
    `${mozilla} (Linux; Android 16) Chrome/142.0 Mobile Safari/537.36`,
    { isPhone: true, wallet: 'Google Pay' },
  ],
  [
    'an Android tablet',
    `${mozilla} (Linux; Android 16) Chrome/142.0 Safari/537.36`,
    { isPhone: false, wallet: 'Google Pay' },
  ],
  ['nothing', '', { isPhone: false }],
];

it.each(agents)('recognises %s', (_name, agent, device) => {
  expect(deviceOf(new Headers({ 'user-agent': agent }))).toEqual(device);
});

it('the device is read from the beginning of the header', () => {
  expect(deviceOf(new Headers({ 'user-agent': `${'x'.repeat(512)} iPhone` }))).toEqual({ isPhone: false });
});
