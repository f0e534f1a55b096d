'use client';
// Shared layout of both wallet pages: head, the wallet's own sections, MIDs and removal.
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { FormSection, SettingsForm } from '../ui';
import { Accounts } from './fields';
import { RemoveWallet, WalletHeader } from './header';
import { walletNames } from './labels';
import type { WalletAction } from './use-wallet';

type Props<Values extends FieldValues> = {
  wallet: WalletView;
  act: WalletAction;
  form: UseFormReturn<Values>;
  /** The wallet's own sections, in the order of `children`. */
  sections: readonly { id: string; title: string }[];
  labels: Record<keyof Values & string, string>;
  show?: { [name: string]: (value: unknown) => string };
  children: ReactNode;
};

const accounts = { id: 'accounts', title: 'Card flow by MID' };
const remove = { id: 'remove', title: 'Remove' };

export function WalletSettings<Values extends FieldValues>(props: Props<Values>) {
  const { wallet, act, form, sections, labels, show, children } = props;
  const { mayChange } = wallet;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <WalletHeader wallet={wallet} act={act} />
      <SettingsForm
        sections={[...sections, accounts, ...(mayChange ? [remove] : [])]}
        form={form}
        labels={labels}
        show={show}
        effect="Takes effect immediately on payment pages"
        onSave={(values) => act('', values)}
        saved={`${walletNames[wallet.kind]} saved.`}
        readOnly={!mayChange}
      >
        {children}
        <FormSection
          {...accounts}
          about="Routing and cascading use the MIDs whose provider accepts the card in the token."
        >
          <Accounts wallet={wallet} />
        </FormSection>
        {mayChange ? (
          <FormSection {...remove}>
            <RemoveWallet wallet={wallet} />
          </FormSection>
        ) : null}
      </SettingsForm>
    </div>
  );
}
