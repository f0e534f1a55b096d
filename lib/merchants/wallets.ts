/**
 * A merchant's wallets and the tokens that they open. All that is wrong with a token ends in one word, because whoever
 * forges tokens must not learn which check stopped them; the log alone has the reason, and nothing of the token.
 */
import { z } from 'zod';
import { env } from '../config';
import type { CardData, CardWallet } from '../connectors';
import { brandOf } from '../core/cards';
import type { Money } from '../core/money';
import type { WalletKind } from '../core/provider-data';
import { prisma } from '../db';
import { log } from '../telemetry';
import { unseal } from '../vault';
import {
  type ApplePayKey,
  decryptApplePay,
  decryptGooglePay,
  type GooglePayKey,
  isForOrder,
  readApplePayKey,
  readGooglePayKey,
  WalletKeyError,
  WalletTokenError,
} from '../wallets';
import { cached } from './merchants';

/** A card out of a wallet's token. `id` names the token, which is good until `goodUntil` at the latest. */
export type DecryptedToken = { card: CardData; wallet: CardWallet; id: string; goodUntil: Date };

/** What the settings of Apple Pay hold; several processing keys while certificates change over. */
export const applePaySettings = z.object({
  merchantIdentifier: z.string(),
  country: z.string(),
  shopName: z.string(),
  processingKeys: z.array(z.object({ certificate: z.string(), privateKey: z.string().optional() })),
  /** With what Apple lets the hosted page begin; without it the page offers no Apple Pay. */
  merchantIdentity: z.object({ certificate: z.string(), privateKey: z.string() }).optional(),
  merchantCapabilities: z.array(z.string()),
  /** By Apple's names, such as `masterCard`; empty means all. */
  supportedNetworks: z.array(z.string()),
});

