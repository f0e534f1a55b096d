// Whether the form of this page has unsaved changes, and leaving the page from anywhere in the dashboard.

export type Act = () => void;

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
