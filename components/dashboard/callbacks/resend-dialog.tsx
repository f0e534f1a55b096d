'use client';
// Resends every callback that a filter finds. The number is shown before.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { grouped } from '../../../lib/core/money';
import { ConfirmDialog, request, useToast } from '../ui';

type Counted = { found: number; most: number; resent: number };

const callbacks = (count: number) => `${grouped(count)} ${count === 1 ? 'callback' : 'callbacks'}`;

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
    toast(resent === 0 ? 'Nothing to resend: all of them are being sent.' : `${callbacks(resent)} queued.`);
  };
  return (
    <ConfirmDialog
      open
      title="Resend all found callbacks"
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
              ? `The filter finds more than ${grouped(data.most)} callbacks with a URL. The oldest ${grouped(data.most)} are sent now.`
              : `${callbacks(data.found)} with a URL ${data.found === 1 ? 'is' : 'are'} sent now, whatever ${data.found === 1 ? 'its' : 'their'} state.`}
          </p>
          <p>
            Each keeps its <code className="mono">webhook-id</code>, and those of one payment keep their order. Your
            server may receive callbacks again.
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
