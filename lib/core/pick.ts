/** An object with the named members of another. */
export const pick = <From extends object, Name extends keyof From>(from: From, ...names: Name[]): Pick<From, Name> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
