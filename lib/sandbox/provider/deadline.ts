// The deadline of an order: a request that arrives later must not move money, because its sender has given up on it.
import { z } from 'zod';
import type { HttpResult } from '../../http';
import { refusal } from './wire';

/** Maximum clock skew of the sender that the contract allows. */
const toleranceSeconds = 5;

const shape = z.iso.datetime().nullable();

/** The deadline of a request, null for none; an HttpResult rejects an invalid one. */
export function deadlineOf(request: Request): Date | null | HttpResult {
  const read = shape.safeParse(request.headers.get('florin-deadline'));
  if (!read.success) return refusal(400, 'invalid_request', 'Not valid: the Florin-Deadline header');
  return read.data === null ? null : new Date(read.data);
}

/** The rejection of an order that arrives after its deadline; null before it. */
export function rejectLate(deadline: Date | null, at: Date): HttpResult | null {
  if (deadline === null || at.getTime() <= deadline.getTime() + toleranceSeconds * 1000) return null;
  return refusal(408, 'deadline_passed', 'The order arrived after its deadline; nothing was done');
}
