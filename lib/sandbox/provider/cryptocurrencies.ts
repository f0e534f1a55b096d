// Cryptocurrencies of the sandbox provider: fictitious addresses in the correct format with valid checksums for their
// network, and fixed prices.
import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { exponentOf, isCryptocurrency } from '../../core/currencies.ts';
import type { Money } from '../../core/money.ts';

type Network = {
  name: string;
  /** The names of the network in requests. */
  words: string;
  form: 'base58' | 'bech32' | 'hex' | 'ripple' | 'solana';
  /** The first byte of a base58 address. */
  version?: number;
};

const networks: readonly Network[] = [
  { name: 'Bitcoin', words: 'btc bitcoin', form: 'base58', version: 0 },
  { name: 'Bitcoin Cash', words: 'bch', form: 'base58', version: 0 },
  { name: 'Bitcoin Gold', words: 'btg', form: 'base58', version: 38 },
  { name: 'Litecoin', words: 'ltc litecoin', form: 'base58', version: 48 },
  { name: 'Dogecoin', words: 'doge dogecoin', form: 'base58', version: 30 },
  { name: 'Dash', words: 'dash', form: 'base58', version: 76 },
  { name: 'Tron (TRC-20)', words: 'tron trx trc20', form: 'base58', version: 65 },
  { name: 'Ethereum (ERC-20)', words: 'eth ethereum erc20', form: 'hex' },
  { name: 'BNB Smart Chain (BEP-20)', words: 'bnb bsc bep20', form: 'hex' },
  { name: 'Polygon', words: 'matic pol polygon', form: 'hex' },
  { name: 'XRP Ledger', words: 'xrp ripple', form: 'ripple' },
  { name: 'Solana', words: 'sol solana', form: 'solana' },
];

// In hundredths of one currency unit, for any currency.
const prices: Readonly<Record<string, bigint>> = {
  BTC: 5_000_000n,
  ETH: 250_000n,
  BCH: 40_000n,
  BNB: 50_000n,
  SOL: 15_000n,
  TON: 300n,
  LTC: 8_000n,
  DASH: 2_500n,
  BTG: 2_000n,
  XRP: 50n,
  MATIC: 50n,
  POL: 50n,
  TRX: 25n,
  DOGE: 10n,
};
const stableHundredths = 100n;

const coinDecimals = 8n;

/** The network of a request, or the coin's own; tokens without one use Ethereum. */
export function networkOf(coin: string, requested: string): Network {
  const named = (word: string) => networks.find((network) => network.words.split(' ').includes(word));
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return named(plain(requested)) ?? named(plain(coin)) ?? (networks.find(({ form }) => form === 'hex') as Network);
}

/** The coin amount as decimal text, rounded up to the coin's last decimal. */
export function coinAmount({ minor, currency }: Money, coin: string): string {
  const priceOf = (code: string) => prices[code] ?? stableHundredths;
  const worth = minor * (isCryptocurrency(currency) ? priceOf(currency) : stableHundredths);
  const divisor = priceOf(coin) * 10n ** BigInt(exponentOf(currency) ?? 0);
  const units = (worth * 10n ** coinDecimals + divisor - 1n) / divisor;
  const whole = units / 10n ** coinDecimals;
  const rest = (units % 10n ** coinDecimals).toString().padStart(Number(coinDecimals), '0').replace(/0+$/, '');
  return rest === '' ? `${whole}` : `${whole}.${rest}`;
}

/** An address on a network, derived from the seed. `bech32` selects Bitcoin's newer format. */
export function coinAddress(network: Network, seed: string, bech32 = false): string {
  const bytes = sha256(Buffer.from(`${network.name} ${seed}`));
  switch (network.form) {
    case 'hex':
      return ethereumAddress(bytes.subarray(0, 20));
    case 'solana':
      return base58(bytes, bitcoinLetters);
    case 'ripple':
      return base58(withCheck(0, bytes.subarray(0, 20)), rippleLetters);
    default:
      return bech32 && network.words.startsWith('btc')
        ? segwitAddress(bytes.subarray(0, 20))
        : base58(withCheck(network.version ?? 0, bytes.subarray(0, 20)), bitcoinLetters);
  }
}

/** The tag that separates payments to one address, on networks that use one; undefined elsewhere. */
export function coinMemo(network: Network, seed: string): string | undefined {
  if (network.form !== 'ripple') return undefined;
  return String((sha256(Buffer.from(seed)).readUInt32BE() % 900_000_000) + 100_000_000);
}

/** Whether a text is an address of this network: format and checksum. */
export function isAddress(network: Network, text: string): boolean {
  switch (network.form) {
    case 'hex':
      return isEthereumAddress(text);
    case 'solana':
      return unbase58(text, bitcoinLetters)?.length === 32;
    case 'ripple':
      return isChecked(unbase58(text, rippleLetters), 0);
    default: {
      const { version = 0 } = network;
      if (version === 0 && text.toLowerCase().startsWith('bc1')) return isSegwitAddress(text.toLowerCase());
      // Script addresses have their own version; Bitcoin's is the common one.
      const versions = version === 0 ? [0, 5] : [version];
      return versions.some((each) => isChecked(unbase58(text, bitcoinLetters), each));
    }
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

const bitcoinLetters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const rippleLetters = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

function withCheck(version: number, bytes: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.of(version), bytes]);
  return Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]);
}

function isChecked(bytes: Buffer | null, version: number): boolean {
  return bytes?.length === 25 && withCheck(version, bytes.subarray(1, 21)).equals(bytes);
}

function base58(bytes: Uint8Array, letters: string): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = letters[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return (letters[0] as string).repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function unbase58(text: string, letters: string): Buffer | null {
  let number = 0n;
  for (const letter of text) {
    const value = letters.indexOf(letter);
    if (value < 0) return null;
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? '' : number.toString(16);
  const zeros = text.length - text.replace(new RegExp(`^${letters[0]}+`), '').length;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
}

// EIP-55: letter case is the checksum.
function ethereumAddress(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const digest = Buffer.from(keccak_256(Buffer.from(hex))).toString('hex');
  const cased = [...hex].map((letter, at) =>
    Number.parseInt(digest[at] ?? '0', 16) > 7 ? letter.toUpperCase() : letter,
  );
  return `0x${cased.join('')}`;
}

function isEthereumAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const hex = text.slice(2);
  const oneCase = hex === hex.toLowerCase() || hex === hex.toUpperCase();
  return oneCase || ethereumAddress(Buffer.from(hex, 'hex')) === text;
}

const segwitLetters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
// The human-readable part `bc` in the checksum (BIP 173): high bits, a zero, low bits.
const readablePart = [3, 3, 0, 2, 3];

function checkOf(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) check ^= generator;
  }
  return check;
}

function segwitAddress(bytes: Uint8Array): string {
  const values = [0];
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  for (let at = 0; at < bits.length; at += 5) values.push(Number.parseInt(bits.slice(at, at + 5).padEnd(5, '0'), 2));
  const check = checkOf([...readablePart, ...values, 0, 0, 0, 0, 0, 0]) ^ 1;
  for (let place = 5; place >= 0; place -= 1) values.push((check >>> (5 * place)) & 31);
  return `bc1${values.map((value) => segwitLetters[value]).join('')}`;
}

function isSegwitAddress(text: string): boolean {
  const values = [...text.slice(3)].map((letter) => segwitLetters.indexOf(letter));
  const isWhole = text.length === 42 || text.length === 62;
  return isWhole && !values.includes(-1) && checkOf([...readablePart, ...values]) === 1;
}
