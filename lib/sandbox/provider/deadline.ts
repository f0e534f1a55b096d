// The deadline of an order: the time after which its sender no longer counts on it being carried out, so that an order
// that was held up on its way moves no money that its sender has meanwhile moved otherwise.
import { z } from 'zod';
import { refusal } from './wire';

/** How far the sender's clock may be from this one; the most that the contract allows. */
const toleranceSeconds = 5;

const shape = z.iso.datetime().nullable();

/** The deadline that a request names, null for none; a Response is the refusal of one that is no time. */
export function deadlineOf(request: Request): Date | null | Response {
  const read = shape.safeParse(request.headers.get('florin-deadline'));
  if (!read.success) return refusal(400, 'invalid_request', 'Not valid: the Florin-Deadline header');
  return read.data === null ? null : new Date(read.data);
}

/** The refusal of an order that arrives `at` this time; null while its deadline has not passed. */
export function rejectLate(deadline: Date | null, at: Date): Response | null {
  if (deadline === null || at.getTime() <= deadline.getTime() + toleranceSeconds * 1000) return null;
  return refusal(408, 'deadline_passed', 'The order arrived after its deadline; nothing was done');
}
