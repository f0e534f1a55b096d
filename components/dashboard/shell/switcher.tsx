'use client';
// The merchant switcher. Users who manage every merchant select one here, or all; others see their own merchant's name.
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Logo } from '../../ui/logo.tsx';
import { Icon } from '../icons.tsx';
import { Popup } from '../ui/popup.tsx';
import { leave } from '../ui/unsaved.ts';
import { useRead } from '../ui/use-object.ts';
import { setPreference } from '../zone.tsx';
import { useShell } from './context.tsx';

type FoundMerchants = { merchants: { id: string; name: string }[]; more: boolean };

export function MerchantSwitcher() {
  const { canSwitch, merchant } = useShell();
  if (!canSwitch) {
    return (
      <div className="flex items-center gap-2.5 px-1.5 py-1 max-lg:justify-center max-lg:px-0">
        <CurrentMerchant />
      </div>
    );
  }
  return (
    <Popup
      label="Merchants"
      className="w-[280px] p-1.5"
      trigger={
        <button
          type="button"
          title="Choose a merchant"
          className="flex w-full items-center gap-2.5 rounded-control border-0 bg-transparent px-1.5 py-1 hover:bg-hover max-lg:justify-center max-lg:px-0"
        >
          <CurrentMerchant />
          <span className="text-ink3 max-lg:hidden">
            <Icon name="updown" />
          </span>
          <span className="unseen">, {merchant ? 'choose another merchant' : 'choose a merchant'}</span>
        </button>
      }
    >
      <MerchantPicker />
    </Popup>
  );
}

function CurrentMerchant() {
  const { merchant, canSwitch, person } = useShell();
  const name = merchant?.name ?? person.merchantName;
  return (
    <>
      <Logo size={26} />
      <span className="grid min-w-0 flex-1 text-start max-lg:sr-only">
        <span dir="auto" className="truncate text-left leading-[18px] font-semibold">
          {name ?? 'All merchants'}
        </span>
        <span className="truncate text-xs text-ink3">{name ? 'Merchant' : canSwitch ? 'Florin' : ''}</span>
      </span>
    </>
  );
}

/** The merchant search with its results. */
export function MerchantPicker() {
  const { merchant } = useShell();
  const [text, setText] = useState('');
  const { data, error } = useRead<FoundMerchants>(`/merchants-to-pick?q=${encodeURIComponent(text.trim())}`, {
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <input
        type="search"
        aria-label="Search merchants"
        placeholder="Search merchants"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="mb-1 h-8 w-full rounded-control border border-solid border-field bg-raised px-2.5 field-focus phone:h-11 phone:text-[16px]"
      />
      {error ? <p className="px-2 py-1.5 text-bad">{error.message}</p> : null}
      <ul className="max-h-[320px] overflow-y-auto">
        {text.trim() === '' ? <Choice name="All merchants" here={merchant === null} pick={() => pick(null)} /> : null}
        {data?.merchants.map(({ id, name }) => (
          <Choice key={id} name={name} here={merchant?.id === id} pick={() => pick(id)} />
        ))}
      </ul>
      {data?.merchants.length === 0 ? (
        <p className="px-2 py-1.5 text-ink3">No merchant matches “{text.trim()}”.</p>
      ) : null}
      {data?.more ? <p className="px-2 py-1.5 text-xs text-ink3">There are more. Type to narrow the list.</p> : null}
    </>
  );
}

function Choice({ name, here, pick }: { name: string; here: boolean; pick: () => void }) {
  return (
    <li>
      <button
        type="button"
        aria-current={here ? 'true' : undefined}
        onClick={pick}
        className="flex min-h-[30px] w-full items-center gap-2 rounded-tag border-0 bg-transparent px-2 text-start hover:bg-hover focus-visible:bg-hover phone:min-h-11"
      >
        <span dir="auto" className="min-w-0 flex-1 truncate text-left">
          {name}
        </span>
        {here ? <Icon name="tick" size={14} /> : null}
      </button>
    </li>
  );
}

/** Selects the merchant that limits every page and loads the page again, so that no data of the previous one stays. */
function pick(id: string | null): void {
  leave(() => {
    setPreference('florin_merchant', id);
    // An object's page may belong to another merchant, so its list is shown instead. Filters are dropped, because they
    // may not apply.
    location.assign(location.pathname.split('/').slice(0, 3).join('/'));
  });
}
