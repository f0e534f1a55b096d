// Names of methods for the overview. On the server only: the catalogue is large.
import { findMethod } from '../../../lib/methods/catalog';
import { walletNames } from '../wallets/labels';

/** What the methods of an overview are called; an identifier that nobody knows stands for itself. */
export function methodNames(ids: Iterable<string>): Record<string, string> {
  return Object.fromEntries([...new Set(ids)].map((id) => [id, nameOf(id)]));
}

function nameOf(id: string): string {
  if (id === 'card') return 'Card';
  if (id === 'other') return 'Other';
  return (walletNames as Record<string, string>)[id] ?? findMethod(id)?.name ?? id;
}
