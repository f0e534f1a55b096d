// Data of the pages of lists, sessions, tokens, recurring payments and schedules. Amounts are text in the currency's
// decimals, times are ISO texts in UTC and dates `YYYY-MM-DD`.
import type { Answer } from '../guard.ts';
import type { chainPage } from '../recurring/chains.ts';
import type { changeEffect, schedulePage, scheduleRow, subscriptionRow } from '../recurring/schedules.ts';
import type { sessionPage } from '../sessions/sessions.ts';
import type { tokenPage } from '../tokens/tokens.ts';
import type { toRow as unresolvedRow } from '../unresolved/list.ts';
import type { activitiesOf, paymentLine } from './rows.ts';

export type * from './description.ts';

/** How it was paid: `Visa` with the last four digits, or a method's name. */
export type MethodLabel = { name: string; last4: string | null };

/** A payment as one line of another object's page. */
export type PaymentLine = Answer<typeof paymentLine>;

/** A user's action on an object. */
export type Activity = Answer<typeof activitiesOf>[number];

export type SessionPage = Answer<typeof sessionPage>;
export type SessionState = SessionPage['state'];
export type AttemptLine = SessionPage['tries'][number];

export type UnresolvedRow = Answer<typeof unresolvedRow>;

export type TokenPage = Answer<typeof tokenPage>;
export type TokenState = TokenPage['state'];

export type ChainPage = Answer<typeof chainPage>;
export type ChainState = ChainPage['state'];

export type SchedulePage = Answer<typeof schedulePage>;
export type ScheduleRow = Answer<typeof scheduleRow>;
export type ScheduleState = ScheduleRow['state'];
export type SubscriptionRow = Answer<typeof subscriptionRow>;

/** The schedule as a form shows it: texts under the contract's names. */
export type PlanFields = SchedulePage['plan'];

/** The number of charge dates missed while the service was down. */
export type MissedCharges = NonNullable<SchedulePage['missed']>;

/** What a change of the schedule would charge: the subscriptions with the next charges. */
export type ChangeEffect = Answer<typeof changeEffect>;

/** The next charges of one subscription, or of one that would start on a day. */
export type Preview = SchedulePage['preview'];
