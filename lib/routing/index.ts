// Which accounts can carry a payment and in which order: eligibility, rules, required card parameters, wallet offers, turnover limits.
// Owns routing_rules and routing_drafts.
// May import the rooms before it: core to schedules.

export * from './candidates.ts';
export * from './settings.ts';
export * from './turnover-limits.ts';
export * from './wallet-offers.ts';
