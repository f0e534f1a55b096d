// Charges of subscriptions, what the payer agrees to before them, and the preview of what a change of a plan will charge.
// Owns no tables: it moves slots (schedules) and creates payments (payments).
// May import the rooms before it: core to payments.

export * from './agreement.ts';
export * from './charge.ts';
export * from './subscription-list.ts';