/** What the settings of Google Pay hold; several private keys while keys change over. */
export const googlePaySettings = z.object({
  /** `gateway:` and the gateway's name, or `merchant:` and Google's id of the merchant. */
  recipientId: z.string(),
  gatewayMerchantId: z.string().optional(),
  merchantId: z.string().optional(),
  allowedAuthMethods: z.array(z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS'])),
  /** By Google's names, such as `MASTERCARD`; empty means all. */
  networks: z.array(z.string()),
  privateKeys: z.array(z.string()),
});

type WalletConfig = ApplePay | GooglePay;

/** A merchant's Apple Pay, its settings read. Without keys its tokens can only be passed on. */
export type ApplePay = { kind: 'applepay'; keys: ApplePayKey[]; networks: string[] } & Pick<
  z.infer<typeof applePaySettings>,
  'merchantIdentifier' | 'merchantIdentity' | 'merchantCapabilities' | 'country' | 'shopName'
>;
/** The same of Google Pay. */
export type GooglePay = { kind: 'googlepay'; keys: GooglePayKey[]; networks: string[] } & Pick<
  z.infer<typeof googlePaySettings>,
  'recipientId' | 'gatewayMerchantId' | 'merchantId' | 'allowedAuthMethods'
>;

/** Why a token gives no card: the merchant's settings of this wallet cannot open any, or this one must not be paid with. */
export type DecryptionFailure = { unopened: 'settings' | 'token' };

/** Opens a token as the merchant's settings and the order allow. */
export async function decryptToken(
  merchantId: string,
  kind: WalletKind,
  token: string,
  order: Money,
  now: Date,
): Promise<DecryptedToken | DecryptionFailure> {
  const ready = await walletSettings(merchantId, kind);
  if (typeof ready === 'string') return refused('settings', ready);
  if (!canDecrypt(ready)) return refused('settings', ready.keys.length > 0 ? 'no roots' : 'no private key');
  try {
    const opened =
      ready.kind === 'applepay' ? decryptAppleToken(ready, token, order, now) : decryptGoogleToken(ready, token, now);
    if (typeof opened === 'string') return refused('token', opened);
    return isNetworkAllowed(ready.networks, opened.card.number) ? opened : refused('token', 'network');
  } catch (fault) {
    if (!(fault instanceof WalletTokenError)) throw fault;
    return refused('token', fault.reason);
  }

  function refused(unopened: DecryptionFailure['unopened'], why: string): DecryptionFailure {
    log.warn({ merchant: merchantId, wallet: kind, unopened, why }, 'a wallet payment was refused');
    return { unopened };
  }
}

function decryptAppleToken({ keys }: ApplePay, token: string, order: Money, now: Date): DecryptedToken | string {
  const { applePayRoots, applePayToleranceSeconds: toleranceSeconds } = env;
  const opened = decryptApplePay(token, { keys, now, toleranceSeconds, roots: applePayRoots ?? undefined });
  if (!isForOrder(opened, order)) return 'amount';
  const { number, expMonth, expYear, holder, cryptogram, eci, transactionId } = opened;
  return {
    card: { number, expMonth, expYear, holder },
    wallet: { kind: 'applepay', panType: 'dpan', cryptogram, eci },
    id: transactionId,
    // Signed up to the tolerance ahead of our clock, it is good for as long again behind it.
    goodUntil: new Date(now.getTime() + 2 * toleranceSeconds * 1000),
  };
}

function decryptGoogleToken(ready: GooglePay, token: string, now: Date): DecryptedToken {
  const { keys, recipientId, gatewayMerchantId, allowedAuthMethods: authMethods } = ready;
  const roots = env.googlePayRoots ?? [];
  const opened = decryptGooglePay(token, { keys, roots, recipientId, gatewayMerchantId, authMethods, now });
  const { number, expMonth, expYear, cryptogram, eci, messageId, expires } = opened;
  return {
    card: { number, expMonth, expYear },
    wallet: { kind: 'googlepay', panType: opened.authMethod === 'PAN_ONLY' ? 'fpan' : 'dpan', cryptogram, eci },
    id: messageId,
    goodUntil: expires,
  };
}

// The network beside the token is nobody's word: the number itself says whose it is.
function isNetworkAllowed(networks: string[], number: string): boolean {
  const brand = brandOf(number)?.id;
  return networks.length === 0 || networks.some((name) => name.toLowerCase().replace(/^china/, '') === brand);
}

/** Whether tokens of these settings can be opened here. */
export function canDecrypt({ kind, keys }: WalletConfig): boolean {
  return keys.length > 0 && (kind === 'applepay' || env.googlePayRoots !== null);
}

/** A merchant's settings of a wallet, or why there are none to go by; `none` where the merchant has not set it up. */
export function walletSettings(merchantId: string, kind: WalletKind): Promise<WalletConfig | string> {
  return cached(`wallet:${kind}:${merchantId}`, () => readWallet(merchantId, kind));
}

async function readWallet(merchantId: string, kind: WalletKind): Promise<WalletConfig | string> {
  const row = await prisma().wallet.findUnique({ where: { merchantId_kind: { merchantId, kind } } });
  if (!row) return 'none';
  if (!row.enabled) return 'switched off';
  if (row.environment !== (env.appEnv === 'production' ? 'production' : 'test')) return `${row.environment} settings`;
  const settings: unknown = JSON.parse(await unseal(row.settings, 'wallet-settings'));
  try {
    return kind === 'applepay' ? readApplePay(settings) : readGooglePay(settings);
  } catch (fault) {
    if (fault instanceof WalletKeyError) return `${fault.part}: ${fault.message}`;
    if (fault instanceof z.ZodError) return `settings: ${fault.issues.map(({ path }) => path.join('.')).join(', ')}`;
    throw fault;
  }
}

function readApplePay(settings: unknown): ApplePay {
  const { processingKeys, supportedNetworks: networks, ...rest } = applePaySettings.parse(settings);
  const keys = processingKeys.flatMap(({ certificate, privateKey }) =>
    privateKey ? [readApplePayKey({ certificate, privateKey })] : [],
  );
  return { kind: 'applepay', keys, networks, ...rest };
}

function readGooglePay(settings: unknown): GooglePay {
  const { privateKeys, ...rest } = googlePaySettings.parse(settings);
  return { kind: 'googlepay', keys: privateKeys.map(readGooglePayKey), ...rest };
}
