/**
 * A merchant's wallets and the decryption of their tokens. All token errors have one response, because senders of
 * forged tokens must not learn which check failed; only the log contains the reason, without the token.
 */
import { z } from 'zod';
import { env } from '../config/index.ts';
import type { CardData, CardWallet } from '../connectors/index.ts';
import { brandOf } from '../core/cards.ts';
import type { Money } from '../core/money.ts';
import type { WalletKind } from '../core/provider-data.ts';
import { prisma } from '../db/index.ts';
import { log } from '../telemetry/index.ts';
import { unseal } from '../vault/index.ts';
import {
  type ApplePayKey,
  decryptApplePay,
  decryptGooglePay,
  isForOrder,
  readApplePayKey,
  readGooglePayKey,
  WalletKeyError,
  WalletTokenError,
} from '../wallets/index.ts';
import { cached } from './merchants.ts';

/** A card from a wallet token. `id` identifies the token, which expires at `goodUntil` at the latest. */
export type DecryptedToken = { card: CardData; wallet: CardWallet; id: string; goodUntil: Date };

/** The settings of Apple Pay; several processing keys while certificates are replaced. */
export const applePaySettings = z.object({
  merchantIdentifier: z.string(),
  country: z.string(),
  shopName: z.string(),
  processingKeys: z.array(z.object({ certificate: z.string(), privateKey: z.string().optional() })),
  /** The certificate for Apple Pay sessions of the hosted page; without it the page does not offer Apple Pay. */
  merchantIdentity: z.object({ certificate: z.string(), privateKey: z.string() }).optional(),
  merchantCapabilities: z.array(z.string()),
  /** By Apple's names, such as `masterCard`; empty means all. */
  supportedNetworks: z.array(z.string()),
});

/** The settings of Google Pay; several private keys while keys are replaced. */
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

/** A merchant's Apple Pay settings. Without keys its tokens can only be passed on. */
export type ApplePay = ReturnType<typeof readApplePay>;
export type GooglePay = ReturnType<typeof readGooglePay>;

/** Why a token yields no card: the wallet's settings do not allow decryption, or the token must not be used. */
type DecryptionFailure = { unopened: 'settings' | 'token' };

/** Decrypts a token as the merchant's settings and the order allow. */
export async function decryptToken(
  merchantId: string,
  kind: WalletKind,
  token: string,
  order: Money,
  now: Date,
): Promise<DecryptedToken | DecryptionFailure> {
  const config = await walletSettings(merchantId, kind);
  if (typeof config === 'string') return rejected('settings', config);
  if (!canDecrypt(config)) return rejected('settings', config.keys.length > 0 ? 'no roots' : 'no private key');
  try {
    const decrypted =
      config.kind === 'applepay'
        ? decryptAppleToken(config, token, order, now)
        : decryptGoogleToken(config, token, now);
    if (typeof decrypted === 'string') return rejected('token', decrypted);
    return isNetworkAllowed(config.networks, decrypted.card.number) ? decrypted : rejected('token', 'network');
  } catch (err) {
    if (!(err instanceof WalletTokenError)) throw err;
    return rejected('token', err.reason);
  }

  function rejected(unopened: DecryptionFailure['unopened'], why: string): DecryptionFailure {
    log.warn({ merchant: merchantId, wallet: kind, unopened, why }, 'a wallet payment was refused');
    return { unopened };
  }
}

function decryptAppleToken({ keys }: ApplePay, token: string, order: Money, now: Date): DecryptedToken | string {
  const { applePayRoots, applePayToleranceSeconds: toleranceSeconds } = env;
  const decrypted = decryptApplePay(token, { keys, now, toleranceSeconds, roots: applePayRoots ?? undefined });
  if (!isForOrder(decrypted, order)) return 'amount';
  const { number, expMonth, expYear, holder, cryptogram, eci, transactionId } = decrypted;
  return {
    card: { number, expMonth, expYear, holder },
    wallet: { kind: 'applepay', panType: 'dpan', cryptogram, eci },
    id: transactionId,
    // A token signed up to the tolerance ahead of our clock is valid for as long after it.
    goodUntil: new Date(now.getTime() + 2 * toleranceSeconds * 1000),
  };
}

function decryptGoogleToken(config: GooglePay, token: string, now: Date): DecryptedToken {
  const { keys, recipientId, gatewayMerchantId, allowedAuthMethods: authMethods } = config;
  const roots = env.googlePayRoots ?? [];
  const decrypted = decryptGooglePay(token, { keys, roots, recipientId, gatewayMerchantId, authMethods, now });
  const { number, expMonth, expYear, cryptogram, eci, messageId, expires } = decrypted;
  return {
    card: { number, expMonth, expYear },
    wallet: { kind: 'googlepay', panType: decrypted.authMethod === 'PAN_ONLY' ? 'fpan' : 'dpan', cryptogram, eci },
    id: messageId,
    goodUntil: expires,
  };
}

// The network next to the token is not authenticated; the number decides.
function isNetworkAllowed(networks: string[], number: string): boolean {
  const brand = brandOf(number)?.id;
  return networks.length === 0 || networks.some((name) => name.toLowerCase().replace(/^china/, '') === brand);
}

/** Whether tokens can be decrypted with these settings. */
export function canDecrypt({ kind, keys }: WalletConfig): boolean {
  return keys.length > 0 && (kind === 'applepay' || env.googlePayRoots !== null);
}

/** A merchant's settings of a wallet, or why they are unusable; `none` if the merchant has not configured it. */
export function walletSettings(merchantId: string, kind: WalletKind): Promise<WalletConfig | string> {
  return cached(`wallet:${kind}:${merchantId}`, () => readWallet(merchantId, kind));
}

async function readWallet(merchantId: string, kind: WalletKind): Promise<WalletConfig | string> {
  const row = await prisma().wallet.findUnique({ where: { merchantId_kind: { merchantId, kind } } });
  if (!row) return 'none';
  if (!row.enabled) return 'switched off';
  if (row.environment !== (env.appEnv === 'production' ? 'production' : 'test')) return `${row.environment} settings`;
  const settings: unknown = JSON.parse(
    await unseal(row.settings, 'wallet-settings', { id: row.id, owner: merchantId }),
  );
  try {
    return kind === 'applepay' ? readApplePay(settings) : readGooglePay(settings);
  } catch (err) {
    if (err instanceof WalletKeyError) return `${err.part}: ${err.message}`;
    if (err instanceof z.ZodError) return `settings: ${err.issues.map(({ path }) => path.join('.')).join(', ')}`;
    throw err;
  }
}

function readApplePay(settings: unknown) {
  const { processingKeys, supportedNetworks: networks, ...rest } = applePaySettings.parse(settings);
  const keys: ApplePayKey[] = processingKeys.flatMap(({ certificate, privateKey }) =>
    privateKey ? [readApplePayKey({ certificate, privateKey })] : [],
  );
  return { kind: 'applepay' as const, keys, networks, ...rest };
}

function readGooglePay(settings: unknown) {
  const { privateKeys, ...rest } = googlePaySettings.parse(settings);
  return { kind: 'googlepay' as const, keys: privateKeys.map(readGooglePayKey), ...rest };
}
