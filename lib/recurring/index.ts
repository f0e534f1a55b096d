// Charges of subscriptions, and the preview of what a change of a plan will charge.
// Owns no tables: it moves slots (schedules) and creates payments (payments).
// May import the rooms before it: core to payments.

export { chargeAmountMinor, chargeDue } from './charge.ts';
export {
  type ChangePreview,
  findSubscription,
  type ListedSubscription,
  listSubscriptions,
  nextSubscriptions,
  previewChange,
} from './subscription-list.ts';
