'use client';
// Shared layout of both wallet pages: head, the wallet's own sections, MIDs and removal.
import type { FieldValues } from 'react-hook-form';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { type Section, SettingsForm } from '../ui';
import { Accounts } from './fields';
import { RemoveWallet, WalletHeader } from './header';
import { walletNames } from './labels';
import type { WalletState } from './use-wallet';

type Props<View extends WalletView, Values extends FieldValues> = {
  state: WalletState<View, Values>;
  /** The wallet's own sections. */
  sections: readonly Section<Values>[];
};

export function WalletSettings<View extends WalletView, Values extends FieldValues>(props: Props<View, Values>) {
  const { state, sections } = props;
  const { page: wallet, act } = state;
  const accounts: Section<Values> = {
    id: 'accounts',
    title: 'Card flow by MID',
    about: 'Routing and cascading use the MIDs whose provider accepts the card in the token.',
    children: <Accounts wallet={wallet} />,
  };
  const remove: Section<Values> = { id: 'remove', title: 'Remove', children: <RemoveWallet wallet={wallet} /> };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <WalletHeader wallet={wallet} act={act} />
      <SettingsForm
        settings={state}
        sections={[...sections, accounts, ...(wallet.mayChange ? [remove] : [])]}
        effect="Takes effect immediately on payment pages"
        saved={`${walletNames[wallet.kind]} saved.`}
        readOnly={!wallet.mayChange && 'wallets'}
      />
    </div>
  );
}
