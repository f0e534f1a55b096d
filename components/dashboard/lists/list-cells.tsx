// The cells of every list: a column of a list's description as a column of the table.
import type { ReactNode } from 'react';
import type {
  CellKind,
  ChainState,
  ColumnDef,
  MethodLabel,
  ScheduleState,
  SessionState,
  TokenState,
} from '../../../lib/dashboard/lists/contract.ts';
import { Status, StatusShape } from '../../ui/status.tsx';
import { AmountCell } from '../amount.tsx';
import { OutcomeLabel } from '../developers/outcome.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { timeText } from '../times.ts';
import { Tag, type Tone } from '../ui/parts.tsx';
import type { Column } from '../ui/table.tsx';
import { Time, useZone } from '../zone.tsx';

// The rows of all lists differ; their fields are those of the columns' descriptions.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Row = any;

/** The columns of a table; `beside` a row that is open. */
export function tableColumns(columns: readonly ColumnDef[], beside = false): Column<Row>[] {
  const shown = columns.filter(({ hideBeside }) => !(beside && hideBeside));
  return shown.map(({ kind = 'text', ...column }) => {
    const { field = column.id, widthBeside, none, labels, remark, unit, most } = column;
    const cell = cells[kind];
    const given = { none, labels, remark, unit, most, beside: beside && widthBeside !== undefined };
    const width = (beside && widthBeside) || column.width;
    return { ...column, ...(width && { width }), cell: (row: Row) => cell(row[field], row, given) };
  });
}

type Given = Pick<ColumnDef, 'none' | 'labels' | 'remark' | 'unit' | 'most'> & { beside: boolean };

const isEmpty = (value: unknown, none?: string) =>
  value === null || value === '' || (value === 0 && none !== undefined);

const cells: Record<CellKind, (value: Row, row: Row, column: Given) => ReactNode> = {
  text: (value, _, { none, labels, unit }) => {
    if (isEmpty(value, none)) return <Quiet>{none ?? '–'}</Quiet>;
    return labels?.[value] ?? (unit ? `${value} ${unit}` : value);
  },
  amount: (amount, { currency }) => <AmountCell amount={amount} currency={currency} />,
  status: (status, row, { remark = '' }) => (
    <WithRemark>
      <Status status={status} />
      {row[remark]}
    </WithRemark>
  ),
  payment: (status, { remark }) => (
    <span className="flex min-w-0 gap-2">
      <Status status={status} />
      {remark ? <span className="truncate text-ink3 phone:hidden">{remark}</span> : null}
    </span>
  ),
  state: (state) => <ObjectState state={state} />,
  session: (state, row) => (
    <WithRemark>
      <ObjectState state={state} />
      <SessionEnd row={row} />
    </WithRemark>
  ),
  method: (method) => <MethodText means={method} />,
  time: (at, _, { none = '–', beside }) =>
    at === null ? <Quiet>{none}</Quiet> : <Time at={at} as={beside ? 'time' : 'day and time'} />,
  date: (at, _, { none = '–' }) => (at === null ? <Quiet>{none}</Quiet> : <Time at={at} as="date and time" />),
  enabled: (enabled) => (enabled ? <Tag tone="ok">Active</Tag> : <Tag tone="bad">Disabled</Tag>),
  tag: (value, _, { none, labels }) =>
    isEmpty(value) ? <Quiet>{none}</Quiet> : <Tag tone={labels ? 'plain' : 'warn'}>{labels?.[value] ?? value}</Tag>,
  warned: (value) => (value === 0 ? <span className="text-warn">none</span> : value),
  few: (list, _, { none, most = 1 }) => <Few list={list} none={none ?? '–'} most={most} />,
  chargeback: (reason, { reasonCode }) =>
    reasonCode === null ? (
      <Quiet>not provided</Quiet>
    ) : (
      <span className="flex items-center gap-2">
        <StatusShape status="chargeback" />
        <span className="truncate text-ink">{reason ?? 'Reason'}</span>
        <code className="font-mono text-xs text-ink3">{reasonCode}</code>
      </span>
    ),
  card: (_, { brand, first6, last4 }) => (
    <>
      {brand}{' '}
      <span className="figures font-normal text-ink2">
        {/* A phone has space for one only: the last four digits are the usual way to identify a card. */}
        <span className="phone:hidden">{first6} </span>•••• {last4}
      </span>
    </>
  ),
  subscribers: (live, { failing }) => (
    <>
      {live}
      <span className="hidden phone:inline">{live === 1 ? ' subscriber' : ' subscribers'}</span>
      {failing > 0 ? <span className="text-warn">, {failing} failing</span> : null}
    </>
  ),
  unresolved: (state, { next }) => {
    if (state === 'closed') return <Tag tone="plain">Closed</Tag>;
    return next === null ? <Tag tone="bad">Needs a decision</Tag> : <Tag tone="warn">{next}</Tag>;
  },
  request: (status, { outcome, errorCode }) => (
    <OutcomeLabel kind={outcome}>
      {status}
      {errorCode !== null && outcome === 'refused' ? (
        <span className="font-mono text-xs font-normal text-ink3"> {errorCode}</span>
      ) : null}
    </OutcomeLabel>
  ),
  callback: (answer, { mark, held, pausedUntil }) => (
    <OutcomeLabel kind={mark}>
      {answer}
      {held || pausedUntil ? <span className="font-normal text-ink3">, paused</span> : null}
    </OutcomeLabel>
  ),
  event: (_, { type, outcome, orderStatus }) => (
    <>
      <span className="text-ink">
        {type}, {outcome},
      </span>{' '}
      {orderStatus}
    </>
  ),
  next: (at) =>
    at === null ? (
      <Quiet>–</Quiet>
    ) : (
      <strong className="font-semibold text-ink">
        <Time at={at} />
      </strong>
    ),
};

