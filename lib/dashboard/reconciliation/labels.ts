/** Short titles of the kinds of differences, the states of reports and the results of lines. */
export const differenceLabels = {
  missing_here: 'Missing here',
  missing_at_provider: 'Missing at the provider',
  amount_differs: 'Amount differs',
  currency_differs: 'Currency differs',
  duplicate: 'Reported twice',
  fee_unexpected: 'Unexpected fee',
  batch_total: 'Payout is not the batch total',
  adjusted_before: 'Adjusted before it appeared',
} as const;

export const differenceStateLabels = { open: 'Open', proposed: 'Waits for approval', closed: 'Closed' } as const;

export const resolutionLabels = { adjusted: 'Adjusted', accepted: 'Accepted', resolved: 'Resolved by Florin' } as const;

export const reportStateLabels = {
  staging: 'Reading',
  refused: 'Refused',
  read: 'Matching',
  matched: 'Matched',
} as const;

export const resultLabels: Readonly<Record<string, string>> = {
  matched: 'Matched',
  booked: 'Fees and payouts',
  amount_differs: 'Amount differs',
  currency_differs: 'Currency differs',
  duplicate: 'Reported twice',
  missing_here: 'Missing here',
};
