// The merchant's side of the S2S APM signatures, written from the contract alone (protocol.md 1). A password outside of
// the uppercased part is used as it is.
import { createHash } from 'node:crypto';
import type { Credentials } from './merchants.ts';

/** The values in the signature forms; absent ones are omitted. */
export type ApmValues = {
  identifier?: string;
  orderId?: string;
  amount?: string;
  currency?: string;
  transId?: string;
  status?: string;
  email?: string;
};

export type ApmForm = 'sale' | 'creditVoid' | 'follow' | 'credit' | 'creditCallback' | 'cryptoCallback';

/** The hash by one of the forms for requests and callbacks. */
export function signApm(form: ApmForm, values: ApmValues, by: Credentials): string {
  const { identifier = '', orderId = '', amount = '', currency = '', transId = '', status = '', email = '' } = values;
  const forms: Record<ApmForm, [inside: Buffer, behind: string]> = {
    sale: [reversed(identifier + orderId + amount + currency + by.password), ''],
    creditVoid: [reversed(transId + by.password), ''],
    follow: [reversed(transId), by.password],
    credit: [reversed(orderId + amount + currency), by.password],
    creditCallback: [reversed(transId + orderId + status), by.password],
    cryptoCallback: [Buffer.concat([reversed(email), Buffer.from(by.password + transId)]), ''],
  };
  const [inside, behind] = forms[form];
  return digest(Buffer.concat([upper(inside), Buffer.from(behind)]), by);
}

/** The hash of a callback in the general form: its fields as posted, nested fields under bracket names. */
export function signApmFields(fields: Record<string, string>, by: Credentials): string {
  const { hash: _dropped, ...signed } = fields;
  const tree: Level = new Map();
  for (const [name, value] of Object.entries(signed)) {
    const [first = '', ...others] = name.split('[');
    put(tree, [first, ...others.map((other) => other.replace(/\]$/, ''))], value);
  }
  return digest(upper(Buffer.concat([...leaves(tree), Buffer.from(by.password)])), by);
}

type Level = Map<string, string | Level>;

function put(level: Level, [name = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    level.set(name, value);
    return;
  }
  const inner = level.get(name);
  const next: Level = inner instanceof Map ? inner : new Map();
  level.set(name, next);
  put(next, rest, value);
}

function leaves(level: Level): Buffer[] {
  const names = [...level.keys()].sort((one, other) => {
    const numbers = [one, other].map(Number);
    if (numbers.every(Number.isInteger)) return (numbers[0] ?? 0) - (numbers[1] ?? 0);
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  });
  return names.flatMap((name) => {
    const value = level.get(name);
    return value instanceof Map ? leaves(value) : [reversed(value ?? '')];
  });
}

function reversed(text: string): Buffer {
  return Buffer.from(text).reverse();
}

/** Uppercases a to z only. In UTF-8 only ASCII letters are single bytes between a and z. */
function upper(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte)));
}

function digest(bytes: Buffer, by: Credentials): string {
  return createHash(by.digest).update(bytes).digest('hex');
}
