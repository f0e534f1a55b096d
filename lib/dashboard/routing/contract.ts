/** Routing rules as they travel to the browser: amounts in minor units as text, times in ISO 8601. */
import type { MappingProtocol } from '../../core/mapping-options';

/** What a payment has to be for a rule to hold; an absent member holds for every payment. */
export type RuleConditions = {
  currencies?: string[];
  methods?: string[];
  brands?: string[];
  /** Digits that a card's number begins with. */
  bins?: string[];
  /** ISO 3166-1 alpha-2. */
  binCountries?: string[];
  /** In the smallest unit of the payment's currency, both ends included. */
  amountFrom?: string;
  amountTo?: string;
};

export type RuleTarget = { midId: string; weight: number };

/** A rule. The id stays with it from one publication to the next. */
export type RoutingRule = {
  id: string;
  name: string;
  enabled: boolean;
  conditions: RuleConditions;
  targets: RuleTarget[];
};

/** A MID as rules name it; in the order in which MIDs are taken without a rule. */
export type RoutingMid = { id: string; name: string; enabled: boolean; methods: string[]; currencies: string[] };

/** A payment that another MID would get. Null is no MID at all. */
export type MovedPayment = {
  id: string;
  orderNumber: string;
  amount: string;
  currency: string;
  from: string | null;
  to: string | null;
};

/** What a dry run found: the published rules (`now`) and the draft, asked the same of every payment. */
export type DryRun = {
  at: string;
  payments: number;
  /** The oldest and the newest of them; null without any. */
  from: string | null;
  to: string | null;
  /** There were more in the period than are looked at. */
  cut: boolean;
  moved: number;
  /** Payments for which the rules leave no MID. */
  without: { now: number; draft: number };
  /** Payments that a rule on more than six digits of the card could not be asked about. */
  undecided: number;
  /** The share that is approved, 0 to 1, by what each MID approved of its payments; null where too few tell. */
  approval: { now: number; draft: number } | null;
  mids: { id: string; name: string; now: number; draft: number }[];
  /** Payments that each rule of the draft decided; those of no rule are under ''. */
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
  /** The version of the draft that was run dry. */
  dryRunOf: number | null;
};

/** A set of rules that was published, by whom and when; null where nobody remembers. */
export type Publication = { version: number; at: string; by: string | null; rules: RoutingRule[] };

export type RoutingPage = {
  mappingId: string;
  merchant: { id: string; name: string };
  protocol: MappingProtocol;
  siblings: { id: string; protocol: MappingProtocol }[];
  version: number;
  rules: RoutingRule[];
  draft: RoutingDraft | null;
  /** MIDs that one attempt may go through; 1 is no cascade. */
  cascadeLimit: number;
  mids: RoutingMid[];
  /** Methods that a rule can name: those of the MIDs. */
  methods: { id: string; name: string }[];
  /** Earlier publications and the present one, newest first. */
  publications: Publication[];
  editable: boolean;
};

/** How many payments each published rule decided lately; those of no rule are under ''. */
export type RuleHits = { since: string; payments: number; cut: boolean; rules: Record<string, number> };
