/** Creates and checks identifiers. They are time-ordered so that index inserts stay local. */
import { v7 } from 'uuid';

/** A new UUID version 7: a payment, a transaction, a callback. */
export function newId(): string {
  return v7();
}

/** Whether a text is a UUID, in any letter case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
