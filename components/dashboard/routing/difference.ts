/**
 * Compares a draft with the published rules. Rules are matched by id, so that a renamed one is the same rule; rules
 * that only shifted are not listed as moved.
 */

import { hashKey } from '@tanstack/react-query';
import type { RoutingRule } from '../../../lib/dashboard/routing/contract.ts';
import type { FieldChange } from '../ui/changes.tsx';
import { conditionText, type MidNames, targetText } from './labels.ts';

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

const parts = ['name', 'place', 'enabled', 'conditions', 'targets'] as const;

/** The change of one rule; `movedFrom` is its previous place, from 1, or null if it was not moved. */
function changeOf(rule: RoutingRule, before: RoutingRule | undefined, movedFrom: number | null) {
  const changed = parts.filter((part) => {
    if (part === 'place') return movedFrom !== null;
    // jsonb does not keep the order of members; the hash does not depend on it.
    return before && hashKey([before[part]]) !== hashKey([rule[part]]);
  });
  return { isNew: before === undefined, movedFrom, before: before ?? null, changed };
}

const isChange = ({ isNew, changed }: RuleChange) => isNew || changed.length > 0;

/** The longest run of rules that kept their order: the others were moved. */
function longestInOrder(places: readonly number[]): Set<number> {
  const runs: number[][] = [];
  for (const place of places) runs.push([...longest(runs.filter((run) => (run.at(-1) ?? 0) < place)), place]);
  return new Set(longest(runs));
}

const longest = (runs: number[][]) => runs.reduce((most, run) => (run.length > most.length ? run : most), []);

/** The difference as text lines in the order of the draft; removed rules are last. */
export function changeLines(
  before: readonly RoutingRule[],
  after: readonly RoutingRule[],
  names: MidNames,
): FieldChange[] {
  const { rules, removed } = difference(before, after);
  const whole = (rule: RoutingRule) => `${conditionText(rule)} → ${targetText(rule.targets, names)}`;
  const texts = {
    name: ({ name }: RoutingRule) => name,
    enabled: ({ enabled }: RoutingRule) => (enabled ? 'on' : 'off'),
    conditions: conditionText,
    targets: ({ targets }: RoutingRule) => targetText(targets, names),
  };
  const lines = after.flatMap((rule, place) => {
    const change = rules.get(rule.id);
    const line = (part: string, was: string, is: string): FieldChange => ({
      field: `${rule.id}.${part}`,
      label: part === 'rule' || part === 'enabled' ? rule.name : `${rule.name}, ${part}`,
      before: was,
      after: is,
    });
    if (!change?.before) return [line('rule', '', whole(rule))];
    const { before: old, movedFrom, changed } = change;
    return changed.map((part) =>
      part === 'place' ? line(part, `${movedFrom}`, `${place + 1}`) : line(part, texts[part](old), texts[part](rule)),
    );
  });
  const gone = removed.map((rule) => {
    return { field: `${rule.id}.rule`, label: rule.name, before: whole(rule), after: 'removed' };
  });
  return [...lines, ...gone];
}
