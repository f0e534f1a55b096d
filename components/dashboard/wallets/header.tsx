'use client';
// The head and the removal section of a wallet's page: merchant, token flow, status.
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { Button, ConfirmDialog, LinkButton, request, Tag, useToast } from '../ui';
import { flowNames, walletNames } from './labels';
import type { WalletAction } from './use-wallet';

const meanings: Record<WalletView['flow'], string> = {
  card: 'Tokens are decrypted here, and their cards are processed like any other: authorisations, recurring payments, routing and cascading.',
  virtual:
    'Tokens are passed to one provider unchanged. No authorisations, no recurring payments, no cascade; no card is stored.',
  none: 'No MID of the merchant accepts this wallet, neither its tokens nor the cards in them. Change that in the settings of the MIDs.',
};

/** The merchant of the wallet, its token flow and its status. */
export function WalletHeader({ wallet, act }: { wallet: WalletView; act: WalletAction }) {
  const [asking, setAsking] = useState<'switch' | 'remove' | null>(null);
  const { kind, merchant, flow, enabled, environment, mayChange, id } = wallet;
  const name = walletNames[kind];
  const { text, tone } = flowNames[flow];
  return (
    <div className="grid gap-2 border-b border-line px-gutter py-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="min-w-0 text-title break-words font-semibold">
            {name} of <bdi>{merchant.name}</bdi>
          </h1>
          <Tag tone={enabled ? 'ok' : 'warn'}>{enabled ? 'Active' : 'Disabled'}</Tag>
          <Tag tone={tone}>{text}</Tag>
          <Tag>{environment}</Tag>
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton href={`/dashboard/audit-log?on=wallet:${id}`} icon="history">
            History
          </LinkButton>
          {mayChange ? (
            <Button kind={enabled ? 'plain' : 'primary'} onClick={() => setAsking('switch')}>
              {enabled ? 'Disable' : `Enable ${name}`}
            </Button>
          ) : null}
        </div>
      </div>
      <p className="max-w-[820px] text-ink2">{meanings[flow]}</p>
      <ConfirmDialog
        open={asking === 'switch'}
        onClose={() => setAsking(null)}
        title={enabled ? `Disable ${name}` : `Enable ${name}`}
        verb={enabled ? 'Disable' : 'Enable'}
        onConfirm={() => act('/switch', { enabled: !enabled })}
      >
        <p>
          {enabled
            ? `The payment page no longer offers ${name}, and ${name} tokens are refused. Past payments do not change.`
            : `From now on the payment page offers ${name} if a session names it, and S2S CARD accepts its tokens.`}
        </p>
      </ConfirmDialog>
    </div>
  );
}

/** Deletes the wallet with its keys. */
export function RemoveWallet({ wallet }: { wallet: WalletView }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const toast = useToast();
  const { id, kind, merchant, version } = wallet;
  const name = walletNames[kind];
  return (
    <>
      <p className="max-w-[528px] text-ink2">
        Settings, certificates and private keys are deleted permanently. Without settings {name} is a method like any
        other: it redirects to the provider’s page.
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
        <p>Its private keys are deleted with it, and cannot be restored from here.</p>
      </ConfirmDialog>
    </>
  );
}
