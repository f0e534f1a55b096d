/** The choices of the payment list's filters, with the user's labels. */

import { findMethod } from '../../methods/catalog';
import type { PaymentChoices } from '../contract';
import { findFilterChoices } from './filter-choices';

const wallets = [
  { id: 'applepay', name: 'Apple Pay' },
  { id: 'googlepay', name: 'Google Pay' },
];

/** The choices among the payments of `scope`, or of every merchant. */
export async function paymentChoices(scope: string | null): Promise<PaymentChoices> {
  const { merchants, methods, ...more } = await findFilterChoices(scope);
  const named = methods.map((id) => ({ id, name: id === 'card' ? 'Card' : (findMethod(id)?.name ?? id) }));
  const others = wallets.filter(({ id }) => !methods.includes(id));
  return { ...more, merchants: scope === null ? merchants : [], methods: [...named, ...others] };
}
