/** Routing rules as JSON for the browser: amounts in minor units as text, times in ISO 8601. */
import type { SavedRule } from '../../routing/index.ts';
import type { Answer } from '../guard.ts';
import type { routingPage, ruleHits } from './routing.ts';

export type RoutingPage = Answer<typeof routingPage>;

/** A rule. Its id is stable across publications. */
export type RoutingRule = SavedRule;

/** The conditions of a rule; an absent member applies to every payment. */
export type RuleConditions = RoutingRule['conditions'];

export type RuleTarget = RoutingRule['targets'][number];

/** The result of a simulation: the published rules (`now`) and the draft, evaluated for every payment. */
export type DryRun = NonNullable<NonNullable<RoutingPage['draft']>['dryRun']>;

/** A published set of rules, with its author and time; null if unknown. */
export type Publication = RoutingPage['publications'][number];

/** Recent payments that each published rule decided; payments without a rule are under ''. */
export type RuleHits = Answer<typeof ruleHits>;
