'use client';
import type { ListOf, SessionRow } from '../../../lib/dashboard/lists/contract';
import { amountColumn, createdColumn, merchantColumn, TextOrDash, WithRemark } from '../lists/cells';
import { samples } from '../lists/samples';
import { ObjectState, stateOptions } from '../lists/state';
import { timeText } from '../times';
// The list of sessions: payment links and their outcome.
import { Code, type Column, Empty, type FilterDef, LinkButton, ListPage, request } from '../ui';
import { useZone } from '../zone';

type Props = {
  initial: ListOf<SessionRow>;
  query: string;
  manyMerchants: boolean;
  sandbox: boolean;
  origin: string;
  methods: { value: string; label: string }[];
};

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'open', title: 'Open', query: 'state=open,trying' },
  { id: 'expired', title: 'Expired unpaid', query: 'state=expired' },
  { id: 'cancelled', title: 'Cancelled', query: 'state=cancelled' },
];

export function Sessions({ initial, query, manyMerchants, sandbox, origin, methods }: Props) {
  const filters: FilterDef[] = [
    {
      name: 'state',
      label: 'State',
      kind: 'choices',
      options: stateOptions(['open', 'trying', 'paid', 'expired', 'cancelled']),
    },
    { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] },
    { name: 'method', label: 'Methods', kind: 'choice', options: methods },
    {
      name: 'for',
      label: 'Used for',
      kind: 'choice',
      options: [
        { value: 'page', label: 'Payment page' },
        { value: 'fields', label: 'Hosted fields' },
      ],
    },
  ];
  const columns: Column<SessionRow>[] = [
    amountColumn(),
    {
      id: 'state',
      head: 'State',
      width: '22%',
      cell: (row) => (
        <WithRemark>
          <ObjectState state={row.state} />
          <Until row={row} />
        </WithRemark>
      ),
    },
    { id: 'order', head: 'Order', mono: true, cell: ({ orderNumber }) => orderNumber },
    { id: 'payer', head: 'Payer', hideOnPhone: true, cell: ({ payer }) => <TextOrDash text={payer} /> },
    {
      id: 'offers',
      head: 'Methods',
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ methods: offered }) => offers(offered),
    },
    { id: 'attempts', head: 'Attempts', align: 'end', width: 64, hideOnPhone: true, cell: ({ attempts }) => attempts },
    ...merchantColumn<SessionRow>(manyMerchants),
    createdColumn(),
  ];
  return (
    <ListPage<SessionRow>
      title="Checkout sessions"
      nouns={['session', 'sessions']}
      search="Payment, order, email, last four"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(search) => request<ListOf<SessionRow>>(`/sessions?${search}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/sessions/${id}`}
      rowName={({ orderNumber }) => `Session of ${orderNumber}`}
      empty={<NoSession sandbox={sandbox} origin={origin} />}
    />
  );
}

function NoSession({ sandbox, origin }: Pick<Props, 'sandbox' | 'origin'>) {
  return (
    <Empty
      title="No sessions yet"
      steps={[
        { text: 'Your server creates a session', done: false },
        { text: 'The payer opens the link', done: false },
        { text: 'The payment settles, or the link expires', done: false },
      ]}
      aside={<Code title="Create a session" language="shell" text={samples.session(origin)} copy="command" tall />}
    >
      <p>A session is one link for one payment. All sessions of your servers are listed here.</p>
      {sandbox ? (
        <LinkButton href="/" icon="flask">
          Try the demo shop
        </LinkButton>
      ) : null}
    </Empty>
  );
}

/** The first method, and how many follow. */
function offers([first, ...others]: string[]): string {
  if (first === undefined) return 'all methods';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function Until({ row: { state, expiresAt, attempts } }: { row: SessionRow }) {
  const zone = useZone();
  if (state === 'open') return <>until {timeText(expiresAt, zone).slice(0, 5)}</>;
  if (state !== 'expired') return null;
  return attempts === 0 ? <>no attempts</> : <>declined {attempts === 1 ? 'once' : `${attempts} times`}</>;
}
