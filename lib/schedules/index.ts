// Plans of recurring charges and the slots of their subscriptions: what is charged next, and when.
// Owns schedules and subscriptions.
// May import the rooms before it: core to risk.
export {
  createSchedule,
  deleteSchedule,
  deschedule,
  findSchedule,
  hasSchedule,
  type NewSubscription,
  pauseSchedule,
  planSubscription,
  positionAfterPlanChange,
  resumeSchedule,
  type Schedule,
  type ScheduleInput,
  type ScheduleRow,
  type Subscription,
  type SubscriptionRow,
  scheduleColumns,
  subscriptionColumns,
  toSchedule,
  toSubscription,
  updateSchedule,
} from './schedules.ts';
export {
  attemptName,
  beginSlot,
  endSubscription,
  leewayMilliseconds,
  moveToNextSlot,
  moveToSlot,
  readSlot,
  readSlotAttempts,
  type SubscriptionSlot,
  scheduleRetry,
  slotPaymentId,
} from './slot-moves.ts';
export { decideSlot, plannedAt, type SlotDecision, type SlotState } from './slots.ts';
