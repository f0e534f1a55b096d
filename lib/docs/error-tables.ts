// Generates the tables of errors and declines.
import { declineClasses } from '../core/declines.ts';
import { errorConditions } from '../core/error-conditions.ts';
import { type ErrorKey, errors, fieldErrorTexts } from '../core/errors.ts';
import { expiryDecline, liveCardDecline, type SandboxDecline, sandboxCards } from '../core/sandbox-cards.ts';
import { translationsOf } from '../http/index.ts';
import { checks } from '../protocols/index.ts';
import { code, tableOf, textsOf } from './markdown-table.ts';
import { errorAnchor } from './reference.ts';

function errorTable(): string {
  const rows = Object.entries(errors) as [ErrorKey, (typeof errors)[ErrorKey]][];
  const remedies = textsOf('Remedies of errors', Object.keys(errors) as ErrorKey[]);
  return tableOf(
    ['Code', 'HTTP', 'Message', 'Cause', 'Remedy'],
    rows.map(([key, { code: number, http, message }]) => {
      const anchor = errorAnchor(key);
      const link = `<a id="${anchor}"></a>[${code(String(number))}](#${anchor})`;
      return [link, String(http), message, errorConditions[key], remedies[key]];
    }),
  );
}

const checkTable = () =>
  tableOf(
    ['Order', 'What is checked', 'What is refused'],
    checks.map(({ name, refuses }, at) => [String(at + 1), name, refuses]),
  );

function fieldTextTable(): string {
  const names = Object.keys(fieldErrorTexts) as (keyof typeof fieldErrorTexts)[];
  const causes = textsOf('Texts of field errors', names);
  return tableOf(
    ['Text', 'Cause'],
    names.map((name) => [fieldErrorTexts[name], causes[name]]),
  );
}

function classTable(): string {
  const cells = textsOf('Classes of declines', declineClasses);
  const { t } = translationsOf('en');
  return tableOf(
    ['Class', 'Cause', 'Heading of the payment page', 'Action'],
    declineClasses.map((name) => {
      const [cause = '', action = ''] = cells[name].split(' | ');
      return [code(name), cause, t(`decline.${name}.heading`), action];
    }),
  );
}

/** Declines that Florin reports without a decline of the provider. */
export const ownDeclines: readonly SandboxDecline[] = [
  { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false },
  { code: 'not_prepared', reason: 'The provider did not prepare the payment', class: 'technical', soft: true },
  { code: 'not_received', reason: 'The provider did not receive the request', class: 'technical', soft: true },
  { code: 'sandbox_card', reason: 'Declined by processing', class: 'bank', soft: false },
];

function sandboxDeclines(): SandboxDecline[] {
  const ofCards = sandboxCards.flatMap(({ decline, follow }) => [decline ?? [], ...Object.values(follow ?? {})].flat());
  const declines = [...ofCards, liveCardDecline, expiryDecline];
  return [...new Map(declines.map((each) => [each.reason, each])).values()];
}

const declineTable = (declines: readonly SandboxDecline[]) =>
  tableOf(
    ['Reason', 'Class', 'Code', 'Soft'],
    declines.map((each) => [each.reason, code(each.class), code(each.code), each.soft ? 'yes' : 'no']),
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
