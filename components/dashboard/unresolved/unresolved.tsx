'use client';
// An unresolved item beside its list: the difference between a provider and a payment, and the dialog that closes it.
import { useQueryClient } from '@tanstack/react-query';
import type { UnresolvedRow } from '../../../lib/dashboard/lists/contract.ts';
import { unresolvedKindLabels } from '../../../lib/dashboard/unresolved/labels.ts';
import factStyles from '../facts.module.css';
import { FactList } from '../facts.tsx';
import {
  Button,
  Fields,
  type FormQuestion,
  fieldsOf,
  ListPage,
  type ListProps,
  Note,
  type OpenRow,
  optionsOf,
  Panel,
  PanelPart,
  request,
  useQuestion,
} from '../ui/index.ts';

export function UnresolvedItems(props: ListProps<UnresolvedRow>) {
  return <ListPage<UnresolvedRow> {...props} panel={(open) => <ItemPanel key={open.id} open={open} />} />;
}

function ItemPanel({ open }: { open: OpenRow<UnresolvedRow> }) {
  const { row } = open;
  return (
    <Panel title={row ? unresolvedKindLabels[row.kind] : 'Unresolved item'} label="Unresolved item" open={open}>
      {row ? (
        <Details row={row} />
      ) : (
        <PanelPart>
          <Note>This item is not on this page of the list.</Note>
        </PanelPart>
      )}
    </Panel>
  );
}

function Details({ row }: { row: UnresolvedRow }) {
  const client = useQueryClient();
  const { ask, dialog } = useQuestion();
  const facts = [
    { name: 'Difference', value: row.reason },
    { name: 'Amount', value: `${row.amount} ${row.currency}` },
    ...(row.undecided ? [{ name: 'Requested', value: row.requested }] : []),
    { name: 'Payment', value: row.orderNumber, href: `/dashboard/payments/${row.paymentId}` },
    { name: 'Merchant', value: row.merchantName },
    { name: 'Opened', value: row.createdAt, time: true },
    ...(row.next ? [{ name: 'Next step', value: row.next }] : []),
    ...(row.resolution ? [{ name: 'Resolution', value: row.resolution }] : []),
    ...(row.closedAt ? [{ name: 'Closed', value: row.closedAt, time: true }] : []),
    ...(row.closedBy ? [{ name: 'Closed by', value: row.closedBy }] : []),
  ];
  return (
    <>
      <PanelPart>
        <FactList facts={facts} className={factStyles.list} />
      </PanelPart>
      {row.mayClose ? (
        <PanelPart>
          <p className="mb-3 text-ink2">
            {row.undecided
              ? 'The operation has no outcome yet. Look it up at the provider, then decide.'
              : 'Resolve the difference at the provider, then close the item.'}
          </p>
          <Button kind="primary" onClick={() => ask(closeForm(row, () => client.invalidateQueries()))}>
            Close item
          </Button>
        </PanelPart>
      ) : null}
      {dialog}
    </>
  );
}

type Values = { decision: string; note: string };

const { radio, text } = fieldsOf<Values>();

const noteField = text('note', 'What was done', { help: 'Stored with the item and in the audit log.', maxLength: 200 });

const fieldsFor = ({ undecided, requested }: UnresolvedRow) => {
  if (!undecided) return [noteField];
  const approved = 'Books this amount, even if the provider reports a different one';
  const options = optionsOf(
    ['declined', 'Declined', 'The provider holds no money for it'],
    ['approved', `Approved: ${requested}`, approved],
  );
  return [radio('decision', 'Outcome', { wide: true, options }), noteField];
};

const closeForm = (row: UnresolvedRow, closed: () => Promise<unknown>): FormQuestion<Values> => ({
  title: 'Close item',
  done: 'Item closed.',
  about: `${row.reason}: ${row.amount} ${row.currency} of ${row.orderNumber}`,
  defaultValues: { decision: row.undecided ? '' : 'closed', note: '' },
  children: <Fields of={fieldsFor(row)} />,
  onConfirm: async (values) => {
    await request(`/unresolved/${row.id}/close`, { body: values });
    await closed();
  },
});
