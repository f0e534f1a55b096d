// Plans of recurring charges and the slots of their subscriptions: what is charged next, and when.
// Owns schedules and subscriptions.
// May import the rooms before it: core to risk.
export * from './schedules.ts';
export * from './slot-moves.ts';
export { decideSlot, plannedAt, type SlotDecision, type SlotState } from './slots.ts';
