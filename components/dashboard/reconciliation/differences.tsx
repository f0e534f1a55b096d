'use client';
// A difference beside its list: what the report and the ledger have, and what a user does about it.
import { useQueryClient } from '@tanstack/react-query';
import type { DifferenceRow, LimitsPage } from '../../../lib/dashboard/reconciliation/contract.ts';
import {
  differenceLabels,
  differenceStateLabels,
  resolutionLabels,
} from '../../../lib/dashboard/reconciliation/labels.ts';
import factStyles from '../facts.module.css';
import { FactList } from '../facts.tsx';
import {
  Actions,
  Button,
  fieldsOf,
  ListPage,
  type ListProps,
  Note,
  type OpenRow,
  Panel,
  PanelPart,
  request,
  useQuestion,
} from '../ui/index.ts';

export function Differences(props: ListProps<DifferenceRow>) {
  return <ListPage<DifferenceRow> {...props} panel={(open) => <DifferencePanel key={open.id} open={open} />} />;
}

function DifferencePanel({ open }: { open: OpenRow<DifferenceRow> }) {
  const { row } = open;
  return (
    <Panel title={row ? differenceLabels[row.kind] : 'Difference'} label="Difference" open={open}>
      {row ? (
        <>
          <PanelPart>
            <FactList facts={factsOf(row)} className={factStyles.list} />
          </PanelPart>
          <Decisions row={row} />
          {row.mayChangeLimits ? <Limits merchantId={row.merchantId} /> : null}
        </>
      ) : (
        <PanelPart>
          <Note>This difference is not on this page of the list.</Note>
        </PanelPart>
      )}
    </Panel>
  );
}

type Fact = { name: string; value: string; href?: string; time?: boolean };

const shown = (name: string, value: string | null): Fact[] => (value ? [{ name, value }] : []);

function factsOf(row: DifferenceRow): Fact[] {
  const { paymentId, resolution, closedAt } = row;
  return [
    { name: 'Reported', value: row.reported ?? 'Nothing' },
    { name: 'In the ledger', value: row.expected ?? (row.kind === 'duplicate' ? 'Another line has it' : 'Nothing') },
    ...shown('Adjustment', row.adjustment),
    ...(paymentId
      ? [{ name: 'Payment', value: row.orderNumber ?? paymentId, href: `/dashboard/payments/${paymentId}` }]
      : []),
    ...shown('Report', row.reportName && `${row.reportName}, line ${row.lineNumber}`),
    { name: 'MID', value: row.midName },
    { name: 'Merchant', value: row.merchantName },
    { name: 'Found', value: row.createdAt, time: true },
    { name: 'State', value: differenceStateLabels[row.state] },
    ...shown(row.state === 'closed' ? 'Resolution' : 'Proposal', resolution && resolutionLabels[resolution]),
    ...shown('Note', row.note),
    ...shown('Note by', row.notedBy),
    ...shown('Decided by', row.proposedBy),
    ...(closedAt ? [{ name: 'Closed', value: closedAt, time: true }] : []),
    ...shown('Closed by', row.closedBy),
  ];
}

type Values = { note: string };

const { text } = fieldsOf<Values>();
const note = [text('note', 'Reason', { help: 'Stored with the difference and in the audit log.', maxLength: 500 })];

function Decisions({ row }: { row: DifferenceRow }) {
  const client = useQueryClient();
  const { ask, dialog } = useQuestion();
  // A decision is about what is shown, and refused if that has changed.
  const seen = { deltaMinor: row.deltaMinor, currency: row.currency };
  const send = async (act: string, body: object) => {
    await request(`/differences/${row.id}/${act}`, { body });
    await client.invalidateQueries();
  };
  const withNote = (act: string, title: string, done: string, about: string) => () =>
    ask<Values>({
      ...{ title, done, about, fields: note },
      defaultValues: { note: row.note ?? '' },
      onConfirm: (values) => send(act, act === 'explain' ? values : { ...values, ...seen }),
    });
  const question = (act: string, title: string, done: string, about: string) => () =>
    ask({ title, verb: title, done, text: about, onConfirm: () => send(act, act === 'approve' ? seen : {}) });
  const decided = 'Decision stored.';
  const explain = withNote('explain', 'Explain', 'Explanation stored.', 'The difference remains open.');
  const adjust = withNote(
    'adjust',
    'Adjust the ledger',
    decided,
    `Posts ${row.adjustment} to the receivable from the provider.`,
  );
  const accept = withNote('accept', 'Accept', decided, 'Closes the difference without an entry.');
  const approve = question('approve', 'Approve', 'Approved.', 'Carries out what the other user has proposed.');
  const reject = question('reject', 'Reject', 'Rejected.', 'The difference is open again.');
  const offers = [
    ...(row.mayDecide && row.adjustment !== null ? [{ text: 'Adjust', onClick: adjust }] : []),
    ...(row.mayDecide
      ? [
          { text: 'Accept', onClick: accept },
          { text: 'Explain', onClick: explain },
        ]
      : []),
    ...(row.mayApprove ? [{ text: 'Approve', onClick: approve }] : []),
    ...(row.mayReject ? [{ text: 'Reject', onClick: reject }] : []),
  ];
  if (offers.length === 0) return null;
  return (
    <PanelPart>
      <div className="flex flex-wrap gap-2">
        <Actions of={offers} />
      </div>
      {dialog}
    </PanelPart>
  );
}

type LimitValues = { limits: string };

const limitsField = [
  fieldsOf<LimitValues>().area('limits', 'Limits', {
    rows: 4,
    mono: true,
    help: 'A currency and an amount in each line: EUR 100.00',
  }),
];

/** The amounts above which a second user approves a decision. */
function Limits({ merchantId }: { merchantId: string }) {
  const { ask, dialog } = useQuestion();
  const path = `/settlement-limits/${merchantId}`;
  const change = async () => {
    const { limits } = await request<LimitsPage>(path);
    ask<LimitValues>({
      title: 'Limits of the merchant',
      verb: 'Save limits',
      done: 'Limits saved.',
      about: 'Above them, and in other currencies, a second user approves. Without limits one user decides.',
      fields: limitsField,
      defaultValues: { limits: limits.map(({ currency, amount }) => `${currency} ${amount}`).join('\n') },
      onConfirm: async (values) => {
        const lines = values.limits.split('\n').filter((line) => line.trim() !== '');
        const body = lines.map((line) => {
          const [currency = '', amount = ''] = line.trim().split(/\s+/);
          return { currency, amount };
        });
        await request(path, { body: { limits: body } });
      },
    });
  };
  return (
    <PanelPart>
      <Button onClick={() => void change()}>Limits of the merchant</Button>
      {dialog}
    </PanelPart>
  );
}
