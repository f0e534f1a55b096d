'use client';
// A merchant's keys with their validity, and the actions generate, rotate, revoke and show password.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type {
  CreatedKey,
  KeyList,
  KeyPair,
  KeyRow,
  MerchantPage,
  Overlap,
} from '../../../lib/dashboard/merchants/contract';
import { CopyButton } from '../../ui/copy-button';
import { useIdentityCheck } from '../confirm-identity';
import {
  Button,
  type Column,
  ConfirmDialog,
  Empty,
  errorText,
  FormRow,
  IconButton,
  Menu,
  type MenuItem,
  Note,
  ObjectTable,
  RadioList,
  request,
  Tag,
} from '../ui';
import { Time } from '../zone';
import { environmentNames, KeyPairView } from './key-pair';
import { SettingsHead } from './settings-head';
import { merchantTabs } from './tabs';

type Props = { merchant: MerchantPage; initial: KeyList; environment: 'sandbox' | 'production' };

type Asking = { what: 'rotate' | 'end'; key: KeyRow };
type Shown = { pair: Pick<KeyPair, 'key' | 'password'>; title: string };

export function MerchantKeys({ merchant, initial, environment }: Props) {
  const path = `/merchants/${merchant.id}/keys`;
  const queryKey = ['merchant-keys', merchant.id];
  const { data } = useQuery({ queryKey, queryFn: () => request<KeyList>(path), initialData: initial });
  const client = useQueryClient();
  const { confirmed, dialog } = useIdentityCheck();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [error, setError] = useState<string | null>(null);
  const change = merchant.mayChangeKeys;
  const keep = ({ rows }: KeyList) => client.setQueryData(queryKey, { rows });
  // The identity dialog opens by itself, so no other dialog may be open.
  const act = async (work: () => Promise<void>) => {
    setError(null);
    setShown(null);
    await work().catch((thrown) => setError(errorText(thrown)));
  };
  const make = (address: string, title: string, body: object = {}) =>
    act(async () => {
      const made = await confirmed(() => request<CreatedKey>(address, { body }));
      if (!made) return;
      keep(made);
      setShown({ pair: made.pair, title });
    });
  const reveal = (key: KeyRow) =>
    act(async () => {
      const revealed = await confirmed(() => request<{ password: string }>(`${path}/${key.id}/reveal`, { body: {} }));
      if (revealed) setShown({ pair: { key: key.key, password: revealed.password }, title: 'Key and password' });
    });
  const name = environmentNames[environment].toLowerCase();
  const create = change ? (
    <Button icon="plus" onClick={() => void make(path, `New ${name} key`)}>
      New key
    </Button>
  ) : null;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <SettingsHead
        title={merchant.values.name}
        enabled={merchant.enabled}
        actions={create}
        tabs={merchantTabs(merchant.id, 'keys')}
      />
      {error || shown ? (
        <div className="grid max-w-[820px] gap-3 px-gutter py-4">
          {error ? (
            <Note tone="bad" role="alert">
              {error}
            </Note>
          ) : null}
          {shown ? <KeyPairView key={shown.pair.key} pair={shown.pair} title={shown.title} /> : null}
        </div>
      ) : null}
      <KeyTable rows={data.rows} menuOf={change ? (key) => itemsOf(key, setAsking, reveal) : undefined} />
      <p className="max-w-[720px] px-gutter py-4 text-xs text-ink3">
        {environment === 'sandbox'
          ? 'A sandbox accepts sandbox keys only.'
          : 'A live deployment accepts live keys only.'}{' '}
        Requests with a revoked key are refused immediately. Callbacks of its payments are still signed with its
        password.
      </p>
      <Rotate
        asking={asking?.what === 'rotate' ? asking.key : null}
        onClose={() => setAsking(null)}
        rotate={(key, overlap) => void make(`${path}/${key.id}/rotate`, `New ${name} key`, { overlap })}
      />
      <End
        asking={asking?.what === 'end' ? asking.key : null}
        isLast={asking ? !data.rows.some((key) => key.id !== asking.key.id && isUsable(key)) : false}
        merchantName={merchant.values.name}
        onClose={() => setAsking(null)}
        end={async (key) => void keep(await request<KeyList>(`${path}/${key.id}/end`, { body: {} }))}
      />
      {dialog}
    </div>
  );
}

const isUsable = ({ state, served }: KeyRow) => served && state !== 'ended';

