// Wallet texts and types that are used in more than one place.

import type {
  AppleValues,
  CertificateSlot,
  CertificateView,
  GoogleValues,
  GoogleView,
  WalletName,
  WalletView,
} from '../../../lib/dashboard/wallets/contract.ts';
import { dateTimeText } from '../times.ts';
import type { StepState } from './steps.tsx';

/** Acts on certificates, keys, domains or the status; sends the version that the user sees. Throws the server's error. */
export type WalletAction = (path: string, fields?: object) => Promise<void>;

export const walletNames: Record<WalletName, string> = { applepay: 'Apple Pay', googlepay: 'Google Pay' };

export const flowNames: Record<WalletView['flow'], { text: string; tone: 'ok' | 'plain' | 'warn' }> = {
  card: { text: 'Card flow', tone: 'ok' },
  virtual: { text: 'Virtual', tone: 'plain' },
  none: { text: 'No MID accepts it', tone: 'warn' },
};

/** `4 Dec 2026`. */
export function dateText(iso: string, zone: string): string {
  return dateTimeText(iso, zone).replace(/,.*/, '');
}

/** The ends of a fingerprint, `7C:19:F0:…:E2`, with all of it as its title. */
export function Fingerprint({ hex }: { hex: string }) {
  const pairs = hex.toUpperCase().match(/../g) ?? [];
  return <span className="mono" title={hex}>{`${pairs.slice(0, 3).join(':')}:…:${pairs.at(-1)}`}</span>;
}

const stepStates: Record<CertificateView['state'], StepState> = { valid: 'done', ending: 'attention', ended: 'wrong' };

/** The state of a certificate and its expiry, as a step. */
export function certificateStep(slot: CertificateSlot, { state, validTo }: CertificateView, zone: string) {
  const name = slot === 'processing' ? 'Processing certificate' : 'Identity certificate';
  const title = `${name} ${state === 'ended' ? 'expired' : 'expires'} on ${dateText(validTo, zone)}`;
  return { state: stepStates[state], title };
}

const dayMs = 86_400_000;

/** `in 14 days`, `tomorrow`, `today`. For future times. */
export function daysAhead(iso: string, now: Date): string {
  const days = Math.floor((Date.parse(iso) - now.getTime()) / dayMs);
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** The settings that a merchant's own app or page passes to Google, as JSON. */
export function tokenization({ values, keys }: GoogleView): string {
  const parameters =
    values.recipient === 'gateway'
      ? {
          type: 'PAYMENT_GATEWAY',
          parameters: { gateway: values.gateway, gatewayMerchantId: values.gatewayMerchantId },
        }
      : { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey: keys[0]?.publicKey ?? '' } };
  return JSON.stringify(parameters, null, 2);
}

/** The values to send: without a gateway if the tokens are encrypted for the merchant itself. */
export function forRecipient<Values extends AppleValues | GoogleValues>(values: Values): Values {
  const isDirect = 'recipient' in values && values.recipient === 'merchant';
  return isDirect ? { ...values, gateway: '', gatewayMerchantId: '' } : values;
}
