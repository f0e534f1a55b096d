'use client';
// A key and its password, when they are shown.
import { useEffect, useRef } from 'react';
import type { KeyPair } from '../../../lib/dashboard/merchants/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Note } from '../ui/index.ts';

export const environmentNames = { sandbox: 'Sandbox', production: 'Live' } as const;

/** Takes the focus, so that the values that are shown once are not missed. */
export function KeyPairView({ pair, title }: { pair: Pick<KeyPair, 'key' | 'password'>; title: string }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <section
      aria-label={title}
      className="grid gap-3 rounded-control border border-solid border-line2 bg-sub px-4 py-3.5"
    >
      <h2 ref={head} tabIndex={-1} className="text-base font-semibold outline-none">
        {title}
      </h2>
      <dl className="grid gap-x-3 gap-y-2 sm:grid-cols-[164px_minmax(0,1fr)]">
        <Secret name="Key" also="merchant_key, client_key" value={pair.key} />
        <Secret name="Password" also="signs, is never sent" value={pair.password} />
      </dl>
      <Note tone="warn">
        Copy the password now. Showing it again requires a confirmation of your identity and is logged.
      </Note>
    </section>
  );
}

function Secret({ name, also, value }: { name: string; also: string; value: string }) {
  return (
    <>
      <dt className="sm:pt-1">
        {name} <span className="block text-xs text-ink3">{also}</span>
      </dt>
      <dd className="flex min-w-0 items-center gap-2">
        <code className="min-w-0 font-mono text-xs break-all">{value}</code>
        <CopyButton text={value} what={name.toLowerCase()} />
      </dd>
    </>
  );
}
