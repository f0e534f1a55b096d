import { describe, expect, it } from 'vitest';
import { maskPresentation } from './masked-presentation.ts';
import type { Presentation } from './presentation.ts';

const number = '2200 0000 0000 0004';
const masked = '220000******0004';
const details = (name: string, value: string): Presentation => ({ kind: 'details', rows: [{ name, value }] });

describe('a presentation with a card number', () => {
  it.each<[string, Presentation, object]>([
    ['in a row', details('card_number', number), { rows: [{ name: 'card_number', value: masked }] }],
    [
      'in a row of another name',
      details('Pay to', `card ${number}`),
      { rows: [{ name: 'Pay to', value: `card ${masked}` }] },
    ],
    [
      'of an unknown brand',
      details('card_number', '6037\u200e 9911 1111 1111'),
      { rows: [{ name: 'card_number', value: '603799******1111' }] },
    ],
    [
      'in digits of another script',
      details('card_number', '۹۹۹۹ ۸۸۸۸ ۷۷۷۷ ۶۶۶۶'),
      { rows: [{ name: 'card_number', value: '999988******6666' }] },
    ],
    ['in a row of a card', details('Card account', number), { rows: [{ name: 'Card account', value: masked }] }],
  ])('%s has it masked, and the rest as it is', (_place, present, changed) => {
    expect(maskPresentation(present)).toEqual({ ...present, ...changed, masked: true });
  });

  it('is masked once', () => {
    const once = maskPresentation(details('card_number', number));
    expect(maskPresentation(once)).toBe(once);
  });
});

describe('a presentation without a card number', () => {
  it.each<[string, Presentation]>([
    ['an account', details('iban', 'DE89370400440532013000')],
    ['an account with the form of a card number', details('clabe', '2200000000000004')],
    ['a reference with the form of a card number', details('Payment reference', '2200000000000004')],
    ['a link', { kind: 'app', url: 'bank://pay?to=2200000000000004&am=1' }],
    ['a number that the provider has masked', details('card_number', '2200 00•• •••• 0004')],
    ['a code', { kind: 'qr', scheme: 'ips', payload: 'K:PR|V:01|C:1|R:999000123456789048', renewable: true }],
    [
      'coins with the digits of a card in their amount',
      {
        kind: 'crypto',
        address: 'TXvJP2N7KMLCsUnc6bqKV3q',
        network: 'Tron',
        currency: 'ETH',
        amount: '0.2200000000000004',
      },
    ],
  ])('%s is the same', (_name, present) => {
    expect(maskPresentation(present)).toBe(present);
  });
});
