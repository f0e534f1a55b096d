import { describe, expect, it } from 'vitest';
import { scrubLine, scrubText, scrubWire } from './log.ts';

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
    expect(scrubText('GET /x?y=4111%201111%201111%201111')).toBe('GET /x?y=411111******1111');
    expect(shown({ a: { b: [4111111111111111] } })).toEqual({ a: { b: ['[scrubbed]'] } });
    expect(shown({ '4111111111111111': 1 })).toEqual({ '[card]': 1 });
  });

  it('masks authentication values of cards', () => {
    const logged = { mpi_data: { authentication_value: 'AAABBJg0VhI0VniQEjRWAAAAAAA=', eci: '05' }, cavv: 'AAAB' };
    const masked = { mpi_data: { authentication_value: '[scrubbed]', eci: '05' }, cavv: '[scrubbed]' };
    expect(shown(logged)).toEqual(masked);
    expect(scrubWire(logged, () => false)).toEqual(masked);
  });

  it('masks the value of a secret name in a pair', () => {
    const fields = [
      { name: 'cvv', value: '987' },
      { name: 'size', value: '987' },
    ];
    const masked = [{ name: 'cvv', value: '[scrubbed]' }, fields[1]];
    expect(shown({ fields })).toEqual({ fields: masked });
    expect(scrubWire({ fields }, () => false)).toEqual({ fields: masked });
    expect(scrubText(JSON.stringify(fields))).toBe(JSON.stringify(masked));
  });

  it.each([
    ['{"card_number":"x","card_cvv2":"987"}', '[name of 37 characters]'],
    ['<card_cvv2>987</card_cvv2>', '[name of 26 characters]'],
    ['cvv: 987', '[name of 8 characters]'],
    ['cvv2\t987', '[name of 8 characters]'],
    ['x'.repeat(65), '[name of 65 characters]'],
    ['4111 1111', '[name of 9 characters]'],
    ['card_cvv2', 'card_cvv2'],
    ['item 2026', 'item 2026'],
    ['cart.items[0].name', 'cart.items[0].name'],
    ["Buyer's note / Заметка", "Buyer's note / Заметка"],
  ])('names no field by a text that can contain secrets: %s', (name, shownName) => {
    expect(Object.keys(shown({ [name]: '' }))).toEqual([shownName]);
    expect(Object.keys((scrubWire({ a: { [name]: '' } }, () => false) as { a: object }).a)).toEqual([shownName]);
  });

  it('names no field by the beginning of a card number that ends in its value', () => {
    const body = { 'a 4111': '1111 1111 1111', 'b 4111': '1112' };
    expect(Object.keys(shown(body))).toEqual(['[name of 6 characters]', 'b 4111']);
    expect(Object.keys(scrubWire(body, () => false) as object)).toEqual(['[name of 6 characters]', 'b 4111']);
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
    ['<card_cvv2>987</card_cvv2>', '<card_cvv2>[scrubbed]</card_cvv2>'],
    ['<a><![CDATA[<c:cvv x="1"><![CDATA[987]]></c:cvv>', '<a><![CDATA[<c:cvv x="1"><![CDATA[[scrubbed]]]></c:cvv>'],
    ['{"card_cvv2":["987"]}', '{"card_cvv2":["[scrubbed]"]}'],
    [
      'card_cid=987&card_code=987&card_cav2=987&cvd=987',
      'card_cid=[scrubbed]&card_code=[scrubbed]&card_cav2=[scrubbed]&cvd=[scrubbed]',
    ],
    ['{"\\\\u0063vv":"987"} \\u0034111111111111111', '{"cvv":"[scrubbed]"} [card]'],
    ['refused: CVV 987.', 'refused: CVV [scrubbed].'],
    [[...'a cvv=987 b'].join('\0'), 'a cvv=[scrubbed] b'],
    [[...'4111111111111111'].join('\u0001'), '[card]'],
    [';4111111111111111=38011010000098700000?', '[track]'],
    ['x %B4111111111111111^PETROVIC/ANA^3801101000000987000000? y', 'x [track] y'],
    ['4111,1111,1111,1111', '411111******1111'],
  ])('masks secrets quoted inside a text: %s', (text, expected) => {
    expect(scrubText(text)).toBe(expected);
  });

  it.each([
    ['4111111111111112 fails Luhn and is short of nothing', /4111111111111112/],
    ['order 84.50 EUR at 2026-11-20T13:35:00.000Z', /84\.50 EUR at 2026-11-20T13:35:00\.000Z/],
    ['payment 5a0c6b1e-8f4d-4c2a-9d37-123456789012', /5a0c6b1e-8f4d-4c2a-9d37-123456789012/],
    ['411111****1111', /411111\*\*\*\*1111/],
    ['a family \u{1f468}\u200d\u{1f469}', /^a family \u{1f468}\u200d\u{1f469}$/u],
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
