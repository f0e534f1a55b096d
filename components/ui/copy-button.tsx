'use client';
// Copies a text and confirms it. Without https the Clipboard API is missing, so the older method is used.
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';

const shownMilliseconds = 2_000;

type Props = {
  text: string;
  /** What is copied, for screen readers: "card number". */
  what: string;
  /** A visible label beside the icon: `Copy`, or this one. */
  word?: boolean | string;
  className?: string;
};

export function CopyButton({ text, what, word = false, className = '' }: Props) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await put(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), shownMilliseconds);
  };
  return (
    <button type="button" className={`button small ${className}`} onClick={copy} title={`Copy ${what}`}>
      <Icon name={copied ? 'tick' : 'copy'} size={14} />
      {word ? <span aria-hidden="true">{copied ? 'Copied' : word === true ? 'Copy' : word}</span> : null}
      <span className="unseen" aria-live="polite">
        {copied ? `Copied ${what}` : `Copy ${what}`}
      </span>
    </button>
  );
}

async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return putTheOldWay(text);
  }
}

function putTheOldWay(text: string): boolean {
  const holder = document.createElement('textarea');
  holder.value = text;
  holder.className = 'unseen';
  document.body.append(holder);
  holder.select();
  const done = document.execCommand('copy');
  holder.remove();
  return done;
}
