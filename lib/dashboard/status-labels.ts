/** Display names of the contract's ten payment statuses. */
export const statusLabels: Readonly<Record<string, string>> = {
  prepare: 'Created',
  pending: 'Pending',
  '3ds': '3DS',
  redirect: 'Redirect',
  settled: 'Settled',
  decline: 'Declined',
  refund: 'Refunded',
  reversal: 'Reversed',
  void: 'Voided',
  chargeback: 'Chargeback',
};
