// Decrypts one wallet token, so that any published test vector can be checked against this code. Roots, keys and the
// clock are arguments; the card number is printed masked. Exits with 1 and the reason for a rejected token.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importTypeScript } from './bundle.mjs';

const usage = `Decrypts a wallet token and prints its content.

  npm run wallet:token -- --wallet apple  --token FILE --key PEM --cert PEM [--roots PEM] [--at TIME] [--tolerance SECONDS]
  npm run wallet:token -- --wallet google --token FILE --key FILE --roots JSON --recipient ID [--gateway-merchant ID] [--at TIME]

--roots  Apple: certificates in PEM (Apple Root CA - G3 when absent). Google: its list of root signing keys.
--key    A private key in PEM (Google: or Base64 of PKCS #8); may be given more than once, with --cert as often.
--recipient  Google: merchant: and Google's id of the merchant, or gateway: and the gateway's name.
--at     The moment to judge at, such as 2026-11-20T12:00:00Z; now when absent.`;

const text = (file) => readFileSync(file, 'utf8');

/** Decrypts the token of the arguments and returns its content. */
async function decryptToken(options) {
  const now = new Date(options.at ?? Date.now());
  if (Number.isNaN(now.getTime())) throw new Error(`--at ${options.at} is not a valid time.`);
  const token = text(options.token).trim();
  if (options.wallet === 'apple') {
    const { decryptApplePay } = await importTypeScript('lib/wallets/apple.ts');
    const { readApplePayKey, readApplePayRoots } = await importTypeScript('lib/wallets/apple-key.ts');
    const keys = options.key.map((file, at) =>
      readApplePayKey({ privateKey: text(file), certificate: text(options.cert?.[at] ?? fail()) }),
    );
    const roots = options.roots === undefined ? undefined : readApplePayRoots(text(options.roots));
    const tolerance = options.tolerance === undefined ? undefined : Number(options.tolerance);
    return decryptApplePay(token, { keys, roots, now, toleranceSeconds: tolerance });
  }
  const { decryptGooglePay } = await importTypeScript('lib/wallets/google.ts');
  const { readGooglePayKey, readGooglePayRoots } = await importTypeScript('lib/wallets/google-key.ts');
  return decryptGooglePay(token, {
    keys: options.key.map((file) => readGooglePayKey(text(file))),
    roots: readGooglePayRoots(text(options.roots ?? fail())),
    recipientId: options.recipient ?? fail(),
    gatewayMerchantId: options['gateway-merchant'],
    authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
    now,
  });
}

function fail() {
  console.error(usage);
  process.exit(2);
}

function readArguments() {
  const option = { type: 'string' };
  const names = ['wallet', 'token', 'roots', 'at', 'tolerance', 'recipient', 'gateway-merchant'];
  const many = { type: 'string', multiple: true };
  try {
    const options = { ...Object.fromEntries(names.map((name) => [name, option])), key: many, cert: many };
    const { values } = parseArgs({ options });
    const known = values.wallet === 'apple' || values.wallet === 'google';
    return known && values.token && values.key ? values : fail();
  } catch {
    return fail();
  }
}

try {
  const opened = await decryptToken(readArguments());
  const number = `${opened.number.slice(0, 6)}${'*'.repeat(opened.number.length - 10)}${opened.number.slice(-4)}`;
  const shown = (_name, value) => (typeof value === 'bigint' ? String(value) : value);
  console.log(JSON.stringify({ ...opened, number }, shown, 2));
} catch (error) {
  console.error(error.reason === undefined ? error.message : `${error.message} (${error.reason})`);
  process.exitCode = 1;
}
