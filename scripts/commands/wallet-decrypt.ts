// florin wallet decrypt: decrypts one wallet token, so that any published test vector can be checked against this code.
// Roots, keys and the clock are arguments; the card number is printed masked. Ends with 1 and the reason for a rejected
// token.
import { readFileSync } from 'node:fs';
import { defineCommand, UsageError, type Values } from './command.ts';

const usage = `Decrypts a wallet token and prints its content.

  florin wallet decrypt --wallet apple  --token FILE --key PEM --cert PEM [--roots PEM] [--at TIME] [--tolerance SECONDS]
  florin wallet decrypt --wallet google --token FILE --key FILE --roots JSON --recipient ID [--gateway-merchant ID] [--at TIME]

--roots  Apple: certificates in PEM (Apple Root CA - G3 when absent). Google: its list of root signing keys.
--key    A private key in PEM (Google: or Base64 of PKCS #8); may be given more than once, with --cert as often.
--recipient  Google: merchant: and Google's id of the merchant, or gateway: and the gateway's name.
--at     The moment to judge at, such as 2026-11-20T12:00:00Z; now when absent.`;

const one = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;
const options = {
  wallet: one,
  token: one,
  roots: one,
  at: one,
  tolerance: one,
  recipient: one,
  'gateway-merchant': one,
  key: many,
  cert: many,
};
type Given = Values<typeof options>;

const text = (file: string) => readFileSync(file, 'utf8');

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing.`);
  return value;
}

async function decryptAppleToken(token: string, given: Given, keyFiles: string[], now: Date) {
  const { decryptApplePay } = await import('../../lib/wallets/apple.ts');
  const { readApplePayKey, readApplePayRoots } = await import('../../lib/wallets/apple-key.ts');
  const keys = keyFiles.map((file, at) =>
    readApplePayKey({ privateKey: text(file), certificate: text(required(given.cert?.[at], 'cert')) }),
  );
  const roots = given.roots === undefined ? undefined : readApplePayRoots(text(given.roots));
  const toleranceSeconds = given.tolerance === undefined ? undefined : Number(given.tolerance);
  return decryptApplePay(token, { keys, roots, now, toleranceSeconds });
}

async function decryptGoogleToken(token: string, given: Given, keyFiles: string[], now: Date) {
  const { decryptGooglePay } = await import('../../lib/wallets/google.ts');
  const { readGooglePayKey, readGooglePayRoots } = await import('../../lib/wallets/google.ts');
  return decryptGooglePay(token, {
    keys: keyFiles.map((file) => readGooglePayKey(text(file))),
    roots: readGooglePayRoots(text(required(given.roots, 'roots'))),
    recipientId: required(given.recipient, 'recipient'),
    gatewayMerchantId: given['gateway-merchant'],
    authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
    now,
  });
}

async function decryptToken(given: Given) {
  const { wallet, key } = given;
  if (wallet !== 'apple' && wallet !== 'google') throw new UsageError('--wallet is apple or google.');
  const file = required(given.token, 'token');
  const keyFiles = key ?? [required(undefined, 'key')];
  const now = new Date(given.at ?? Date.now());
  if (Number.isNaN(now.getTime())) throw new Error(`--at ${given.at} is not a valid time.`);
  const token = text(file).trim();
  return wallet === 'apple'
    ? decryptAppleToken(token, given, keyFiles, now)
    : decryptGoogleToken(token, given, keyFiles, now);
}

export const walletDecrypt = defineCommand({
  usage,
  options,
  run: async (given) => {
    try {
      const opened = await decryptToken(given);
      const number = `${opened.number.slice(0, 6)}${'*'.repeat(opened.number.length - 10)}${opened.number.slice(-4)}`;
      const shown = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
      console.log(JSON.stringify({ ...opened, number }, shown, 2));
      return 0;
    } catch (error) {
      if (!(error instanceof Error) || error instanceof UsageError) throw error;
      const reason = 'reason' in error ? ` (${error.reason})` : '';
      console.error(`${error.message}${reason}`);
      return 1;
    }
  },
});
