// Which accounts can carry a payment and in which order: eligibility, rules, required card parameters, wallet offers, turnover limits.
// Owns routing_rules and routing_drafts.
// May import the rooms before it: core to schedules.

export {
  type Candidate,
  type Check,
  candidatesOf,
  chooseMids,
  type Eligibility,
  eligibleMids,
  type MidRequirements,
  missingParameterSets,
  orderCandidates,
  type RoutingChoice,
  requireCardParameters,
  routingLogOf,
  skippedSteps,
  withLaterKnown,
} from './candidates.ts';
export {
  discardDraft,
  findRouting,
  type NamedMid,
  namedMids,
  publishDraft,
  rebaseDraft,
  rulesToPublish,
  type SavedRule,
  type StoredDraft,
  type StoredRouting,
  saveDraft,
  saveDryRun,
} from './settings.ts';
export {
  exceededLimit,
  type LimitCheck,
  limitsOf,
  midsBelowLimits,
  midsWithinLimits,
  withExceeded,
  withLimitLock,
} from './turnover-limits.ts';
export {
  type AppleOffer,
  decryptableWallets,
  type GoogleOffer,
  type UsableWallet,
  type WalletOffer,
  walletKinds,
  walletOffers,
} from './wallet-offers.ts';
