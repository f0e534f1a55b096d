// Whether the form of this page has unsaved changes, and leaving the page from anywhere in the dashboard.

/** Leaves the page, or replaces its values. Nothing asks again until its promise, if it returns one, has ended. */
export type Act = () => unknown;

let guard: ((act: Act) => void) | null = null;

/** Sets what asks before the page is left, while its form has unsaved changes. A page has one such form. */
export function guardUnsaved(ask: ((act: Act) => void) | null): void {
  guard = ask;
}

/** Runs `act`, which leaves the page: immediately, or after the user agreed to discard the unsaved changes. */
export function leave(act: Act): void {
  if (guard) guard(act);
  else act();
}

/** Whether a form of this page has unsaved changes. */
export function hasUnsavedChanges(): boolean {
  return guard !== null;
}
