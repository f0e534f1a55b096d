// What the pages of wallets share: texts, types, and the steps of a setup.
import type { ReactNode } from 'react';
import type {
  AppleValues,
  CertificateSlot,
  CertificateView,
  GoogleValues,
  GoogleView,
  WalletName,
  WalletView,
} from '../../../lib/dashboard/wallets/contract.ts';
import { StatusShape } from '../../ui/status.tsx';
import { dateTimeText } from '../times.ts';
import { Actions, type Offers } from '../ui/index.ts';

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

type StepState = 'done' | 'attention' | 'open' | 'wrong';

const shapes: Record<StepState, string> = { done: 'settled', attention: 'pending', open: 'prepare', wrong: 'decline' };
const stateTexts: Record<StepState, string> = {
  done: 'Done',
  attention: 'Needs attention',
  open: 'To do',
  wrong: 'Error',
};

type StepProps = {
  state: StepState;
  title: ReactNode;
  children?: ReactNode;
  /** False for a user who may not change anything. */
  actions?: Offers | false;
  /** A control after the actions. */
  beside?: ReactNode;
};

/** One step in a line: its state, title and actions. */
export function SetUpStep({ state, title, children, actions = false, beside }: StepProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line py-2.5">
      <span className="mt-[3px]">
        <StatusShape status={shapes[state]} />
      </span>
      <div className="min-w-0 flex-1 basis-[240px]">
        <p className="font-medium break-words">
          <span className="unseen">{stateTexts[state]}: </span>
          {title}
        </p>
        {children ? <div className="text-xs break-words text-ink2">{children}</div> : null}
      </div>
      {actions || beside ? (
        <div className="flex flex-wrap gap-2">
          <Actions size="small" of={actions || []} />
          {beside}
        </div>
      ) : null}
    </li>
  );
}

export type Step = { state: StepState; title: string; text?: ReactNode };

type ListProps = { label: string; of?: readonly Step[]; children?: ReactNode; buttons?: Offers | false };

/** Steps in a list, and the buttons below it. */
export function SetUpSteps({ label, of = [], children, buttons = false }: ListProps) {
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {of.map(({ state, title, text }) => (
          <SetUpStep key={title} state={state} title={title}>
            {text}
          </SetUpStep>
        ))}
        {children}
      </ul>
      {buttons ? (
        <div className="flex flex-wrap gap-2">
          <Actions of={buttons} />
        </div>
      ) : null}
    </>
  );
}
