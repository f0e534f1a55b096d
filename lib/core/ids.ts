/** The one place where identifiers are made. Time-ordered, so that indexes grow at their end. */
import { v7 } from 'uuid';

/** A new UUID of version 7: a payment, a transaction, a callback. */
export function newId(): string {
  return v7();
}

/** Whether a text has the shape of a UUID, in any letter case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
