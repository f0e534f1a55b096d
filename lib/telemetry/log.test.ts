import { describe, expect, it } from 'vitest';
import { scrubLine, scrubText } from './log.ts';

const shown = (event: object) => JSON.parse(scrubLine(JSON.stringify(event)));

describe('scrubLine', () => {
  it.each([
    ['4111111111111111'],
    ['4111 1111 1111 1111'],
    ['4111-1111-1111-1111'],
    ['378282246310005'],
    ['6011000990139424'],
    ['4222222222222'],
    ['٤١١١١١١١١١١١١١١١'],
    ['۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱'],
  ])('masks the card number %s inside a message', (card) => {
    expect(shown({ msg: `declined for ${card} today` })).toEqual({ msg: 'declined for [card] today' });
  });

  it('masks a card number that follows other digits, is a number or is a name', () => {
    expect(scrubText('1 4111111111111111')).toBe('[card]');
    expect(shown({ a: { b: [4111111111111111] } })).toEqual({ a: { b: ['[scrubbed]'] } });
    expect(shown({ '4111111111111111': 1 })).toEqual({ '[card]': 1 });
  });

  it('masks the values of secret names at any depth and of any type', () => {
    const event = {
      card_number: 'x',
      inner: { cardCvv2: 123, list: [{ Password: { a: 1 } }], Authorization: 'y', client_token: 'z', hash: 'h' },
    };
    expect(shown(event)).toEqual({
      card_number: '[scrubbed]',
      inner: {
        cardCvv2: '[scrubbed]',
        list: [{ Password: '[scrubbed]' }],
        Authorization: '[scrubbed]',
        client_token: '[scrubbed]',
        hash: '[scrubbed]',
      },
    });
  });

  it.each([
    ['card_cvv2=123&x=1', 'card_cvv2=[scrubbed]&x=1'],
    ['a=1&card[cvv]=123', 'a=1&card[cvv]=[scrubbed]'],
    ['csc=123&cv2=4&pin=1234&shipping=5', 'csc=[scrubbed]&cv2=[scrubbed]&pin=[scrubbed]&shipping=5'],
    ['body {"cvv":"123', 'body {"cvv":"[scrubbed]"'],
    ['body {"cvv":"123","city":"Riga"}', 'body {"cvv":"[scrubbed]","city":"Riga"}'],
    ['{\\"password\\":\\"open sesame\\"}', '{\\"password\\":\\"[scrubbed]\\"}'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: [scrubbed]'],
    ['/return?hash=abcdef', '/return?hash=[scrubbed]'],
  ])('masks secrets quoted inside a text: %s', (text, expected) => {
    expect(scrubText(text)).toBe(expected);
  });

  it.each([
    ['4111111111111112 fails Luhn and is short of nothing', /4111111111111112/],
    ['order 84.50 EUR at 2026-11-20T13:35:00.000Z', /84\.50 EUR at 2026-11-20T13:35:00\.000Z/],
    ['payment 5a0c6b1e-8f4d-4c2a-9d37-123456789012', /5a0c6b1e-8f4d-4c2a-9d37-123456789012/],
    ['411111****1111', /411111\*\*\*\*1111/],
  ])('leaves alone what is not a card: %s', (text, expected) => {
    expect(scrubText(text)).toMatch(expected);
  });

  it('leaves the id of a trace alone, whose digits can look like a card', () => {
    const trace = 'ffb9f4111111111111111a9b5174182e';
    expect(shown({ trace })).toEqual({ trace });
    expect(shown({ trace: '41111111111111114111111111111111' })).not.toEqual({
      trace: '41111111111111114111111111111111',
    });
    expect(shown({ other: trace })).not.toEqual({ other: trace });
  });

  it('stays one line with line breaks in a value', () => {
    const msg = 'refused\r\n{"level":30,"msg":"signed in"}\u2028';
    expect(scrubLine(JSON.stringify({ msg }))).toMatch(/^[^\r\n]+\n$/);
    expect(shown({ msg })).toEqual({ msg });
  });

  it('still scrubs a line that is not JSON', () => {
    expect(scrubLine('oops 4111111111111111\n')).toBe('oops [card]\n');
  });
});
