/** The form that sends a receipt or payment data to the payer. */
import { maskEmail, maskPhone } from '../core/mask.ts';
import { sendsMessages } from '../outbox/index.ts';
import type { SendForm } from './contract.ts';
import type { RefilledForm } from './form.ts';
import { pathOf } from './page-context.ts';
import type { View } from './view.ts';

/** `sentTo`: where it was just sent. */
export type Sending = { sentTo?: string; refilled?: RefilledForm };

/** The payment's own address, if messages are sent there. */
export type Target = { channel: 'email' | 'sms'; to: string };

/** To the `known` address, else to an e-mail address that the payer types; undefined if no e-mail is sent. */
export function sendForm(
  { token }: Pick<View, 'token'>,
  known: Target | null,
  { sentTo, refilled }: Sending,
): SendForm | undefined {
  if (known === null && !sendsMessages('email')) return undefined;
  const mask = known?.channel === 'sms' ? maskPhone : maskEmail;
  return {
    url: pathOf(token, '/remind'),
    to: known === null ? undefined : mask(known.to),
    sentTo: sentTo === undefined ? undefined : mask(sentTo),
    typed: refilled?.typed.email,
    error: refilled?.errors.email,
  };
}
