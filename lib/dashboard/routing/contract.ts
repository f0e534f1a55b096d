/** Routing rules as JSON for the browser: amounts in minor units as text, times in ISO 8601. */
import type { MappingProtocol } from '../../core/mapping-options';

/** The conditions of a rule; an absent member applies to every payment. */
export type RuleConditions = {
  currencies?: string[];
  methods?: string[];
  brands?: string[];
  /** BINs: the first digits of a card number. */
  bins?: string[];
  /** ISO 3166-1 alpha-2. */
  binCountries?: string[];
  /** In minor units of the payment's currency, both bounds inclusive. */
  amountFrom?: string;
  amountTo?: string;
};

export type RuleTarget = { midId: string; weight: number };

/** A rule. Its id is stable across publications. */
export type RoutingRule = {
  id: string;
  name: string;
  enabled: boolean;
  conditions: RuleConditions;
  targets: RuleTarget[];
};

/** A MID as rules name it; in the order used without a rule. */
export type RoutingMid = { id: string; name: string; enabled: boolean; methods: string[]; currencies: string[] };

/** A payment that another MID would get. Null means no MID. */
export type MovedPayment = {
  id: string;
  orderNumber: string;
  amount: string;
  currency: string;
  from: string | null;
  to: string | null;
};

/** The result of a simulation: the published rules (`now`) and the draft, evaluated for every payment. */
export type DryRun = {
  at: string;
  payments: number;
  /** The oldest and the newest payment; null without any. */
  from: string | null;
  to: string | null;
  /** The period had more payments than were evaluated. */
  cut: boolean;
  moved: number;
  /** Payments for which the rules leave no MID. */
  without: { now: number; draft: number };
  /** Payments that could not be evaluated because a rule uses more than six digits of the card. */
  undecided: number;
  /** The approval rate, 0 to 1, from each MID's approvals; null with too few payments. */
  approval: { now: number; draft: number } | null;
  mids: { id: string; name: string; now: number; draft: number }[];
  /** Payments that each rule of the draft decided; payments without a rule are under ''. */
  rules: Record<string, number>;
  moves: MovedPayment[];
};

export type RoutingDraft = {
  version: number;
  basedOn: number;
  rules: RoutingRule[];
  updatedBy: string;
  updatedAt: string;
  dryRun: DryRun | null;
  /** The version of the simulated draft. */
  dryRunOf: number | null;
};

/** A published set of rules, with its author and time; null if unknown. */
export type Publication = { version: number; at: string; by: string | null; rules: RoutingRule[] };

export type RoutingPage = {
  mappingId: string;
  merchant: { id: string; name: string };
  protocol: MappingProtocol;
  siblings: { id: string; protocol: MappingProtocol }[];
  version: number;
  rules: RoutingRule[];
  draft: RoutingDraft | null;
  /** The maximum number of MIDs of one attempt; 1 disables failover. */
  cascadeLimit: number;
  mids: RoutingMid[];
  /** Methods that a rule can name: those of the MIDs. */
  methods: { id: string; name: string }[];
  /** Earlier publications and the current one, newest first. */
  publications: Publication[];
  editable: boolean;
};

/** Recent payments that each published rule decided; payments without a rule are under ''. */
export type RuleHits = { since: string; payments: number; cut: boolean; rules: Record<string, number> };
