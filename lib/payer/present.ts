/** Builds the page of a payment that the payer completes elsewhere, from the provider's response. */

import { maskEmail, maskPhone } from '../core/mask.ts';
import type { PartyDetails, Transaction } from '../core/payment.ts';
import type { Presentation } from '../core/presentation.ts';
import { rememberLast } from '../core/remember.ts';
import { findMethod } from '../methods/catalog.ts';
import { fitsCode, qrImage } from '../methods/qr.ts';
import { sendsMessages } from '../outbox/index.ts';
import type { PageShell, PresentPage } from './contract.ts';
import { isFarAway } from './deadline.ts';
import { type PageContext, pathOf, withQuery } from './page-context.ts';
import type { Barcode, CodeImage, PresentStep, StepOf } from './present-step.ts';
import type { Screen } from './screen.ts';
import { type Sending, sendForm, type Target } from './send-form.ts';
import type { View } from './view.ts';

/** Schemes whose apps accept the payload as text. */
const copyableSchemes: readonly string[] = ['pix', 'upi'];

/** The row of a voucher with the shops that take it. */
const placesRow = 'places';

/** The page of a presentation. `isFull`: the payment has all its messages. */
export function presentPage(
  view: View,
  context: PageContext,
  frame: PageShell,
  { sandbox, barcode, isFull, ...sending }: Sending & { sandbox: boolean; barcode?: Barcode; isFull?: boolean },
): PresentPage {
  const { screen, attempt, token } = view;
  if (screen.kind !== 'present' || !attempt) throw new Error('the attempt has no presentation');
  const step = stepOf(screen.present, view, context, barcode);
  const isOffered = hasData(screen) && (!isFull || sending.sentTo !== undefined);
  const reminder = isOffered ? sendForm(view, reminderTarget(view), sending) : undefined;
  const asks = step.kind !== 'code' && { asksToLeave: true as const };
  return { ...frame, ...asks, ...presentedBy(attempt, sandbox), step, reminder, abandonUrl: pathOf(token, '/abandon') };
}

/** Whether a screen has data to pay with. */
const hasData = (screen: Screen) =>
  screen.kind === 'present' && (screen.present.kind === 'details' || screen.present.kind === 'crypto');

/** The payment's own address for its data: the e-mail address, else the phone, if messages of that kind are sent. */
export function reminderTarget({ screen, payment }: Pick<View, 'screen' | 'payment'>): Target | null {
  if (!hasData(screen)) return null;
  const { email, phone } = payment.payer;
  if (email && sendsMessages('email')) return { channel: 'email', to: email };
  return phone && sendsMessages('sms') ? { channel: 'sms', to: phone } : null;
}

/** The members of a presentation's page that depend on its attempt. */
export function presentedBy({ id, method }: Transaction, sandbox: boolean) {
  const { name = method, kind = 'bank' } = findMethod(method) ?? {};
  const testUrl = sandbox ? `/sandbox/finish/${id}` : undefined;
  return { state: 'present', method: name, kind, testUrl } as const;
}

function stepOf(
  present: Presentation,
  { token, payment }: View,
  { now, lang }: PageContext,
  barcode: Barcode | undefined,
): PresentStep {
  const expiresAt = present.expiresAt === undefined ? undefined : new Date(present.expiresAt);
  switch (present.kind) {
    case 'app':
      return {
        kind: 'app',
        expiresAt,
        url: present.url,
        code: fitsCode(present.url) ? codeOf(present.url) : undefined,
      };
    case 'qr': {
      const { scheme, payload, renewable } = present;
      return {
        kind: 'qr',
        scheme,
        expiresAt,
        code: codeOf(payload),
        saveUrl: pathOf(token, '/code.png'),
        copy: copyableSchemes.includes(scheme) ? payload : undefined,
        renewUrl: renewable ? pathOf(token, '/renew') : undefined,
        expired: expiresAt !== undefined && expiresAt <= now,
      };
    }
    case 'confirm':
      return { kind: 'confirm', expiresAt, sentTo: present.sentTo };
    case 'details':
      return {
        kind: 'details',
        expiresAt,
        rows: present.rows.filter(({ name }) => !barcode || name !== placesRow),
        calendarUrl: isFarAway(expiresAt, now) ? withQuery(pathOf(token, '/deadline.ics'), { lang }) : undefined,
        voucher: barcode && {
          barcode,
          places: present.rows.find(({ name }) => name === placesRow)?.value,
          url: withQuery(pathOf(token, '/ticket.pdf'), { lang }),
        },
      };
    case 'message':
      return { kind: 'message', expiresAt, channel: present.channel, to: receiverOf(present.channel, payment.payer) };
    case 'crypto': {
      const { address, network, currency, amount, memo } = present;
      return { kind: 'crypto', expiresAt, address, network, currency, amount, memo, code: codeOf(address) };
    }
    case 'code':
      return codeStep(present, pathOf(token, '/code'));
  }
}

/** The step in which the payer enters a one-time code that is submitted to `codeUrl`. */
export function codeStep(present: Presentation & { kind: 'code' }, codeUrl: string): StepOf<'code'> {
  const { sentTo, wrong = false, expiresAt } = present;
  return { kind: 'code', expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt), sentTo, wrong, codeUrl };
}

function receiverOf(channel: 'email' | 'sms', { email = '', phone = '' }: PartyDetails): string {
  return channel === 'email' ? maskEmail(email) : maskPhone(phone);
}

/** The payload of a presentation's code; undefined if no code is drawn. */
export function payloadOf(present: Presentation): string | undefined {
  if (present.kind === 'app') return fitsCode(present.url) ? present.url : undefined;
  if (present.kind === 'qr') return present.payload;
  return present.kind === 'crypto' ? present.address : undefined;
}

/** The codes that were drawn last, each of 100 KB at most: drawing one takes tens of milliseconds, and pages are opened repeatedly. */
const drawn = rememberLast<CodeImage>(100);

const codeOf = (payload: string): CodeImage => drawn(payload, () => qrImage(payload));
