/** Rows that the object pages share: a payment as one line, a payment method, an action. */

import { findAuditRecords, may, type Viewer } from '../../auth/index.ts';
import { brandById } from '../../core/cards.ts';
import { formatAmount } from '../../core/money.ts';
import type { CardView, Payment } from '../../core/payment.ts';
import { pick } from '../../core/pick.ts';
import { type State, states } from '../../core/states.ts';
import { fetchPage, newSqlBuilder, type SqlBuilder } from '../../db/index.ts';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments/index.ts';
import { checkoutStatus, fullName } from '../../protocols/index.ts';
import { membersOf } from '../audit/labels.ts';
import { stateLabel } from '../labels.ts';
import { encodeCursor, readCursors, readPage } from './query.ts';
import type { Filter } from './resource.ts';

/** The payment's status, in the contract's words; `offered` are the states of the list's payments. */
export function statusFilter(offered: readonly State[]): Filter {
  const options = offered.map((state) => ({ value: checkoutStatus[state], label: stateLabel(state) }));
  const read = (query: URLSearchParams) => {
    const named = new Set((query.get('state') ?? '').split(','));
    return states.filter((state: State) => named.has(checkoutStatus[state]));
  };
  const sql: Filter['sql'] = (values, add) => `p.state = any(${add(values)}::"PaymentState"[])`;
  return { name: 'state', label: 'Status', kind: 'choices', options, read, sql };
}

/** A payment on another object's page. */
export function paymentLine(payment: Payment) {
  return {
    ...pick(payment, 'id', 'currency', 'orderNumber', 'createdAt'),
    amount: formatAmount(payment.amountMinor, payment.currency),
    status: checkoutStatus[payment.state],
    reason: payment.state === 'declined' ? payment.reason : null,
  };
}

/** The payer, if known. */
export function payerName({ payer, card }: Payment): string | null {
  return payer.email || fullName(payer) || card?.holder || null;
}

/** A card as a list shows it. */
export function cardLabel(card: CardView | null) {
  return card && { name: brandById(card.brand)?.name ?? 'Card', last4: card.last4 };
}

/** The beginning and end of a merchant's secret identifier: `a41f…09bc`. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

/** A token as this user may see it: complete for users who may use it, null otherwise. */
export function visibleToken(viewer: Viewer, token: string): string | null {
  return may(viewer.role, 'tokens.remove') ? token : null;
}

export type Fact = {
  name: string;
  value: string;
  /** Identifiers use the mono font and can be copied. */
  code?: boolean;
  mail?: boolean;
  quiet?: boolean;
  /** The value is an ISO text, shown in the user's time zone. */
  time?: boolean;
  href?: string;
};

export type FactGroup = { title: string; facts: Fact[] };

export type NamedFact = [name: string, value: string | null | undefined, more?: Pick<Fact, 'code' | 'mail' | 'href'>];

/** Facts under their titles, without empty facts and groups. */
export function factGroups(groups: Record<string, NamedFact[]>): FactGroup[] {
  return Object.entries(groups).flatMap(([title, named]) => {
    const facts = named.flatMap(([name, value, more]) => (value ? [{ name, value, ...more }] : []));
    return facts.length > 0 ? [{ title, facts }] : [];
  });
}

const activitiesMost = 100;

/** The latest actions of users on a subject, newest first, as `sentences` by action. */
export async function activitiesOf(subject: string, sentences: Record<string, string>) {
  const done = await findAuditRecords([subject], { most: activitiesMost });
  return done
    .map(({ at, action, actorName, after }) => {
      const { detail } = membersOf(after);
      return {
        at,
        what: sentences[action] ?? action,
        who: actorName,
        detail: typeof detail === 'string' ? detail : null,
      };
    })
    .reverse();
}

const usual = 'payments p left join cards k on k.id = p.card_id';

/** The payments `p` of `from` that the conditions find, newest first. */
export async function paymentLines(query: URLSearchParams, confine: (builder: SqlBuilder) => void, from = usual) {
  const page = await readPage(
    readCursors(query),
    async (wanted) => {
      const builder = newSqlBuilder();
      confine(builder);
      const list = { columns: paymentColumns, from, at: 'p.created_at', id: 'p.id' };
      const { rows, more } = await fetchPage<PaymentRow>(list, builder, wanted);
      return { rows: rows.map(toPayment), more };
    },
    encodeCursor,
  );
  return { ...page, rows: page.rows.map(paymentLine) };
}
