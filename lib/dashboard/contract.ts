// Data of the dashboard's pages, the same for server rendering and JSON. Amounts are text in the currency's decimals
// and times are ISO texts in UTC, so pages compute nothing. Contracts are for pages: the server's own types stand with
// the functions that give the data, and nothing of the server imports a contract.
import type { Answer } from './guard.ts';
import type { ListOf } from './lists/description.ts';
import type { ledgerEntries } from './payments/ledger-entries.ts';
import type { nightlyExportPage } from './payments/nightly-exports.ts';
import type { paymentPage } from './payments/payment.ts';
import type { paymentCount, paymentRow } from './payments/payments.ts';
import type { viewsOf } from './payments/views.ts';

export type { ProofWay, Right } from '../auth/index.ts';
export type { Conflict, Failure } from './errors.ts';
export type { Fact, FactGroup } from './lists/rows.ts';
export type { Actions } from './payments/allowed-actions.ts';
export type { CallbackAttempt, EventKind, TimelineEvent } from './payments/timeline-events.ts';

/** The signed-in user as the pages show it. */
export type SignedInUser = { name: string; email: string; roleName: string; merchantName: string | null };

/** One row of the list. `status` is one of the contract's ten words. */
export type PaymentRow = Answer<typeof paymentRow>;
export type PaymentList = ListOf<PaymentRow>;

/** The number of payments that a filter finds; `more` if the count stopped early. */
export type PaymentCount = Answer<typeof paymentCount>;

/** A saved view: a list's filters and columns under a name; empty columns mean the default. */
export type SavedView = Answer<typeof viewsOf>['views'][number];

/** The entries of a payment in the ledger. */
export type LedgerEntries = Answer<typeof ledgerEntries>;

/** A day of a view that is exported each night. */
export type NightlyExportPage = Answer<typeof nightlyExportPage>;

export type PaymentPage = Answer<typeof paymentPage>;
