/** Why an attempt was declined, by the class of lib/core/declines.ts, as it is read. */
export const declineLabels: Readonly<Record<string, string>> = {
  funds: 'No money or over a limit',
  bank: 'Refused by the bank',
  data: 'Something typed is wrong',
  unconfirmed: 'Not authenticated',
  technical: 'Bank not reached',
};
