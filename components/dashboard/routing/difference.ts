/**
 * What a draft changes of the published rules. A rule is known by its id, so that a renamed one is the same rule; of
 * rules that only made room for others nobody says that they were moved.
 */

import type { RoutingRule } from '../../../lib/dashboard/routing/contract';
import type { FieldChange } from '../ui/changes';
import { conditionText, targetText } from './labels';

/** What became of one rule of the draft. */
export type RuleChange = {
  isNew: boolean;
  /** Its place before, from 1; null where it stayed among its neighbours. */
  movedFrom: number | null;
  /** What stood there before; null for a new rule. */
  before: RoutingRule | null;
  name: boolean;
  enabled: boolean;
  conditions: boolean;
  targets: boolean;
};

export type RuleDifference = {
  /** By the rule's id. */
  rules: Map<string, RuleChange>;
  removed: RoutingRule[];
  /** Rules that are new, gone, moved or changed. */
  count: number;
};

/** Compares two sets of rules in their orders. */
export function difference(before: readonly RoutingRule[], after: readonly RoutingRule[]): RuleDifference {
  const old = new Map(before.map((rule, place) => [rule.id, { rule, place }]));
  const stayed = longestInOrder(after.flatMap(({ id }) => old.get(id)?.place ?? []));
  const rules = new Map<string, RuleChange>();
  for (const rule of after) {
    const known = old.get(rule.id);
    rules.set(rule.id, {
      isNew: known === undefined,
      movedFrom: known && !stayed.has(known.place) ? known.place + 1 : null,
      before: known?.rule ?? null,
      name: known !== undefined && known.rule.name !== rule.name,
      enabled: known !== undefined && known.rule.enabled !== rule.enabled,
      conditions: known !== undefined && !same(known.rule.conditions, rule.conditions),
      targets: known !== undefined && !same(known.rule.targets, rule.targets),
    });
  }
  const removed = before.filter(({ id }) => !rules.has(id));
  const count = [...rules.values()].filter(isChange).length + removed.length;
  return { rules, removed, count };
}

/** Whether anything became of a rule. */
export function isChange({ isNew, movedFrom, name, enabled, conditions, targets }: RuleChange): boolean {
  return isNew || movedFrom !== null || name || enabled || conditions || targets;
}

// Members of an object come back from the database in an order of its own.
function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => `${name}:${canonical(member)}`)}}`;
}

/** The places of the longest run that kept its order: what is not among them was moved. */
function longestInOrder(places: readonly number[]): Set<number> {
  const best: number[][] = [];
  for (const [at, place] of places.entries()) {
    let longest: number[] = [];
    for (let earlier = 0; earlier < at; earlier++) {
      const run = best[earlier] ?? [];
      if ((places[earlier] as number) < place && run.length > longest.length) longest = run;
    }
    best.push([...longest, place]);
  }
  return new Set(best.reduce((found, run) => (run.length > found.length ? run : found), []));
}

type Names = { mids: ReadonlyMap<string, string> };

/** The difference as lines for people, in the order of the draft; what is gone stands at the end. */
export function changeLines(
  before: readonly RoutingRule[],
  after: readonly RoutingRule[],
  names: Names,
): FieldChange[] {
  const { rules, removed } = difference(before, after);
  const lines = after.flatMap((rule, place) => {
    const change = rules.get(rule.id);
    return change ? linesOf(rule, place, change, names) : [];
  });
  const gone = removed.map((rule) => ({
    field: `${rule.id}.rule`,
    label: rule.name,
    before: `${conditionText(rule)} → ${targetText(rule.targets, names)}`,
    after: 'removed',
  }));
  return [...lines, ...gone];
}

function linesOf(rule: RoutingRule, place: number, change: RuleChange, names: Names): FieldChange[] {
  const { before } = change;
  const line = (part: string, label: string, was: string, is: string): FieldChange => ({
    field: `${rule.id}.${part}`,
    label: label === '' ? rule.name : `${rule.name}, ${label}`,
    before: was,
    after: is,
  });
  if (!before) return [line('rule', '', '', `${conditionText(rule)} → ${targetText(rule.targets, names)}`)];
  const onOff = (on: boolean) => (on ? 'on' : 'off');
  return [
    ...(change.name ? [line('name', 'name', before.name, rule.name)] : []),
    ...(change.movedFrom === null ? [] : [line('place', 'place', `${change.movedFrom}`, `${place + 1}`)]),
    ...(change.enabled ? [line('enabled', '', onOff(before.enabled), onOff(rule.enabled))] : []),
    ...(change.conditions ? [line('conditions', 'conditions', conditionText(before), conditionText(rule))] : []),
    ...(change.targets
      ? [line('targets', 'targets', targetText(before.targets, names), targetText(rule.targets, names))]
      : []),
  ];
}
