// The list of payments in the dashboard API.
import { randomUUID } from 'node:crypto';
import type { Visitor } from './dashboard.ts';
import { expect } from './test.ts';

/** A payer that no other test uses. */
export const newCustomer = () => ({ name: 'Lena Hoffmann', email: `lena-${randomUUID()}@example.com` });

export type Row = { id: string; status: string; version: number; orderNumber: string; midName: string | null };

export async function listed(user: Visitor, query: Record<string, string>): Promise<Row[]> {
  const { status, body } = await user.get(`/payments?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.rows;
}
