import { expect, it } from 'vitest';
import { maskPresentation } from '../../core/masked-presentation.ts';
import { payment, transaction } from '../../core/payment.test-data.ts';
import type { Presentation } from '../../core/presentation.ts';
import { apmDetailFields } from './responses.ts';

const number = '2200000000000004';
const expiresAt = '2026-11-20T17:00:00Z';
const fieldsOf = (present: Presentation) =>
  apmDetailFields(payment({}), transaction({ status: 'waiting', providerData: { present } }), true);

it('masked payment data keeps its rows', () => {
  const rows = [
    { name: 'bank', value: 'Example Bank' },
    { name: 'card_number', value: number },
  ];
  expect(fieldsOf(maskPresentation({ kind: 'details', rows, expiresAt }))).toEqual({
    payment_data: { bank: 'Example Bank', card_number: '220000******0004' },
    expires_at: expiresAt,
  });
});
