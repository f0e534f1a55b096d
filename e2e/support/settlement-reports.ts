// Settlement reports of the provider contract, as the dashboard uploads them.
import { randomUUID } from 'node:crypto';

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
