'use client';
// Sends everything that a filter finds again. How many that are is said before it is done.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog, request, useToast } from '../ui';

type Counted = { found: number; most: number; resent: number };

const number = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
const callbacks = (count: number) => `${number(count)} ${count === 1 ? 'callback' : 'callbacks'}`;

export function ResendDialog({ filter, onClose }: { filter: string; onClose: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data, error } = useQuery({
    queryKey: ['resendable', filter],
    queryFn: () => request<Counted>('/callbacks/resend', { body: { query: filter, dry: true }, reads: true }),
    staleTime: 0,
  });
  const count = data ? Math.min(data.found, data.most) : null;
  const resend = async () => {
    if (count === 0) return;
    const { resent } = await request<Counted>('/callbacks/resend', { body: { query: filter } });
    await client.invalidateQueries();
    toast(resent === 0 ? 'Nothing to send: all of them are on their way.' : `${callbacks(resent)} on the way.`);
  };
  return (
    <ConfirmDialog
      open
      title="Resend all that the filter finds"
      verb={count === null ? 'Resend' : `Resend ${callbacks(count)}`}
      onConfirm={resend}
      onClose={onClose}
    >
      {error ? (
        <p role="alert" className="text-bad">
          {error.message}
        </p>
      ) : data === undefined || count === null ? (
        <p className="text-ink2">Counting.</p>
      ) : (
        <div className="grid gap-2 text-ink2">
          <p>
            {data.found > data.most
              ? `The filter finds more than ${number(data.most)} callbacks with an address. The oldest ${number(data.most)} go out now.`
              : `${callbacks(data.found)} with an address ${data.found === 1 ? 'goes' : 'go'} out now, whatever became of ${data.found === 1 ? 'it' : 'them'} before.`}
          </p>
          <p>
            Each keeps its <code className="mono">webhook-id</code>, and those of one payment keep their order. Your
            server may get messages that it has had already.
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
