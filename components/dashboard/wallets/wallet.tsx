'use client';
import type { CountryChoice, WalletView } from '../../../lib/dashboard/wallets/contract';
// One wallet of a merchant: the steps that set it up, and what its pages ask for.
import { Apple } from './apple';
import { Google } from './google';

type Props = { initial: WalletView; countries: readonly CountryChoice[] };

export function Wallet({ initial, countries }: Props) {
  if (initial.kind === 'applepay') return <Apple initial={initial} countries={countries} />;
  return <Google initial={initial} />;
}
