// Method names for the overview. Server only, because the catalogue is large.
import { findMethod } from '../../../lib/methods/catalog';
import { walletNames } from '../wallets/labels';

/** The names of the overview's methods; an unknown identifier is shown as it is. */
export function methodNames(ids: Iterable<string>): Record<string, string> {
  return Object.fromEntries([...new Set(ids)].map((id) => [id, nameOf(id)]));
}

function nameOf(id: string): string {
  if (id === 'card') return 'Card';
  if (id === 'other') return 'Other';
  return (walletNames as Record<string, string>)[id] ?? findMethod(id)?.name ?? id;
}
