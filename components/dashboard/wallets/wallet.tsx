'use client';
import type { CountryChoice, WalletView } from '../../../lib/dashboard/wallets/contract';
// The page of one wallet: setup steps and settings.
import { Apple } from './apple';
import { Google } from './google';

type Props = { initial: WalletView; countries: readonly CountryChoice[] };

export function Wallet({ initial, countries }: Props) {
  if (initial.kind === 'applepay') return <Apple initial={initial} countries={countries} />;
  return <Google initial={initial} />;
}
