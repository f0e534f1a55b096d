// Undo and redo in the fields that the script formats. A browser's own history breaks when a script sets the value, and no
// standard lets the script add to it, so each formatted field has one here.

type State = { value: string; caret: number };

/** `kind` is that of the last change: a run of typed characters is one step, as in browsers. */
type History = { states: State[]; place: number; kind: string };

const histories = new WeakMap<HTMLInputElement, History>();

const stateOf = (input: HTMLInputElement): State => ({ value: input.value, caret: input.selectionEnd ?? 0 });

/** The field's history. A value that the script or the browser filled in starts a new one: a cleared code stays away. */
function historyOf(input: HTMLInputElement): History {
  const known = histories.get(input);
  if (known?.states[known.place]?.value === input.value) return known;
  const history = { states: [stateOf(input)], place: 0, kind: '' };
  histories.set(input, history);
  return history;
}

function move(input: HTMLInputElement, step: number): void {
  const history = historyOf(input);
  const state = history.states[history.place + step];
  if (!state) return;
  history.place += step;
  history.kind = '';
  input.value = state.value;
  input.setSelectionRange(state.caret, state.caret);
  const inputType = step < 0 ? 'historyUndo' : 'historyRedo';
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }));
}

/** -1 for undo, 1 for redo, 0 for other keys. On keyboards of other scripts the key's place decides. */
function stepOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): number {
  // With Alt, Ctrl types characters on some keyboards.
  if (ctrlKey === metaKey || altKey) return 0;
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.slice(3).toLowerCase();
  if (letter === 'z') return shiftKey ? 1 : -1;
  return letter === 'y' && ctrlKey ? 1 : 0;
}

/** Whether an input event follows undo or redo: its value is already formatted. */
export const isHistory = (event: Event | undefined): boolean =>
  event instanceof InputEvent && event.inputType.startsWith('history');

/** Stores a value after a change by the payer and its formatting. */
export function remember(input: HTMLInputElement, event: Event | undefined): void {
  const history = histories.get(input);
  if (!history || !(event instanceof InputEvent) || isHistory(event)) return;
  const state = stateOf(input);
  if (history.states[history.place]?.value === state.value) return;
  const isRun = history.kind === event.inputType && /^(insertText|deleteContent\w*)$/.test(history.kind);
  if (!isRun) history.place += 1;
  history.kind = event.inputType;
  history.states.splice(history.place, Number.POSITIVE_INFINITY, state);
}

/** Handles undo and redo in the formatted fields of an element, by key and by the browser's menu. */
export function startUndo(root: HTMLElement, isFormatted: (input: HTMLInputElement) => boolean): void {
  root.addEventListener('beforeinput', (event) => {
    const input = event.target as HTMLInputElement;
    if (!isFormatted(input)) return;
    const history = historyOf(input);
    const state = history.states[history.place];
    if (input.selectionStart !== state?.caret || input.selectionEnd !== state?.caret) history.kind = '';
    if (!isHistory(event)) return;
    event.preventDefault();
    move(input, event.inputType === 'historyUndo' ? -1 : 1);
  });
  root.addEventListener('keydown', (event) => {
    const input = event.target as HTMLInputElement;
    const step = stepOf(event);
    if (step === 0 || !isFormatted(input)) return;
    event.preventDefault();
    move(input, step);
  });
}
