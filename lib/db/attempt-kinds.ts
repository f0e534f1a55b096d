/** The kinds of attempts to pay as SQL, from the one list of them. */
import { attemptKinds, type Kind } from '../core/payment';

/** A list for `kind in ...`, in parentheses. `without`: kinds that a statement leaves out on purpose. */
export function attemptKindsSql(...without: Kind[]): string {
  const kinds = attemptKinds.filter((kind) => !without.includes(kind));
  return `(${kinds.map((kind) => `'${kind}'`).join(', ')})`;
}
