import { expect, it } from 'vitest';
import { hasCardData } from './card-addresses.ts';

const pan = '4111111111111111';

it.each([
  `https://shop.example/ok?pan=${pan}`,
  `https://shop.example/ok?order=7&card_number=4111-1111-1111-1111`,
  `https://shop.example/ok?card%5Bnumber%5D=4111%201111%201111%201111`,
  `https://shop.example/ok?CC=4111+1111+1111+1111#top`,
  `https://shop.example/ok#cardNumber=${pan}`,
  `https://shop.example/pan/${pan}/done`,
  `https://shop.example/%70an/${pan}`,
  `https://shop.example/ok?cvv=123`,
  `https://shop.example/ok?card_cvc2=1234&x=1`,
  `https://shop.example/ok?a=1;cvv=123`,
  `https://shop.example/ok?id=${pan}&cid=123`,
  `https://shop.example/${pan}?pin=1234`,
  `https://shop.example/?next=https%3A%2F%2Fshop.example%2F%3Fcvv%3D123`,
  `https://shop.example/?next=https%253A%252F%252Fshop.example%252F%253Fpan%253D${pan}`,
  `https://shop.example/?q=%E9&next=x%3Fpan%3D${pan}`,
  `https://shop.example/?pan=\u0664${pan.slice(1)}`,
  `https://shop.example/?t=%25B${pan}%5EDOE/JO%5E38011010000000000?`,
  `myshop://paid?pan=${pan}`,
  `https://shop.example/?data=%7B%22card_number%22%3A%20%224111%201111%201111%201111%22%7D`,
  `https://shop.example/?data={"a":{"cvv":123}}`,
])('refuses %s', (address) => {
  expect(hasCardData(address)).toBe(true);
});

it.each([
  `https://shop.example/ok/${pan}`,
  `https://shop.example/ok?order=${pan}&reference=5555555555554444`,
  `https://shop.example/ok?id=${pan}&code=123&amount=1234`,
  'https://shop.example/ok?pan=4111111111111112',
  'https://shop.example/ok?card=gold&cid=123&pin=1234&csc=2026',
  'https://shop.example/ok?cvv=required&cvv_result=M&cvv=12',
  'https://shop.example/ok?span=4111111111111111&gift_card=6011000990139424',
  'https://shop.example/ok?t=1795327200123&sid=0190b2f4-7a31-7c3e-9a5e-2f6d0c1b8e77',
  'https://shop.example/cvv/2026/07/help',
  'https://shop.example/?q=%&x=%zz',
  `https://shop.example/?data={"order":"${pan}","code":123}`,
])('takes %s', (address) => {
  expect(hasCardData(address)).toBe(false);
});

it('takes linear time', () => {
  const started = performance.now();
  for (const part of ['/', '=', '?', '"', '":', '"a":1', '%25', 'cvv=', `/${pan}`, '4', '%4'])
    hasCardData(`https://a.example/${part.repeat(20_000 / part.length)}`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