function itemsOf(
  key: KeyRow,
  openDialog: (asking: Asking) => void,
  reveal: (key: KeyRow) => Promise<void>,
): MenuItem[] {
  const items: MenuItem[] = [
    { text: 'Show password', icon: 'eye', onSelect: () => void reveal(key) },
    { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=key:${key.id}` },
  ];
  if (key.state === 'ended') return items;
  if (key.served) items.push({ text: 'Rotate', icon: 'again', onSelect: () => openDialog({ what: 'rotate', key }) });
  return [
    ...items,
    'line',
    { text: 'Revoke', icon: 'void', danger: true, onSelect: () => openDialog({ what: 'end', key }) },
  ];
}

type TableProps = { rows: KeyRow[]; menuOf?: (key: KeyRow) => MenuItem[] };

function KeyTable({ rows, menuOf }: TableProps) {
  const columns: Column<KeyRow>[] = [
    {
      id: 'key',
      head: 'Key',
      width: 370,
      cell: ({ key }) => (
        <span className="inline-flex max-w-full items-center gap-1.5">
          <code className="truncate font-mono text-xs">{key}</code>
          <CopyButton text={key} what="key" className="phone:hidden" />
        </span>
      ),
    },
    {
      id: 'environment',
      head: 'Environment',
      width: 130,
      cell: ({ environment, served }) => (
        <>
          {environmentNames[environment]}
          {served ? null : <span className="text-ink3">, other environment</span>}
        </>
      ),
    },
    { id: 'state', head: 'State', width: 120, cell: (key) => <State of={key} /> },
    {
      id: 'until',
      head: 'Valid until',
      width: 190,
      hideOnPhone: true,
      cell: ({ validUntil }) =>
        validUntil ? <Time at={validUntil} as="date and time" /> : <span className="text-ink3">no expiry</span>,
    },
    {
      id: 'created',
      head: 'Created',
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ createdAt }) => <Time at={createdAt} as="date and time" />,
    },
    ...(menuOf
      ? [{ id: 'more', head: <span className="unseen">Actions</span>, width: 76, align: 'end', cell: more } as const]
      : []),
  ];
  function more(key: KeyRow) {
    return (
      <Menu items={menuOf?.(key) ?? []} label={`Key ${key.key}`}>
        <IconButton label={`Actions of key ${key.key}`} icon="dots" />
      </Menu>
    );
  }
  return (
    <ObjectTable
      caption="Keys"
      columns={columns}
      rows={rows}
      empty={
        <Empty title="No keys">
          <p>Every request of this merchant is refused until it has a key.</p>
        </Empty>
      }
    />
  );
}

function State({ of: { state } }: { of: KeyRow }) {
  if (state === 'valid') return <Tag tone="ok">Valid</Tag>;
  return state === 'ending' ? <Tag tone="warn">Expiring</Tag> : <Tag>Revoked</Tag>;
}

const overlaps: readonly { value: Overlap; label: string; help: string }[] = [
  {
    value: 'none',
    label: 'Revoke immediately',
    help: 'For a compromised key. Requests of the shop are refused until it uses the new one.',
  },
  { value: 'hour', label: 'Valid for 1 more hour', help: 'If you can change the shop’s server right now.' },
  { value: 'day', label: 'Valid for 24 more hours', help: 'Enough for one release of the shop.' },
  { value: 'week', label: 'Valid for 7 more days', help: 'For shops with external release schedules.' },
];

type RotateProps = { asking: KeyRow | null; onClose: () => void; rotate: (key: KeyRow, overlap: Overlap) => void };

function Rotate({ asking, onClose, rotate }: RotateProps) {
  const { register, control, getValues } = useForm<{ overlap: Overlap }>({ defaultValues: { overlap: 'day' } });
  const atOnce = useWatch({ control, name: 'overlap' }) === 'none';
  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title="Rotate key"
      verb="Generate key"
      danger={atOnce}
      onConfirm={async () => {
        if (asking) rotate(asking, getValues('overlap'));
      }}
    >
      <p className="text-ink2">
        A new key with its own password is generated, and <code className="mono">{asking?.key.slice(0, 8)}…</code>{' '}
        expires.
      </p>
      <FormRow label="The old key" name="overlap" stacked group>
        <RadioList options={overlaps} {...register('overlap')} />
      </FormRow>
    </ConfirmDialog>
  );
}

type EndProps = {
  asking: KeyRow | null;
  isLast: boolean;
  merchantName: string;
  onClose: () => void;
  end: (key: KeyRow) => Promise<void>;
};

function End({ asking, isLast, merchantName, onClose, end }: EndProps) {
  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title="Revoke key"
      verb="Revoke key"
      danger
      typed={merchantName}
      onConfirm={async () => {
        if (asking) await end(asking);
      }}
    >
      <p className="text-ink2">
        Requests with <code className="mono">{asking?.key}</code> are refused immediately. This cannot be undone.
      </p>
      {isLast ? (
        <Note tone="warn">It is the only valid key: {merchantName} cannot send requests until it has a new one.</Note>
      ) : null}
    </ConfirmDialog>
  );
}
