'use client';
// The merchant of a settings page, with a select for another.
import { type ReactNode, useId } from 'react';
import type { MerchantChoice } from '../../../lib/dashboard/wallets/contract.ts';
import { optionsOf, Select, useGo } from '../ui/index.ts';

type Props = {
  merchants: readonly MerchantChoice[];
  merchant: MerchantChoice;
  /** The page that shows a merchant. */
  at: string;
  children?: ReactNode;
};

export function MerchantBar({ merchants, merchant, at, children }: Props) {
  const id = useId();
  const go = useGo();
  if (merchants.length < 2 && !children) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-gutter py-2.5">
      {merchants.length > 1 ? (
        <>
          <label htmlFor={id} className="text-ink2">
            Merchant
          </label>
          <span className="w-[212px] phone:w-full">
            <Select
              id={id}
              value={merchant.id}
              onChange={({ target }) => go(`${at}?merchant=${target.value}`)}
              options={optionsOf(...merchants)}
            />
          </span>
        </>
      ) : null}
      {children ? <p className="min-w-0 flex-1 basis-[300px] text-ink2">{children}</p> : null}
    </div>
  );
}
