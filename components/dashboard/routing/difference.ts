/**
 * Compares a draft with the published rules. Rules are matched by id, so that a renamed one is the same rule; rules
 * that only shifted are not listed as moved.
 */

import { hashKey } from '@tanstack/react-query';
import type { RoutingRule } from '../../../lib/dashboard/routing/contract.ts';
import type { FieldChange } from '../ui/changes.tsx';
import { conditionText, targetText } from './labels.ts';

export type RuleDifference = ReturnType<typeof difference>;
export type RuleChange = ReturnType<typeof changeOf>;

/** Compares two ordered sets of rules: the change of each by its id, and the number of changes. */
export function difference(before: readonly RoutingRule[], after: readonly RoutingRule[]) {
  const old = new Map(before.map((rule, place) => [rule.id, { rule, place }]));
  const stayed = longestInOrder(after.flatMap(({ id }) => old.get(id)?.place ?? []));
  const rules = new Map(
    after.map((rule) => {
      const known = old.get(rule.id);
      return [rule.id, changeOf(rule, known?.rule, known && !stayed.has(known.place) ? known.place + 1 : null)];
    }),
  );
  const removed = before.filter(({ id }) => !rules.has(id));
  const count = [...rules.values()].filter(isChange).length + removed.length;
  return { rules, removed, count };
}

/** The change of one rule; `movedFrom` is its previous place, from 1, or null if it was not moved. */
function changeOf(rule: RoutingRule, before: RoutingRule | undefined, movedFrom: number | null) {
  // jsonb does not keep the order of members; the hash does not depend on it.
  const differs = (part: 'name' | 'enabled' | 'conditions' | 'targets') =>
    before !== undefined && hashKey([before[part]]) !== hashKey([rule[part]]);
  return {
    ...{ isNew: before === undefined, movedFrom, before: before ?? null },
    ...{ name: differs('name'), enabled: differs('enabled') },
    ...{ conditions: differs('conditions'), targets: differs('targets') },
  };
}

/** Whether a rule has changed. */
export function isChange({ isNew, movedFrom, name, enabled, conditions, targets }: RuleChange): boolean {
  return isNew || movedFrom !== null || name || enabled || conditions || targets;
}

/** The longest run of rules that kept their order: the others were moved. */
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
  return new Set(best.reduce((matches, run) => (run.length > matches.length ? run : matches), []));
}

type Names = { mids: ReadonlyMap<string, string> };

/** The difference as text lines in the order of the draft; removed rules are last. */
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
  const removedRows = removed.map((rule) => ({
    field: `${rule.id}.rule`,
    label: rule.name,
    before: `${conditionText(rule)} → ${targetText(rule.targets, names)}`,
    after: 'removed',
  }));
  return [...lines, ...removedRows];
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
