/** Short titles of the kinds of unresolved items. */
export const unresolvedKindLabels = {
  late_success: 'Approved after a decline',
  taken_back: 'Approval reversed',
  amount_mismatch: 'Different amount',
  wrong_outcome: 'Authorised instead of captured',
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  captured_elsewhere: 'Captured without a request',
  not_cancelled: 'Attempt not cancelled',
  not_released: 'Authorisation not voided',
  not_found: 'Operation not found',
  chargeback_mismatch: 'Chargeback does not match',
  returned_twice: 'Returned twice',
} as const;
