import { describe, expect, it } from 'vitest';
import { shortened } from './florin-http.ts';

describe('the log of the demo shop', () => {
  it('cuts keys and tokens in the middle, at any depth', () => {
    const key = '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4';
    expect(shortened({ merchant_key: key, order: { card_token: ['0123456789abcdef'] }, hash: key })).toEqual({
      merchant_key: '5a0c6b…c9a4',
      order: { card_token: ['012345…cdef'] },
      hash: key,
    });
    expect(shortened('short', 'recurring_token')).toBe('…');
  });

  it('cuts the token of a payment page and leaves the address', () => {
    const url = 'https://pay.example/pay/AaH5ZGFpdQaBlw9UxgJ_PyAabfbjOfAyCdYrGrK0wck';
    expect(shortened({ redirect_url: url, redirect_method: 'GET' })).toEqual({
      redirect_url: 'https://pay.example/pay/AaH5ZG…0wck',
      redirect_method: 'GET',
    });
  });

  it('masks a card and says nothing of its security code', () => {
    expect(shortened({ card_number: '4111111111111111', card_cvv2: '123', card_exp_year: '2038' })).toEqual({
      card_number: '411111****1111',
      card_cvv2: '***',
      card_exp_year: '2038',
    });
  });
});
