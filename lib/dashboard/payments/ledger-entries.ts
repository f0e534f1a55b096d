/** The entries of a payment in the ledger: those of its transactions and of its unresolved items, in their order. */
import { merchantOf } from '../../auth/index.ts';
import { formatAmount } from '../../core/money.ts';
import { statement } from '../../db/index.ts';
import { findPayment } from '../../payments/index.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';

/** Accounts of the ledger as the dashboard names them. */
const accounts = {
  payer: 'Payer',
  authorised: 'Authorised',
  provider_receivable: 'Receivable from the provider',
  merchant_payable: 'Payable to the merchant',
  refunds_in_transit: 'Refunds in transit',
  payouts_in_transit: 'Payouts in transit',
  dispute_reserve: 'Dispute reserve',
  suspense: 'Suspense',
} as const;

const movements = {
  authorisation: 'Authorisation',
  release: 'Release of the authorisation',
  settlement: 'Settlement',
  reservation: 'Reservation',
  reservation_release: 'Release of the reservation',
  refund: 'Refund',
  payout: 'Payout',
  return: 'Return',
  chargeback: 'Chargeback',
  chargeback_won: 'Chargeback won',
  suspense: 'Suspense',
  suspense_release: 'Release of suspense',
} as const;

type Account = keyof typeof accounts;
type Entry = {
  id: bigint;
  movement: keyof typeof movements;
  debit: Account;
  credit: Account;
  minor: bigint;
  currency: string;
  postedAt: Date;
};

const columns = `e.id, e.movement::text, e.debit::text, e.credit::text, e.amount_minor as minor, e.currency,
  e.posted_at as "postedAt"`;

const entriesOf = statement<{ paymentId: string }, Entry>(
  'ledger-entries-of-payment',
  `select ${columns} from transactions t join ledger_entries e on e.transaction_id = t.id and e.unresolved_id is null
    where t.payment_id = :paymentId::uuid
   union all
   select ${columns} from unresolved u join ledger_entries e on e.unresolved_id = u.id
    where u.payment_id = :paymentId::uuid
    order by id limit 1000`,
);

/** The entries of a payment, oldest first. */
export async function ledgerEntries({ params, viewer }: PageContext) {
  const payment = existing(await findPayment(params.id ?? '', merchantOf(viewer) ?? undefined));
  const rows = await entriesOf({ paymentId: payment.id });
  return {
    entries: rows.map(({ id, movement, debit, credit, minor, currency, postedAt }) => ({
      id: String(id),
      movement: movements[movement],
      debit: accounts[debit],
      credit: accounts[credit],
      amount: formatAmount(minor, currency),
      currency,
      postedAt,
    })),
  };
}
