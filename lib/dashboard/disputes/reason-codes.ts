/** Short descriptions of the schemes' common chargeback reason codes. An unknown code is shown as it is. */
const reasonCodeTexts: Readonly<Record<string, string>> = {
  '10.1': 'EMV liability shift: counterfeit fraud',
  '10.2': 'EMV liability shift: non-counterfeit fraud',
  '10.3': 'Other fraud: card present',
  '10.4': 'Other fraud: card absent',
  '10.5': 'Fraud monitoring programme',
  '11.1': 'Card recovery bulletin',
  '11.2': 'Declined authorisation',
  '11.3': 'No authorisation',
  '12.1': 'Late presentment',
  '12.2': 'Incorrect transaction code',
  '12.3': 'Incorrect currency',
  '12.4': 'Incorrect account number',
  '12.5': 'Incorrect amount',
  '12.6': 'Duplicate processing or paid by other means',
  '12.7': 'Invalid data',
  '13.1': 'Merchandise or services not received',
  '13.2': 'Cancelled recurring transaction',
  '13.3': 'Not as described',
  '13.4': 'Counterfeit merchandise',
  '13.5': 'Misrepresentation',
  '13.6': 'Credit not processed',
  '13.7': 'Cancelled merchandise or services',
  '13.8': 'Original credit not accepted',
  '13.9': 'Cash not received',
  '4808': 'No authorisation',
  '4834': 'Point-of-interaction error',
  '4837': 'No cardholder authorisation',
  '4849': 'Questionable merchant activity',
  '4853': 'Cardholder dispute',
  '4870': 'Chip liability shift',
};

/** The description of a code; null if it has none. */
export function reasonCodeText(code: string): string | null {
  return reasonCodeTexts[code] ?? null;
}
