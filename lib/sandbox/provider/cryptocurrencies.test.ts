import { describe, expect, it } from 'vitest';
import { coinAddress, coinAmount, coinMemo, isAddress, networkOf } from './cryptocurrencies.ts';

describe('an address that is published as an example', () => {
  // network | address | whether it is one
  it.each(
    `
    btc  | 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2                 | yes
    btc  | 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy                 | yes
    btc  | bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4         | yes
    btc  | bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5         | no
    btc  | 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3                 | no
    btc  | 0BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2                 | no
    tron | TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t                 | yes
    tron | 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2                 | no
    eth  | 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed         | yes
    eth  | 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed         | yes
    eth  | 0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed         | no
    eth  | 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe          | no
    xrp  | rrrrrrrrrrrrrrrrrrrrrhoLvTp                        | yes
    xrp  | rrrrrrrrrrrrrrrrrrrrrhoLvTq                        | no
    sol  | So11111111111111111111111111111111111111112        | yes
    sol  | So1111111111111111111111111111111111111111         | no
    `
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]),
  )('%s %s: %s', (network, address, expected) => {
    expect(isAddress(networkOf('', network), address) ? 'yes' : 'no').toBe(expected);
  });
});

describe("an address of the sandbox's own", () => {
  it.each(['btc', 'bch', 'btg', 'ltc', 'doge', 'dash', 'tron', 'eth', 'bsc', 'polygon', 'xrp', 'sol'])(
    'on %s passes the check of its network, and differs between payments',
    (word) => {
      const network = networkOf('', word);
      const addresses = ['one', 'two', 'three'].map((seed) => coinAddress(network, seed));
      expect(new Set(addresses).size).toBe(3);
      expect(addresses.every((address) => isAddress(network, address))).toBe(true);
      expect(coinAddress(network, 'one')).toBe(addresses[0]);
      expect(addresses.every((address) => /^[A-Za-z0-9:]{20,120}$/.test(address))).toBe(true);
    },
  );

  it('is of the newer form for Bitcoin where that is asked for', () => {
    const bitcoin = networkOf('BTC', '');
    const address = coinAddress(bitcoin, 'one', true);
    expect(address).toMatch(/^bc1q[a-z0-9]{38}$/);
    expect(isAddress(bitcoin, address)).toBe(true);
  });

  it('has a tag on the XRP Ledger only', () => {
    expect(coinMemo(networkOf('XRP', ''), 'one')).toMatch(/^\d{9,10}$/);
    expect(coinMemo(networkOf('BTC', ''), 'one')).toBeUndefined();
  });
});

describe('what a coin costs', () => {
  // amount in minor units | currency | coin | amount of the coin
  it.each<[bigint, string, string, string]>([
    [5_000_000n, 'EUR', 'BTC', '1'],
    [8450n, 'EUR', 'BTC', '0.00169'],
    [8450n, 'EUR', 'USDT', '84.5'],
    [1n, 'EUR', 'BTC', '0.0000002'],
    [1200n, 'JPY', 'USDT', '1200'],
    [1n, 'KWD', 'ETH', '0.0000004'],
    [1000n, 'EUR', 'SOL', '0.06666667'],
    [150_000n, 'BTC', 'BTC', '0.0015'],
    [150_000n, 'BTC', 'USDT', '75'],
    [84_500_000n, 'USDT', 'ETH', '0.0338'],
  ])('%s of %s in %s', (minor, currency, coin, amount) => {
    expect(coinAmount({ minor, currency }, coin)).toBe(amount);
  });
});

describe('the network of a coin', () => {
  it.each([
    ['USDT', '', 'Ethereum (ERC-20)'],
    ['USDT', 'tron', 'Tron (TRC-20)'],
    ['USDT', 'TRC-20', 'Tron (TRC-20)'],
    ['BTC', '', 'Bitcoin'],
    ['BTG', '', 'Bitcoin Gold'],
    ['FOO', 'no such', 'Ethereum (ERC-20)'],
  ])('%s, asked %j: %s', (coin, asked, name) => {
    expect(networkOf(coin, asked).name).toBe(name);
  });
});
