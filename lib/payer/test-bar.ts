/** Builds the sandbox's test bar: choosing an outcome fills in the test card that leads to it. */

import { groupDigits } from '../core/cards';
import { sandboxCard } from '../core/sandbox-cards';
import type { FormPage, TestBar, TestOutcome } from './contract';
import type { PageContext } from './page-context';
import type { View } from './view';

const testCards: Record<TestOutcome, string> = {
  approve: 'settled',
  decline: 'declined',
  challenge: '3ds-settled',
  redirect: 'redirect-settled',
  pending: 'waiting-settled',
  down: 'timeout-settled',
};

/** Only a payout card approves a payout; any other card declines it. */
const payoutCards: Partial<Record<TestOutcome, string>> = { approve: 'payout', decline: 'declined' };

/** The test bar of a view; without outcomes if the form has no card. */
export function testBarOf({ screen, payment }: View, context: PageContext, hasCard: boolean): TestBar {
  if (screen.kind !== 'form' || !hasCard) return { outcomes: [] };
  const cards = payment.operation === 'credit' ? payoutCards : testCards;
  const outcomes = (Object.entries(cards) as [TestOutcome, string][]).map(([id, card]) => {
    const { number, expiry } = sandboxCard(card);
    const [month = '', year = ''] = (expiry ?? '12/2038').split('/');
    return { id, number: groupDigits(number), expiry: `${month} / ${year.slice(-2)}`, cvv: '123' };
  });
  return { outcomes, chosen: outcomes.find((outcome) => outcome.id === context.test)?.id };
}

/** The values that the chosen outcome fills in. */
export function testValues(test: TestBar['outcomes'][number], operation: string): FormPage['values'] {
  const values = {
    card_number: test.number,
    card_expiry: test.expiry,
    card_cvv: test.cvv,
    card_holder: 'Sandbox Payer',
  };
  return operation === 'transfer'
    ? { ...values, payee_card_number: groupDigits(sandboxCard('payout').number) }
    : values;
}
