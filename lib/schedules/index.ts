// Plans of recurring charges and the slots of their subscriptions: what is charged next, and when.
// Owns schedules and subscriptions.
// May import the rooms before it: core to risk.
export { type NewSubscription, type Schedule, type ScheduleInput, type ScheduleRow, type Subscription, type SubscriptionRow, createSchedule, deleteSchedule, deschedule, findSchedule, hasSchedule, pauseSchedule, planSubscription, positionAfterPlanChange, resumeSchedule, scheduleColumns, subscriptionColumns, toSchedule, toSubscription, updateSchedule } from './schedules';
export { type SubscriptionSlot, attemptName, beginSlot, endSubscription, leewayMilliseconds, moveToNextSlot, moveToSlot, readSlot, readSlotAttempts, scheduleRetry, slotPaymentId } from './slot-moves';
export { type SlotDecision, type SlotState, decideSlot, plannedAt } from './slots';
