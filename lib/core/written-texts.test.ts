import { describe, expect, test, vi } from 'vitest';
import { maskFreeText } from './written-texts.ts';

describe('the texts of a request', () => {
  const number = '4111111111111111';
  const masked = '411111******1111';

  test('are masked in descriptions, names, addresses and custom data, and their paths are reported', () => {
    const request = {
      order: { number, description: `Card ${number}`, amount: '1.00' },
      customer: { name: number, email: `${number}@example.com`, birth_date: '1990-01-01' },
      billing_address: { address: number, city: number, phone: number, zip: number },
      payer_first_name: number,
      custom_data: { notes: [number, { deep: `x ${number}` }], [number]: Number(number), count: 2 },
      card_number: number,
      card_token: number,
      parameters: { account: { account_number: number }, cart: { items: [{ name: number }] } },
      order_id: number,
    };
    const { data, masked: paths } = maskFreeText(request);
    expect(data).toEqual({
      ...request,
      order: { number, description: `Card ${masked}`, amount: '1.00' },
      customer: { ...request.customer, name: masked },
      billing_address: { address: masked, city: masked, phone: number, zip: masked },
      payer_first_name: masked,
      custom_data: { notes: [masked, { deep: `x ${masked}` }], [masked]: masked, count: 2 },
      parameters: { account: { account_number: number }, cart: { items: [{ name: masked }] } },
    });
    expect(paths).toEqual([
      'order.description',
      'customer.name',
      'billing_address.address',
      'billing_address.city',
      'billing_address.zip',
      'payer_first_name',
      'custom_data',
      'parameters.cart.items.name',
    ]);
  });

  test('without card numbers are the same object, with other values untouched', () => {
    const request = { at: new Date(0), bytes: Buffer.from('x'), none: undefined, minor: 5n, order_description: 'Mug' };
    expect(maskFreeText(request).data).toBe(request);
    const { data } = maskFreeText({ ...request, order_description: number });
    expect(data).toEqual({ ...request, order_description: masked });
    expect(data.bytes).toBe(request.bytes);
  });

  test.each([
    ['cvv 123', 'cvv [scrubbed]'],
    ['note cvv: 777, thanks', 'note cvv: [scrubbed], thanks'],
    ['{"card_cvv2": "123"}', '{"card_cvv2": "[scrubbed]"}'],
    ['a=1&card%5Bcvv%5D=123', 'a=1&card%5Bcvv%5D=[scrubbed]'],
    [`;${number}=25121010000012300000?`, '[track]'],
    ['4111 1111 1111 1111=25121010000012300000?', '[track]'],
    [`x %B${number}^DOE/JO^25121010000012345678? y`, 'x [track] y'],
    ['%B4111 1111 1111 1111^DOE/JO^25121010000012345678?', '[track]'],
  ])('lose codes and tracks: %s', (text, cleaned) => {
    for (const request of [{ order_description: text }, { custom_data: { a: [text] } }, { payer_zip: text }]) {
      expect(maskFreeText(request).data).toEqual(
        JSON.parse(JSON.stringify(request).replace(quoted(text), quoted(cleaned))),
      );
    }
  });

  test.each([
    'Calle del Cid 123',
    'utm=1&cid=GA1.2.12345.678',
    'ref 202611281234=1234567',
    'CVC: Capital',
    'pin=560001',
    'C:\\u0041 12:34',
    'verification_code=482910',
  ])('keep what only resembles card data: %s', (text) => {
    const request = { order_description: text, custom_data: { text } };
    expect(maskFreeText(request)).toEqual({ data: request, masked: [] });
  });

  test('lose members of custom data that are codes, PINs or tracks', () => {
    const kept = {
      cvv_result: 'M',
      require_cvv: true,
      cid: 'GA1.2',
      pin: '560001',
      track1: 'Hey Jude',
      security_code: '482910',
      count: 123,
    };
    const codes = {
      cvv: '123',
      card: { cvc2: 999, 'card[cvv]': ['1', '2', '3'] },
      cid: '1234',
      CVV2: { value: '１２３' },
    };
    const pins = { pin_block: '0123456789ABCDEF', pin: '1234', card_pin: '123456' };
    const { data, masked: paths } = maskFreeText({
      custom_data: { kept, ...codes, ...pins, track2: '4111111111111112 2512 1010000012300000' },
    });
    expect(data).toEqual({ custom_data: { kept, card: {} } });
    expect(paths).toEqual(['custom_data']);
  });

  const doubtful = { cid: '4711', pin: '1100', csc: '123', cav: 456, card: { verification_code: '4829' } };

  test('keep doubtful names that have no card data beside them', () => {
    const request = {
      card_number: number,
      card_cvv2: '739',
      order_description: 'pin: 1100',
      custom_data: {
        ...doubtful,
        note: 'CSC: 202',
        query: 'cid=4711&pin=1100',
        pairs: [{ name: 'cid', value: '4711' }],
      },
      parameters: { card: doubtful, x: { number: '4111111111111112', pin: '1100' } },
    };
    expect(maskFreeText(request, () => undefined)).toEqual({ data: request, masked: [] });
  });

  test.each([
    ['a card number', { pan: '4111 1111 1111 1111' }, { pan: masked }],
    ['one in a text', { notes: [`pay by ${number}`] }, { notes: [`pay by ${masked}`] }],
    ['a code', { card_cvv2: '999' }, {}],
    ['the name of a code', { cvv: '' }, { cvv: '' }],
    ['a PIN', { card_pin: '9999' }, {}],
  ])('lose doubtful names beside %s', (_, sent, left) => {
    const kept = { cid: 'GA1.2', gift_card_code: 'XMAS-2026-11' };
    const nested = { inner: { cid: '4711', list: [{ csc: '4711' }] } };
    const codes = { pin: '1234', csc: '123', CAV: 456, pin_code: '1234', verification_code: '4829' };
    const texts = { note: 'cid 1234' };
    const { data } = maskFreeText({ custom_data: { ...kept, ...nested, ...sent, ...codes, ...texts } });
    expect(data).toEqual({ custom_data: { ...kept, inner: { list: [{}] }, ...left, note: 'cid [scrubbed]' } });
  });

  test('lose doubtful names beside a masked number, and keep the code of a gift card', () => {
    const custom_data = { number: '411111****1111', csc: '123' };
    expect(maskFreeText({ custom_data }).data).toEqual({ custom_data: { number: custom_data.number } });
    const request = { custom_data: { gift_card_code: '1234', loyaltyCardCode: 'A-2026' } };
    expect(maskFreeText(request).masked).toEqual([]);
  });

  test('lose the security code of the card of the request under any name of a code', () => {
    const request = {
      card_cvv2: '739',
      order_description: 'Card csc: 739',
      custom_data: { csc: '739', card: { cid: 739 }, note: 'cid 739', pin: '7391', customer: 'no. 739' },
      parameters: { cid: '739', other: { cid: '4711' } },
    };
    expect(maskFreeText(request, () => undefined).data).toEqual({
      card_cvv2: '739',
      order_description: 'Card csc: [scrubbed]',
      custom_data: { card: {}, note: 'cid [scrubbed]', pin: '7391', customer: 'no. 739' },
      parameters: { other: { cid: '4711' } },
    });
  });

  test('lose the values of names in pairs', () => {
    const pair = (name: string, value: unknown) => ({ name, value });
    const listed = [pair('number', number), pair('cid', '1234'), { key: 'pin', value: 1234 }, pair('size', '1234')];
    const { data, masked: paths } = maskFreeText({ custom_data: { one: pair('cvv', '123'), listed } });
    expect(data).toEqual({
      custom_data: {
        one: { name: 'cvv' },
        listed: [pair('number', masked), { name: 'cid' }, { key: 'pin' }, pair('size', '1234')],
      },
    });
    expect(paths).toEqual(['custom_data']);
  });

  test('in parameters are masked unless the method declares them as an account', () => {
    const shapeOf = (path: string) => (['card.account', 'pins.pin'].includes(path) ? /^/ : undefined);
    const track = `;${number}=25121010000012300000?`;
    const { data, masked: paths } = maskFreeText(
      {
        parameters: {
          card: {
            account: number,
            pan: number,
            n: Number(number),
            deep: { card_cvv2: '123', note: 'cvv 123' },
            cvv: '123',
          },
          pins: { pin: '1234', account: number, [`x ${number}`]: 'y' },
          other: { pin: '1234', account: track },
        },
        card_cvv2: '123',
        instrument: { cvv: '123', number },
      },
      shapeOf,
    );
    expect(data).toEqual({
      parameters: {
        card: { account: number, pan: masked, n: masked, deep: { note: 'cvv [scrubbed]' } },
        pins: { pin: '1234', account: masked, [`x ${masked}`]: 'y' },
        other: { account: '[track]' },
      },
      card_cvv2: '123',
      instrument: { cvv: '123', number },
    });
    expect(paths).toEqual([
      'parameters.card.pan',
      'parameters.card.n',
      'parameters.card.deep.card_cvv2',
      'parameters.card.deep.note',
      'parameters.card.cvv',
      'parameters.pins.account',
      'parameters.pins',
      'parameters.other.pin',
      'parameters.other.account',
    ]);
    expect(maskFreeText({ parameters: { card: { account: track } } }, shapeOf).data).toEqual({
      parameters: { card: { account: '[track]' } },
    });
  });
});

describe('the work of a large request grows with its texts only', () => {
  const callsOf = (method: { mock: { calls: unknown[] }; mockRestore: () => void }, data: object) => {
    try {
      maskFreeText(data);
      return method.mock.calls.length;
    } finally {
      method.mockRestore();
    }
  };

  test('however deep they are: each name is checked once', () => {
    const replacements = (depth: number) => {
      let deep: object = {};
      for (let level = 0; level < depth; level += 1) deep = { name: 'cvv:123', a: deep };
      return callsOf(vi.spyOn(String.prototype, 'replace'), deep);
    };
    expect(replacements(400) / replacements(200)).toBeLessThan(2.5);
  });

  test('however many codes it has', () => {
    const tests = (count: number) => {
      const codes = Object.fromEntries(Array.from({ length: count }, (_, at) => [`cvv${at}`, 1_000 + at]));
      return callsOf(vi.spyOn(RegExp.prototype, 'test'), { ...codes, custom_data: Array(count).fill('pin=123') });
    };
    expect(tests(400) / tests(200)).toBeLessThan(2.5);
  });
});

const quoted = (text: string) => JSON.stringify(text);
