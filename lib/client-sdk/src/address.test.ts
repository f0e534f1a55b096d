import { expect, test } from 'vitest';
import { originOf, readerOf } from './address.ts';

const query = 'payment_id=p1&trans_id=t1&order_id=o1&hash=h1';

const rows = `
success                          | cancel                         | address                                        | result
https://shop.example/ok          | https://shop.example/no        | https://shop.example/ok?Q                      | success
https://shop.example/ok          | https://shop.example/no        | https://shop.example/no?Q                      | cancel
https://shop.example/ok          | https://shop.example/no        | HTTPS://Shop.Example:443/ok?Q                  | success
http://shop.example:80/ok        | http://shop.example/no         | http://shop.example/ok?Q                       | success
https://shop.example:8443/ok     | https://shop.example/no        | https://shop.example:8443/ok?Q                 | success
https://shop.example             | https://shop.example/no        | https://shop.example/?Q                        | success
https://shop.example/ok          | https://shop.example/no        | https://shop.example/ok?Q#top                  | success
https://shop.example/#/ok        | https://shop.example/#/no      | https://shop.example/?Q#/no                    | cancel
https://shop.example/back        | https://shop.example/back?c=1  | https://shop.example/back?c=1&Q                | cancel
https://shop.example/back        | https://shop.example/back?c=1  | https://shop.example/back?Q                    | success
https://shop.example/b?a=x+y&d   | https://shop.example/no        | https://shop.example/b?a=x%20y&d=&Q            | success
https://shop.example/žuta        | https://shop.example/no        | https://shop.example/%C5%BEuta?Q               | success
https://shop.example/50%         | https://shop.example/no        | https://shop.example/50%?Q                     | success
https://shop.example/ok          | https://shop.example/no        | https://shop.example/ok/?Q                     | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example/okay?Q                    | -
https://shop.example/ok          | https://shop.example/no        | http://shop.example/ok?Q                       | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example.evil.example/ok?Q         | -
https://shop.example/ok          | https://shop.example/no        | https://evil.example/https://shop.example/ok?Q | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example@evil.example/ok?Q         | -
https://shop.example/ok          | https://shop.example/no        | https://evil.example\\@shop.example/ok?Q      | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example:443.evil.example/ok?Q     | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example/ok                        | -
https://shop.example/ok          | https://shop.example/no        | https://shop.example/ok?payment_id=p1          | -
https://shop.example/ok?c=1      | https://shop.example/no        | https://shop.example/ok?Q                      | -
https://shop.example/ok          | https://shop.example/no        | about:blank                                    | -
`;

const table = rows
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('|').map((cell) => cell.trim().replace('Q', query)) as [string, string, string, string]);

test.each(table)('with %s and %s, %s is %s', (successUrl, cancelUrl, address, result) => {
  const outcome = readerOf({ successUrl, cancelUrl })(address);
  expect(outcome?.result ?? '-').toBe(result);
  if (outcome) expect(outcome).toMatchObject({ paymentId: 'p1', transId: 't1', orderId: 'o1', hash: 'h1' });
});

test('the outcome has the whole query, and the last value of a name counts', () => {
  const read = readerOf({
    successUrl: 'https://shop.example/ok?order_id=mine&basket=7',
    cancelUrl: 'https://shop.example/no',
  });
  const address =
    'https://shop.example/ok?order_id=mine&basket=7&payment_id=p1&order_id=o%201&hash=h1&payment_method=card';
  expect(read(address)).toEqual({
    result: 'success',
    paymentId: 'p1',
    orderId: 'o 1',
    hash: 'h1',
    query: { order_id: 'o 1', basket: '7', payment_id: 'p1', hash: 'h1', payment_method: 'card' },
  });
});

test('error and expiry addresses are distinguished if the session has them', () => {
  const shop = 'https://shop.example';
  const read = readerOf({
    successUrl: `${shop}/ok`,
    cancelUrl: `${shop}/no`,
    errorUrl: `${shop}/unclear`,
    expiryUrl: `${shop}/late`,
  });
  expect(read(`${shop}/unclear?${query}`)?.result).toBe('error');
  expect(read(`${shop}/late?${query}`)?.result).toBe('expired');
});

test.each([
  ['https://shop.example/ok', 'https://shop.example/ok', 'The addresses of success and cancel are the same.'],
  ['https://shop.example', 'https://SHOP.example:443/', 'The addresses of success and cancel are the same.'],
  ['/ok', 'https://shop.example/no', 'The address of success is not a web address.'],
  ['https://shop.example/ok', '', 'The address of cancel is not a web address.'],
  ['javascript:alert(1)', 'https://shop.example/no', 'The address of success is not a web address.'],
])('%s with %s is refused', (successUrl, cancelUrl, message) => {
  expect(() => readerOf({ successUrl, cancelUrl })).toThrow(expect.objectContaining({ code: 'argument', message }));
});

test('an origin is written as browsers write it', () => {
  for (const address of [
    'https://a.example:443/x?y',
    'http://A.example:8080',
    'http://[::1]:3000/x',
    'http://a.example:180',
  ])
    expect(originOf(address)).toBe(new URL(address).origin);
  expect(originOf('data:text/html,x')).toBeNull();
});
