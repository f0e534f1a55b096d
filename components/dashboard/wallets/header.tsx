'use client';
// The head of a wallet's page, and its end: whose it is, how its tokens pay, whether it is on, and how it is removed.
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { Button, ConfirmDialog, LinkButton, Note, request, Tag, useToast } from '../ui';
import { flowNames, walletNames } from './labels';
import type { WalletAction } from './use-wallet';

const meanings: Record<WalletView['flow'], string> = {
  card: 'Tokens are opened here and their cards pay like any other: holds, recurring payments, routing and cascading.',
  virtual: 'Tokens go to one provider as they are. No holds, no recurring payments, no cascade; no card is stored.',
  none: 'No MID of the merchant takes this wallet, neither its tokens nor the cards in them. Change that at the MIDs.',
};

/** Whose wallet it is, how its tokens pay, and whether it is on. */
export function WalletHeader({ wallet, act }: { wallet: WalletView; act: WalletAction }) {
  const [asking, setAsking] = useState<'switch' | 'remove' | null>(null);
  const { kind, merchant, flow, enabled, environment, mayChange, id } = wallet;
  const name = walletNames[kind];
  const { text, tone } = flowNames[flow];
  return (
    <div className="grid gap-2 border-b border-line px-gutter py-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-title font-semibold">
            {name} of {merchant.name}
          </h1>
          <Tag tone={enabled ? 'ok' : 'warn'}>{enabled ? 'On' : 'Off'}</Tag>
          <Tag tone={tone}>{text}</Tag>
          <Tag>{environment}</Tag>
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton href={`/dashboard/audit-log?on=wallet:${id}`} icon="history">
            History
          </LinkButton>
          {mayChange ? (
            <Button kind={enabled ? 'plain' : 'primary'} onClick={() => setAsking('switch')}>
              {enabled ? 'Switch off' : `Switch on ${name}`}
            </Button>
          ) : null}
        </div>
      </div>
      <p className="max-w-[820px] text-ink2">{meanings[flow]}</p>
      {mayChange ? null : <Note>Your role looks on: account managers change wallets.</Note>}
      <ConfirmDialog
        open={asking === 'switch'}
        onClose={() => setAsking(null)}
        title={enabled ? `Switch ${name} off` : `Switch ${name} on`}
        verb={enabled ? 'Switch off' : 'Switch on'}
        onConfirm={() => act('/switch', { enabled: !enabled })}
      >
        <p>
          {enabled
            ? `The payment page offers ${name} no more, and ${name} tokens are refused. What was paid stays as it is.`
            : `The payment page offers ${name} where a session names it, and S2S CARD takes its tokens, from now on.`}
        </p>
      </ConfirmDialog>
    </div>
  );
}

/** Takes the wallet away with its keys. */
export function RemoveWallet({ wallet }: { wallet: WalletView }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const toast = useToast();
  const { id, kind, merchant, version } = wallet;
  const name = walletNames[kind];
  return (
    <>
      <p className="max-w-[528px] text-ink2">
        Settings, certificates and private keys are gone for good. Without settings {name} is a method like every other:
        a row that leads to the provider’s own page.
      </p>
      <div>
        <Button icon="trash" onClick={() => setOpen(true)}>
          Remove {name}
        </Button>
      </div>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Remove ${name}`}
        verb={`Remove ${name}`}
        danger
        typed={merchant.name}
        onConfirm={async () => {
          await request(`/wallets/${id}/remove`, { body: { version } });
          toast(`${name} of ${merchant.name} removed.`);
          router.push(`/dashboard/wallets?merchant=${merchant.id}`);
        }}
      >
        <p>Its private keys are deleted with it, and no copy can be had from here.</p>
      </ConfirmDialog>
    </>
  );
}
