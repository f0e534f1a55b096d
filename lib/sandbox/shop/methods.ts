// Tries any method of the catalogue: the documentation's method page sends the session it shows, and the shop creates
// it as an order, so that the payer returns to a page with all messages.
import { z } from 'zod';
import { parseAmount } from '../../core/money';
import { openSession } from './checkout-requests';
import { createOrder, type Order } from './orders';

const text = z.string().max(1024);

const session = z
  .object({
    operation: z.enum(['purchase', 'debit', 'credit', 'transfer']),
    methods: z.array(z.string().regex(/^[\w-]{1,64}$/)).length(1),
    parameters: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    order: z.object({ amount: z.string().max(20), currency: z.string().max(6), description: text }),
    customer: z.record(z.string(), text).optional(),
    billing_address: z.record(z.string(), text).optional(),
    payee_first_name: text.optional(),
    payee_last_name: text.optional(),
  })
  .refine(({ order }) => parseAmount(order.amount, order.currency).ok);

/** The session in a form field as JSON; null if invalid. */
export function readSession(request: unknown): z.output<typeof session> | null {
  if (typeof request !== 'string') return null;
  try {
    return session.safeParse(JSON.parse(request)).data ?? null;
  } catch {
    return null;
  }
}

/** Creates the session for an order of the visitor; null if there are too many orders. */
export async function openMethod(
  visitor: string,
  origin: string,
  wanted: z.output<typeof session>,
): Promise<{ order: Order; opened: Awaited<ReturnType<typeof openSession>> } | null> {
  const { order: orderFields, ...more } = wanted;
  const order = await createOrder(visitor, { item: wanted.methods[0] ?? '', ...orderFields });
  return order && { order, opened: await openSession(order, origin, more) };
}
