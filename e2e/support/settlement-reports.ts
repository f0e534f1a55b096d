// Settlement reports of the provider contract, as the dashboard uploads them, and the decisions about their differences.
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Visitor } from './dashboard.ts';
import { sql } from './database-rows.ts';
import type { Body } from './merchant.ts';

export const reportHeader = 'reference,provider_reference,type,gross,fee,net,currency,date,batch,arn,rrn';

/** Today in UTC, `YYYY-MM-DD`. */
export const today = () => new Date().toISOString().slice(0, 10);

/** A line from its first columns (`reference,,sale,1.00`), in EUR and of today. */
const lineOf = (first: string) => {
  const cells = [...first.split(','), '', '', '', '', '', '', ''].slice(0, 11);
  return cells.map((cell, at) => (at === 6 ? cell || 'EUR' : at === 7 ? cell || today() : cell)).join(',');
};

/** The text of a report with these lines; no two are the same file. */
export const reportText = (lines: string[]) =>
  [reportHeader, ...lines.map(lineOf), lineOf(`${randomUUID()},,fee,0.00`), ''].join('\n');

/** The body of an upload. */
export function reportBody(midId: string, lines: string[], text = reportText(lines)) {
  return { midId, name: `report ${randomUUID().slice(0, 8)}.csv`, file: Buffer.from(text).toString('base64') };
}

/** The MID of the payment of an order. */
export async function midOf({ order }: { order: { number: string } }): Promise<string> {
  const [row] = await sql(
    'select t.mid_id from transactions t join payments p on p.id = t.payment_id where p.order_number = $1',
    [order.number],
  );
  return row.mid_id;
}

/** Uploads a report, and waits until a job has matched it; returns the answer with the report as it is then. */
export async function uploadBody(user: Visitor, body: object): Promise<Body> {
  const { status, body: answer } = await user.post('/reports', body);
  expect([status, answer]).toEqual([200, expect.anything()]);
  if (answer.report.state === 'refused') return answer;
  return { ...answer, report: await matchedReport(user, answer.report.id) };
}

/** The report once it is matched, and what it explains is closed. */
export async function matchedReport(user: Visitor, id: string): Promise<Body> {
  let report: Body;
  const state = async () => {
    report = (await user.get(`/reports/${id}`)).body;
    return report.state;
  };
  await expect.poll(state, { timeout: 30_000 }).toBe('matched');
  return report;
}

export const upload = (user: Visitor, midId: string, lines: string[]): Promise<Body> =>
  uploadBody(user, reportBody(midId, lines));

export const differencesOf = async (user: Visitor, subject: string): Promise<Body[]> =>
  (await user.get(`/differences?q=${subject}`)).body.rows;

/** Decides about a difference as it is shown. */
export const decide = (user: Visitor, name: string, row: Body, note = 'As agreed with the provider') =>
  user.post(`/differences/${row?.id}/${name}`, {
    ...(name !== 'approve' && name !== 'reject' && { note }),
    ...(name !== 'explain' && name !== 'reject' && { deltaMinor: row?.deltaMinor, currency: row?.currency }),
  });

/** The entries of the report's lines and differences with a reference, as texts. */
export const entriesOf = async (reference: string): Promise<string[]> =>
  (
    await sql(
      `select e.movement || ' ' || e.debit || ' < ' || e.credit || ' ' || e.amount_minor as line from ledger_entries e
        where e.transaction_id in (select id from settlement_lines where reference = $1
          union all select d.id from settlement_differences d join settlement_lines l on l.id = d.line_id where l.reference = $1)
        order by e.id`,
      [reference],
    )
  ).map(({ line }) => line);
