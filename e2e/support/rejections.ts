// Rejected modifications of a payment: the contract's status, error code and message.
import type { Answer } from './merchant.ts';

/** `400 208005`, or `200` for an accepted request. */
export function summaryOf({ status, body }: Answer): string {
  return status === 200 ? '200' : `${status} ${body.error_code} ${body.error_message}`;
}

export const rejections = {
  notPending: '400 208003 Not acceptable to request the capture for payment not in pending status.',
  aboveHeld: '400 208004 Not acceptable to request the capture for amount bigger than auth amount.',
  notSettled: '400 208005 refund requires a settled payment',
  aboveRemaining: '400 208006 Not acceptable to request the refund for amount bigger than payment amount.',
  noVoid: '400 100000 Void is not allowed.',
};
