// Sample requests for empty lists, as shell scripts that sign. Key and password are placeholders for the reader's own.

import { env } from '../../config/index.ts';

const credentials = 'KEY=your-merchant-key PASSWORD=your-password';

/** A payment page; `extra` has further members of the request's JSON. */
function session(extra: string): string {
  const origin = env.baseUrl;
  return [
    credentials,
    'NUMBER=order-$(date +%s)',
    'HASH=$(printf %s $NUMBER 84.50 EUR "Two coffee cups" $PASSWORD | tr a-z A-Z \\',
    "  | openssl md5 -r | cut -c1-32 | tr -d '\\n' | openssl sha1 -r | cut -c1-40)",
    `curl -s ${origin}/api/v1/session -H 'Content-Type: application/json' -d @- <<END`,
    '{ "merchant_key": "$KEY", "operation": "purchase", "methods": ["card"],',
    '  "order": { "number": "$NUMBER", "amount": "84.50", "currency": "EUR",',
    '    "description": "Two coffee cups" },',
    ...(extra === '' ? [] : [`  ${extra},`]),
    `  "success_url": "${origin}/", "cancel_url": "${origin}/", "hash": "$HASH" }`,
    'END',
  ].join('\n');
}

function form(signed: string, fields: string[]): string {
  return [
    credentials,
    `HASH=$(printf %s "${signed}" | tr a-z A-Z | openssl md5 -r | cut -c1-32)`,
    `curl -s ${env.baseUrl}/s2s/card/post -d client_key=$KEY -d hash=$HASH \\`,
    ...fields.map((field, at) => `  -d ${field}${at < fields.length - 1 ? ' \\' : ''}`),
  ].join('\n');
}

/** Requests as shell commands, which an empty list shows so that its first row can be created. */
export const samples = {
  session: () => session(''),
  token: () => session('"req_token": true'),
  chain: () => session('"recurring_init": true'),
  payout: () =>
    form('$PASSWORD$(printf %s 4601546519 | rev)', [
      'action=CREDIT2CARD',
      'order_id=payout-$(date +%s)',
      'order_amount=40.00',
      'order_currency=EUR',
      '"order_description=Refund of a deposit"',
      'card_number=4601541833776519',
    ]),
  schedule: () =>
    form('$(printf %s "$PASSWORD" | rev)', [
      'action=CREATE_SCHEDULE',
      '"name=Club membership, monthly"',
      'interval_length=1',
      'interval_unit=month',
      'day_of_month=31',
      'payments_count=12',
    ]),
};
