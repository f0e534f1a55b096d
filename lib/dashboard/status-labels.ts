/** The contract's ten words for what has become of a payment, as they are read. */
export const statusLabels: Readonly<Record<string, string>> = {
  prepare: 'Prepare',
  pending: 'Pending',
  '3ds': '3DS',
  redirect: 'Redirect',
  settled: 'Settled',
  decline: 'Decline',
  refund: 'Refund',
  reversal: 'Reversal',
  void: 'Void',
  chargeback: 'Chargeback',
};