function SessionEnd({ row: { state, expiresAt, attempts } }: { row: Row }) {
  const zone = useZone();
  if (state === 'open') return <>until {timeText(expiresAt, zone).slice(0, 5)}</>;
  if (state !== 'expired') return null;
  return attempts === 0 ? <>no attempts</> : <>declined {attempts === 1 ? 'once' : `${attempts} times`}</>;
}

function Few({ list, none, most }: { list: readonly string[]; none: string; most: number }) {
  if (list.length === 0) return <Quiet>{none}</Quiet>;
  const more = list.length - most;
  return (
    <span title={list.slice(0, 40).join(', ')}>
      {list.slice(0, most).join(', ')}
      {more > 0 ? <span className="text-ink3"> and {more} more</span> : null}
    </span>
  );
}

/** `Visa •••• 4242`, or the method's name. */
export function MethodText({ means }: { means: MethodLabel | null }) {
  if (!means) return <Quiet>–</Quiet>;
  return (
    <>
      {means.name}
      {means.last4 ? <span className="figures"> •••• {means.last4}</span> : null}
    </>
  );
}

/** A text in place of a value. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span className="text-ink3">{children}</span>;
}

/** A state with a secondary text. */
export function WithRemark({ children: [state, remark] }: { children: [ReactNode, ReactNode] }) {
  return (
    <span className="flex items-center gap-2">
      <span className="flex shrink-0">{state}</span>
      <span className="truncate text-ink3">{remark}</span>
    </span>
  );
}

/** A text with the fields of a row: `Payout {orderNumber}`. An empty field takes the comma before it along. */
export function rowText(text: string, row: Row, columns: readonly ColumnDef[] = []): string {
  return text.replace(/(, )?\{(\w+)\}/g, (_, comma = '', name) => {
    const value = row[name];
    const labels = columns.find(({ id }) => id === name)?.labels;
    return value === null || value === undefined ? '' : comma + (labels?.[value] ?? value);
  });
}

export type State = SessionState | TokenState | ChainState | ScheduleState;

const shown: Record<State, { word: string; tone: Tone; shape: { status: string } | { glyph: IconName } }> = {
  open: { word: 'Open', tone: 'accent', shape: { status: 'prepare' } },
  trying: { word: 'Payment in progress', tone: 'warn', shape: { status: 'pending' } },
  paid: { word: 'Paid', tone: 'ok', shape: { status: 'settled' } },
  expired: { word: 'Expired', tone: 'plain', shape: { glyph: 'clock' } },
  cancelled: { word: 'Cancelled', tone: 'plain', shape: { status: 'void' } },
  active: { word: 'Active', tone: 'ok', shape: { status: 'settled' } },
  removed: { word: 'Removed', tone: 'plain', shape: { status: 'void' } },
  scheduled: { word: 'Scheduled', tone: 'ok', shape: { glyph: 'schedules' } },
  stopped: { word: 'Stopped', tone: 'plain', shape: { status: 'void' } },
  running: { word: 'Running', tone: 'ok', shape: { status: 'settled' } },
  paused: { word: 'Paused', tone: 'warn', shape: { glyph: 'pause' } },
  deleted: { word: 'Deleted', tone: 'plain', shape: { status: 'void' } },
};

/** The tag of a state on the object's page. */
export function StateTag({ state }: { state: State }) {
  return <Tag tone={shown[state].tone}>{shown[state].word}</Tag>;
}

function ObjectState({ state }: { state: State }) {
  const { word, shape } = shown[state];
  return (
    <span className="flex shrink-0 items-center gap-[7px] text-ink">
      {'status' in shape ? (
        <StatusShape status={shape.status} />
      ) : (
        <span className="text-ink3">
          <Icon name={shape.glyph} size={14} />
        </span>
      )}
      {word}
    </span>
  );
}
