/** The value of this name that all bundles of the process share: Next bundles some modules a second time. */
export function processWide<Value extends object>(name: string, make: () => Value): Value {
  const holder = globalThis as { [key: symbol]: Value | undefined };
  const key = Symbol.for(`florin.${name}`);
  holder[key] ??= make();
  return holder[key];
}
