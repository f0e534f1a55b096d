/** What differs, in a few words, by the kind of an unresolved item. */
export const unresolvedKindLabels = {
  late_success: 'Approved after a decline',
  taken_back: 'Approval taken back',
  amount_mismatch: 'Another amount',
  wrong_outcome: 'Authorised instead of taken',
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  captured_elsewhere: 'Captured without a request',
  not_cancelled: 'Attempt not cancelled',
  not_released: 'Authorisation not voided',
  not_found: 'Operation not found',
  chargeback_mismatch: 'Chargeback does not fit',
  returned_twice: 'Returned twice',
} as const;
