'use client';
// Keyboard shortcuts of the page. A single key is ignored inside a field, while a dialog is open, or if the user has
// disabled single-key shortcuts; those with Ctrl work everywhere.
import { useEffect, useRef, useSyncExternalStore } from 'react';

const setting = 'florin_single_keys';
const changed = 'florin:single-keys';

const always = () => true;

/** The action of each key; names are those of {@link keyLabel}, as `j`, `?`, `escape`, `ctrl+s`. */
export type ShortcutTable = Record<string, (event: KeyboardEvent) => void>;

/** Whether a key belongs to a field and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

/** Whether a field accepts text from a key: a checkbox does not. */
function takesText(target: EventTarget | null): boolean {
  return isTyping(target) && !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));
}

/** Whether a single key is meant for the page: not for a field or a dialog, and not disabled. */
export function takesSingleKeys(event: KeyboardEvent): boolean {
  return (
    isSingle(keyName(event)) && !event.isComposing && !takesText(event.target) && !dialogIsOpen() && singleKeysOn()
  );
}

function dialogIsOpen(): boolean {
  return (
    document.querySelector('[role="dialog"][data-state="open"], dialog[open], [role="menu"][data-state="open"]') !==
    null
  );
}

type Where = {
  on?: boolean;
  /** Called at each press: the browser handles the key if it returns false. */
  when?: () => boolean;
};

/** Listens for shortcuts of the page. Handled keys are not passed on to the browser. */
export function useShortcuts(table: ShortcutTable, { on = true, when = always }: Where = {}): void {
  const current = useRef({ table, when });
  useEffect(() => {
    current.current = { table, when };
  });
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyName(event);
      const act = current.current.table[name];
      if (!act || !current.current.when() || dialogIsOpen()) return;
      if (isSingle(name) && (takesText(event.target) || !singleKeysOn())) return;
      if (name === 'escape' && isTyping(event.target)) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [on]);
}

function singleKeysOn(): boolean {
  return localStorage.getItem(setting) !== 'off';
}

/** Whether single-key shortcuts are enabled, with a setter. Stored in the browser. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(listen, singleKeysOn, () => true);
  const change = (next: boolean) => {
    localStorage.setItem(setting, next ? 'on' : 'off');
    dispatchEvent(new Event(changed));
  };
  return [on, change];
}

function listen(notify: () => void): () => void {
  addEventListener(changed, notify);
  return () => removeEventListener(changed, notify);
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The name of a pressed key. Ctrl and Command are equal; with Alt a key types characters and has no name. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  if (altKey) return '';
  const name = key.toLowerCase();
  return ctrlKey || metaKey ? `ctrl+${name}` : name;
}

/** Whether a key alone would type text into a field. */
export function isSingle(name: string): boolean {
  return name.length === 1;
}

/** The second key of a pair such as `g` then `o`: returns the action, or nothing after a pause or another key. */
export function makePairs<What>(first: string, table: Record<string, What>, pauseMilliseconds = 1_200) {
  let armedAt: number | null = null;
  return (name: string, at: number): What | null => {
    const armed = armedAt !== null && at - armedAt <= pauseMilliseconds;
    armedAt = name === first && !armed ? at : null;
    return armed ? (table[name] ?? null) : null;
  };
}
