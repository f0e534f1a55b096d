// Generates the tables of errors and declines.
import type { DeclineClass } from '../core/declines';
import { errorConditions } from '../core/error-conditions';
import { type ErrorKey, errors, fieldErrorTexts } from '../core/errors';
import { expiryDecline, liveCardDecline, type SandboxDecline, sandboxCards } from '../core/sandbox-cards';
import { checks } from '../protocols';
import { errorAnchor } from './error-anchor';
import { tableOf } from './markdown-table';
import { remedies } from './remedies';

const code = (text: string) => `\`${text}\``;

function errorTable(): string {
  const rows = Object.entries(errors) as [ErrorKey, (typeof errors)[ErrorKey]][];
  return tableOf(
    ['Code', 'HTTP', 'Message', 'Cause', 'Remedy'],
    rows.map(([key, { code: number, http, message }]) => {
      const anchor = errorAnchor(key);
      return [
        `<a id="${anchor}"></a>[${code(String(number))}](#${anchor})`,
        String(http),
        message,
        errorConditions[key],
        remedies[key],
      ];
    }),
  );
}

const checkTable = () =>
  tableOf(
    ['Order', 'What is checked', 'What is refused'],
    checks.map(({ name, refuses }, at) => [String(at + 1), name, refuses]),
  );

const fieldTexts: Record<keyof typeof fieldErrorTexts, string> = {
  blank: 'A required field is missing or empty.',
  positive: 'An amount must be positive.',
  notValid: 'The type, the format or the length is wrong.',
  notUrl: 'The value is not an http or https address, or the address cannot be reached where it must be.',
  notChoice: 'The value is not one of the allowed values.',
};

const fieldTextTable = () =>
  tableOf(
    ['Text', 'Cause'],
    Object.entries(fieldTexts).map(([key, condition]) => [
      fieldErrorTexts[key as keyof typeof fieldErrorTexts],
      condition,
    ]),
  );

const classes: Record<DeclineClass, [meaning: string, payer: string, action: string]> = {
  data: [
    'The number, the expiry date or the security code is wrong.',
    'The card details do not match',
    'Let the payer correct the card details and try again.',
  ],
  funds: [
    'Insufficient funds, or a limit of the card is exceeded.',
    'Not enough money on this card',
    'Offer another card or method, or try again later.',
  ],
  bank: [
    'The issuer declined, or the reason must not be disclosed (a stolen or blocked card).',
    'Your bank declined this payment',
    'Offer another card or method. Do not repeat the payment with the same card.',
  ],
  technical: [
    'The issuer or the provider is unavailable.',
    'The bank could not be reached',
    'Try again after a minute. The card itself was not declined.',
  ],
  unconfirmed: [
    'The payer was not authenticated with 3-D Secure.',
    'Your bank could not confirm that it is you',
    'Let the payer try again and complete the authentication.',
  ],
};

const classTable = () =>
  tableOf(
    ['Class', 'Cause', 'Heading of the payment page', 'Action'],
    Object.entries(classes).map(([name, cells]) => [code(name), ...cells]),
  );

/** Declines that Florin reports without a decline of the provider. */
export const ownDeclines: readonly SandboxDecline[] = [
  { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false },
  { code: 'not_prepared', reason: 'The provider did not prepare the payment', class: 'technical', soft: true },
  { code: 'not_received', reason: 'The provider did not receive the request', class: 'technical', soft: true },
  { code: 'sandbox_card', reason: 'Declined by processing', class: 'bank', soft: false },
];

function sandboxDeclines(): SandboxDecline[] {
  const all = sandboxCards.flatMap(({ decline, follow }) => [decline, ...Object.values(follow ?? {})]);
  const declines = [...all, liveCardDecline, expiryDecline].filter(
    (each): each is SandboxDecline => each !== undefined,
  );
  return [...new Map(declines.map((each) => [each.reason, each])).values()];
}

const declineTable = (declines: readonly SandboxDecline[]) =>
  tableOf(
    ['Reason', 'Class', 'Code', 'Soft'],
    declines.map(({ reason, class: group, code: name, soft }) => [
      reason,
      code(group),
      code(name),
      soft ? 'yes' : 'no',
    ]),
  );

/** By the names that templates use. */
export const errorTables: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  checks: checkTable,
  'field-texts': fieldTextTable,
  'decline-classes': classTable,
  'decline-reasons': () => declineTable(ownDeclines),
  'sandbox-declines': () => declineTable(sandboxDeclines()),
};
