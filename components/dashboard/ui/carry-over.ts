// Applies the user's changes to newer stored values, after another user changed the same object.

/** The `fresh` values with what `now` changed against `before`. Objects are compared member by member, lists whole. */
export function carryOver<Value>(before: Value, now: Value, fresh: Value): Value {
  if (!isObject(before) || !isObject(now) || !isObject(fresh)) {
    return JSON.stringify(before) === JSON.stringify(now) ? fresh : now;
  }
  const names = new Set([...Object.keys(fresh), ...Object.keys(now)]);
  const members = [...names].map((name) => [name, carryOver(before[name], now[name], fresh[name])]);
  return Object.fromEntries(members) as Value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
