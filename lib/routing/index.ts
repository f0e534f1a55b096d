// Which accounts can carry a payment and in which order: eligibility, rules, required card parameters, wallet offers, turnover limits.
// Owns routing_rules and routing_drafts.
// May import the rooms before it: core to schedules.
export { type Candidate, type Check, type Eligibility, type MidRequirements, candidatesOf, eligibleMids, withLaterKnown } from './candidates';
export { missingParameterSets, requireCardParameters } from './card-parameter-sets';
export { type RoutingChoice, chooseMids, orderCandidates, routingLogOf, skippedSteps } from './rules';
export { type NamedMid, type SavedRule, type StoredDraft, type StoredRouting, discardDraft, findRouting, namedMids, publishDraft, rebaseDraft, rulesToPublish, saveDraft, saveDryRun } from './settings';
export { type LimitCheck, exceededLimit, limitsOf, midsBelowLimits, midsWithinLimits, withExceeded, withLimitLock } from './turnover-limits';
export { type AppleOffer, type GoogleOffer, type UsableWallet, type WalletOffer, decryptableWallets, walletKinds, walletOffers } from './wallet-offers';
