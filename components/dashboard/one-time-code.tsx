'use client';
// Six boxes for a code, drawn over one real input: autofill, screen readers and paste use an ordinary field, also
// before the script has loaded.
import clsx from 'clsx';
import { type ComponentProps, useState } from 'react';
import styles from './one-time-code.module.css';
import { errorText, RequestFailed } from './ui/request.ts';
import { useAction } from './ui/use-action.tsx';

const places = [0, 1, 2, 3, 4, 5];

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> & {
  /** Called with the six digits as soon as they are complete. */
  onFilled?: (code: string) => void;
  /** Clears the field when it changes, after a wrong code. */
  round?: number;
};

export function OneTimeCode({ onFilled, round = 0, className, ...rest }: Props) {
  const [stored, setKept] = useState({ code: '', round });
  if (stored.round !== round) setKept({ code: '', round });
  const change = (typed: string) => {
    const code = typed.replace(/\D/g, '').slice(0, places.length);
    setKept({ code, round });
    if (code.length === places.length && stored.code !== code) onFilled?.(code);
  };
  return (
    <div className={clsx(styles.code, className)}>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        required
        pattern="[0-9 ]{6,8}"
        title="Six digits"
        {...rest}
        value={stored.code}
        onChange={({ target }) => change(target.value)}
      />
      <div aria-hidden="true" className={styles.boxes}>
        {places.map((place) => (
          <span key={place} data-next={place === Math.min(stored.code.length, places.length - 1) || undefined} />
        ))}
      </div>
    </div>
  );
}

/**
 * Sends a password or a code. A refusal is the `error`, and a new `round` clears the field of the code. `send` may stay
 * pending to leave the page.
 */
export function useProof<Proof>(send: (proof: Proof) => Promise<unknown>, first: string | null = null) {
  const [round, setRound] = useState(0);
  const { run, busy, error, clear } = useAction((thrown) => {
    setRound((now) => now + 1);
    const fields = thrown instanceof RequestFailed ? Object.values(thrown.fields) : [];
    return fields[0] ?? errorText(thrown);
  }, first);
  return { error, busy: busy !== null, round, clear, prove: (proof: Proof) => run(() => send(proof)) };
}
