'use client';
// An entry of a log beside its list: loaded when it is opened, with its outcome before the title.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryStatus, RequestRow } from '../../../lib/dashboard/developers/contract.ts';
import { OutcomeShape } from '../developers/outcome.tsx';
import { Loading, Note, type OpenRow, Panel, PanelPart, request } from '../ui/index.ts';

type Props<Row, Page> = {
  open: OpenRow<Row>;
  /** The kind of entry: `Callback`. */
  noun: string;
  /** The path of the entries, without the id: `/callbacks`. */
  path: string;
  title: (page: Page) => { mark: DeliveryStatus | RequestRow['outcome']; text: string };
  fresh: Pick<UseQueryOptions<Page>, 'refetchInterval' | 'staleTime'>;
  children: (page: Page) => ReactNode;
};

export function LogPanel<Row, Page>({ open, noun, path, title, fresh, children }: Props<Row, Page>) {
  const { data, error } = useQuery<Page>({
    queryKey: [noun, open.id],
    queryFn: () => request<Page>(`${path}/${open.id}`),
    ...fresh,
  });
  const head = data && title(data);
  const shown = head ? (
    <>
      <OutcomeShape kind={head.mark} />
      <span className="truncate">{head.text}</span>
    </>
  ) : (
    noun
  );
  return (
    <Panel title={shown} label={noun} open={open}>
      {error ? (
        <PanelPart>
          <Note tone="bad" role="alert">
            {error.message}
          </Note>
        </PanelPart>
      ) : data ? (
        children(data)
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
