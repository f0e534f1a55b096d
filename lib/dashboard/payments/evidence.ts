/** The evidence of a payment: what is known about it in one PDF file, for a response to a dispute. */
import type { Payment, Transaction } from '../../core/payment.ts';
import { drawPdf, type HttpResult, httpResult, type Pdf, pdfBusySeconds } from '../../http/index.ts';
import type { Mid } from '../../merchants/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import { scrubText } from '../../telemetry/index.ts';
import { logAction } from '../changes.ts';
import { existing, tooMany } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { moneyText, stateLabel } from '../labels.ts';
import { type FactGroup, factGroups, type NamedFact } from '../lists/rows.ts';
import { factsOf, hasEvidence, moneyLine, readRecords, subjectOf } from './payment.ts';
import { timelineOf } from './timeline.ts';
import {
  agreementEvents,
  type EventKind,
  messageEvents,
  type PaymentHistory,
  type TimelineEvent,
} from './timeline-events.ts';

type EvidenceRecords = PaymentHistory & { merchant: { name: string }; latest: Transaction | null; mid: Mid | null };

/** The evidence of a payment as a file, for users who can see the payment. */
export async function evidenceFile(request: DashboardRequest): Promise<HttpResult> {
  const { params, viewer, now } = request;
  const records = await readRecords(params.id ?? '', viewer);
  const payment = existing(hasEvidence(records.payment) ? records.payment : null);
  const pdf = await evidencePdf(records, now);
  if (!pdf) throw tooMany(pdfBusySeconds);
  await logAction(request, 'payment.evidence', subjectOf(payment.id));
  return httpResult(new Uint8Array(pdf), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName(payment)}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

const nameMax = 80;

function fileName({ orderNumber, id }: Pick<Payment, 'orderNumber' | 'id'>): string {
  const safe = orderNumber.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
  return `evidence-${safe.slice(0, nameMax) || id}.pdf`;
}

const lack = '[…]';
const lackNote = `${lack} replaces letters that the typeface of this document lacks. The attached file evidence.txt has every text in full.`;

/**
 * The evidence as a PDF of A4 pages, in English; null if too many documents wait. Texts of other scripts are attached in
 * full.
 */
export function evidencePdf(records: EvidenceRecords, now: Date): Promise<Buffer | null> {
  const title = `Evidence: order ${records.payment.orderNumber}`;
  return drawPdf({ title, lang: 'en', lack }, (pdf) => writeEvidence(pdf, title, records, now));
}

/** The most rows of a section on the pages, which take the process two milliseconds each. */
const rowsMax = 50;

async function writeEvidence(pdf: Pdf, title: string, records: EvidenceRecords, now: Date): Promise<void> {
  const { merchant } = records;
  const sections = sectionsOf(records, now);
  pdf.write(merchant.name, { size: 12, isQuiet: true });
  pdf.write(title, { size: 22, after: 4 });
  pdf.write(`Created ${utc(now)}`, { size: 10, isQuiet: true, after: 8 });
  const text = [merchant.name, title, ...sections.flatMap(linesOf)].join('\n');
  const hasEveryLetter = pdf.hasEveryLetter(text);
  if (!hasEveryLetter) pdf.write(lackNote, { size: 12, after: 8 });
  if (!hasEveryLetter || sections.some(({ facts }) => facts.length > rowsMax))
    pdf.doc.file(Buffer.from(text), { name: 'evidence.txt', type: 'text/plain' });
  for (const { title: heading, facts } of sections) {
    pdf.keepTogether(110);
    pdf.write(heading, { size: 16, before: 12, after: 6 });
    const left = facts.length - rowsMax;
    if (left > 0)
      pdf.write(`The last ${rowsMax}; ${left} earlier ones are in the attached file evidence.txt.`, {
        size: 12,
        after: 8,
      });
    await pdf.drawRows(facts.slice(-rowsMax));
  }
}

const linesOf = ({ title, facts }: FactGroup): string[] => [
  '',
  title,
  ...facts.map(({ name, value }) => `${name}: ${value}`),
];

/** What the evidence says, without empty sections. */
function sectionsOf(records: EvidenceRecords, now: Date): FactGroup[] {
  const { payment, merchant, latest, mid, agreements, messages } = records;
  const { Payer, Card, References } = factsOf(payment, latest, mid, merchant.name, null);
  const receipts = messages.filter(({ isReceipt }) => isReceipt);
  const noRights = { mayResend: false, readsAnswers: false };
  const history = timelineOf(records, noRights, now).filter(({ kind }) => historyKinds.has(kind));
  return factGroups({
    Payment: paymentFacts(payment, merchant.name, latest),
    Payer,
    Card,
    '3-D Secure': threeDSFacts(latest?.providerData.threeDS ?? {}),
    References,
    'What the payer agreed to': agreementEvents(agreements).map(agreementFact),
    'Receipt by email': messageEvents(receipts).map(eventFact),
    History: history.map(eventFact),
  });
}

const historyKinds: ReadonlySet<EventKind> = new Set<EventKind>(['payer', '3ds', 'provider', 'state']);

/** The amounts of the payment, without those that can still be moved. */
function paymentFacts(payment: Payment, merchantName: string, latest: Transaction | null): NamedFact[] {
  const { orderNumber, description, amountMinor, currency, state, createdAt, settledAt } = payment;
  const sums = moneyLine(payment).filter(({ sign }) => sign !== '=');
  return [
    ['Merchant', merchantName],
    ['Order', orderNumber],
    ['Description', scrubText(description)],
    ['Amount', moneyText(amountMinor, currency)],
    ['Status', `${stateLabel(state)} (${checkoutStatus[state]})`],
    ['Created', utc(createdAt)],
    ['Settled', settledAt && utc(settledAt)],
    ...sums.map(({ name, amount }): NamedFact => [name, `${amount} ${currency}`]),
    ["Descriptor on the payer's statement", latest?.providerData.descriptor],
  ];
}

function threeDSFacts(threeDS: Record<string, string | undefined>): NamedFact[] {
  return [
    ['Result (transStatus)', threeDS.transStatus],
    ['Version', threeDS.protocolVersion],
    ['ECI', threeDS.eci],
    ['Flow', threeDS.authenticationFlow],
    ['3DS Server transaction', threeDS.threeDSServerTransID],
    ['Directory server transaction', threeDS.dsTransID],
    ['ACS transaction', threeDS.acsTransID],
    ['XID', threeDS.xid],
  ];
}

function agreementFact({ at, title, detail, facts = [] }: TimelineEvent): NamedFact {
  return [[utc(at), title, ...facts.map(factText)].join(', '), detail];
}

function eventFact({ at, who, title, detail, tag, facts = [] }: TimelineEvent): NamedFact {
  const text = [title.replace(' → ', ' to '), detail, tag?.text, ...facts.map(factText)].filter(Boolean).join('; ');
  return [[utc(at), who].filter(Boolean).join(', '), text];
}

const factText = ({ name, value, time }: { name: string; value: string; time?: boolean }) =>
  `${name} ${time ? utc(value) : value}`;

/** `2026-11-20 12:51:08 UTC`. */
const utc = (at: Date | string) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
