/**
 * What the schemes' reason codes of chargebacks mean, in a few words: those that shops meet. A code without words is
 * shown as it is.
 */
const reasonCodeTexts: Readonly<Record<string, string>> = {
  '10.1': 'Counterfeit card with a chip',
  '10.2': 'Fraud at a terminal',
  '10.3': 'Fraud with the card present',
  '10.4': 'Fraud with the card absent',
  '10.5': 'Named in a fraud report',
  '11.1': 'Card on the recovery list',
  '11.2': 'Charged after a decline',
  '11.3': 'No authorisation',
  '12.1': 'Presented late',
  '12.2': 'Wrong transaction code',
  '12.3': 'Wrong currency',
  '12.4': 'Wrong account',
  '12.5': 'Wrong amount',
  '12.6': 'Charged twice, or paid otherwise',
  '12.7': 'Invalid data',
  '13.1': 'Goods not received',
  '13.2': 'Subscription cancelled',
  '13.3': 'Not as described',
  '13.4': 'Counterfeit goods',
  '13.5': 'Misrepresented',
  '13.6': 'Refund not received',
  '13.7': 'Cancelled goods or services',
  '13.8': 'Payout not accepted',
  '13.9': 'Cash not received',
  '4808': 'No authorisation',
  '4834': 'Error at the point of interaction',
  '4837': 'Payer did not authorise it',
  '4849': 'Questionable merchant activity',
  '4853': 'Payer disputes it',
  '4870': 'Chip liability shift',
};

/** The words for a code; null for one that has none. */
export function reasonCodeText(code: string): string | null {
  return reasonCodeTexts[code] ?? null;
}
