'use client';
// A merchant's keys with their validity, and the actions generate, rotate, revoke and show password.
import { useState } from 'react';
import type {
  CreatedKey,
  KeyList,
  KeyPair,
  KeyRow,
  MerchantPage,
  Overlap,
} from '../../../lib/dashboard/merchants/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { tableColumns } from '../lists/list-cells.tsx';
import {
  type Column,
  Empty,
  ErrorNote,
  Fields,
  fieldsOf,
  IconButton,
  Menu,
  type MenuItem,
  Note,
  ObjectTable,
  optionsOf,
  request,
  Tag,
  useAction,
  useObject,
  useQuestion,
} from '../ui/index.ts';
import { environmentNames, KeyPairView } from './key-pair.tsx';
import { SettingsHead } from './settings-head.tsx';

type Props = { merchant: MerchantPage; initial: KeyList; environment: keyof typeof environmentNames };

type Overlapping = { overlap: Overlap };
type Shown = { pair: Pick<KeyPair, 'key' | 'password'>; title: string };

export function MerchantKeys({ merchant, initial, environment }: Props) {
  const path = `/merchants/${merchant.id}/keys`;
  const { page: data, take } = useObject<KeyList>(path, initial);
  const { ask, dialog } = useQuestion();
  const { run, error } = useAction();
  const [shown, setShown] = useState<Shown | null>(null);
  const act = (work: () => Promise<void>) => {
    setShown(null);
    void run(work);
  };
  const make = (address: string, body: object = {}) =>
    act(async () => {
      const made = await request<CreatedKey>(address, { body });
      take({ rows: made.rows });
      setShown({ pair: made.pair, title: `New ${environmentNames[environment].toLowerCase()} key` });
    });
  const reveal = ({ id, key }: KeyRow) =>
    act(async () => {
      const { password } = await request<{ password: string }>(`${path}/${id}/reveal`, { body: {} });
      setShown({ pair: { key, password }, title: 'Key and password' });
    });
  const rotate = ({ id, key }: KeyRow) =>
    ask<Overlapping>({
      title: 'Rotate key',
      verb: 'Generate key',
      keys: 'Ctrl ↵',
      defaultValues: { overlap: 'day' },
      danger: ({ overlap }) => overlap === 'none',
      children: (
        <>
          <p className="text-ink2">
            A new key with its own password is generated, and <code className="mono">{key.slice(0, 8)}…</code> expires.
          </p>
          <Fields of={[overlapField]} stacked />
        </>
      ),
      onConfirm: async (overlap) => make(`${path}/${id}/rotate`, overlap),
    });
  const revoke = (key: KeyRow) => {
    const isLast = !data.rows.some((other) => other.id !== key.id && isUsable(other));
    ask({
      ...revokeQuestion(key, merchant.values.name, isLast),
      onConfirm: async () => take(await request<KeyList>(`${path}/${key.id}/end`, { body: {} })),
    });
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <SettingsHead
        title={merchant.values.name}
        enabled={merchant.enabled}
        actions={[merchant.mayChangeKeys && { text: 'New key', icon: 'plus', onClick: () => make(path) }]}
        merchant={{ id: merchant.id, tab: 'Keys' }}
      />
      {error || shown ? (
        <div className="grid max-w-[820px] gap-3 px-gutter py-4">
          <ErrorNote text={error} />
          {shown ? <KeyPairView key={shown.pair.key} pair={shown.pair} title={shown.title} /> : null}
        </div>
      ) : null}
      <KeyTable
        rows={data.rows}
        menuOf={merchant.mayChangeKeys ? (key) => itemsOf(key, { reveal, rotate, revoke }) : undefined}
      />
      <p className="max-w-[720px] px-gutter py-4 text-xs text-ink3">
        {environment === 'sandbox'
          ? 'A sandbox accepts sandbox keys only.'
          : 'A live deployment accepts live keys only.'}{' '}
        Requests with a revoked key are refused immediately. Callbacks of its payments are still signed with its
        password.
      </p>
      {dialog}
    </div>
  );
}

const isUsable = ({ state, served }: KeyRow) => served && state !== 'ended';

type KeyActions = Record<'reveal' | 'rotate' | 'revoke', (key: KeyRow) => void>;

const itemsOf = (key: KeyRow, { reveal, rotate, revoke }: KeyActions): MenuItem[] => [
  { text: 'Show password', icon: 'eye', onSelect: () => reveal(key) },
  { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=key:${key.id}` },
  ...(isUsable(key) ? ([{ text: 'Rotate', icon: 'again', onSelect: () => rotate(key) }] as const) : []),
  ...(key.state === 'ended'
    ? []
    : (['line', { text: 'Revoke', icon: 'void', danger: true, onSelect: () => revoke(key) }] as const)),
];

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
  ...tableColumns([
    { id: 'validUntil', head: 'Valid until', kind: 'date', none: 'no expiry', width: 190, hideOnPhone: true },
    { id: 'createdAt', head: 'Created', kind: 'date', hideOnPhone: true, hideBelow: 'lg' },
  ]),
];

const menuColumn = (menuOf: (key: KeyRow) => MenuItem[]): Column<KeyRow> => ({
  id: 'more',
  head: <span className="unseen">Actions</span>,
  width: 76,
  align: 'end',
  cell: (key) => (
    <Menu items={menuOf(key)} label={`Key ${key.key}`}>
      <IconButton label={`Actions of key ${key.key}`} icon="dots" />
    </Menu>
  ),
});

function KeyTable({ rows, menuOf }: { rows: KeyRow[]; menuOf?: (key: KeyRow) => MenuItem[] }) {
  return (
    <ObjectTable
      caption="Keys"
      columns={menuOf ? [...columns, menuColumn(menuOf)] : columns}
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

const overlapField = fieldsOf<Overlapping>().radio('overlap', 'The old key', {
  options: optionsOf(
    [
      'none',
      'Revoke immediately',
      'For a compromised key. Requests of the shop are refused until it uses the new one.',
    ],
    ['hour', 'Valid for 1 more hour', 'If you can change the shop’s server right now.'],
    ['day', 'Valid for 24 more hours', 'Enough for one release of the shop.'],
    ['week', 'Valid for 7 more days', 'For shops with external release schedules.'],
  ),
});

const revokeQuestion = ({ key }: KeyRow, merchantName: string, isLast: boolean) => ({
  title: 'Revoke key',
  danger: true,
  typed: merchantName,
  text: (
    <>
      <p className="text-ink2">
        Requests with <code className="mono">{key}</code> are refused immediately. This cannot be undone.
      </p>
      {isLast ? (
        <Note tone="warn">It is the only valid key: {merchantName} cannot send requests until it has a new one.</Note>
      ) : null}
    </>
  ),
});
