'use client';
// Keeps an order up to date: by server-sent events if they work, else by polling. A hidden tab does not poll.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OrderView } from '../../lib/sandbox/shop/order-model';
import { requestJson } from './client';

const pollMilliseconds = 2_500;

/** The key of an order in the query client. */
export const orderKey = (id: string) => ['shop', 'order', id];

/** The current order. `live` is true while events arrive. */
export function useOrder(initial: OrderView): { order: OrderView; live: boolean } {
  const client = useQueryClient();
  const [live, setLive] = useState(true);
  const { id } = initial;
  useEffect(() => {
    const source = new EventSource(`/sandbox/shop/orders/${id}/events`);
    source.addEventListener('open', () => setLive(true));
    source.addEventListener('error', () => setLive(false));
    source.addEventListener('order', (event) => client.setQueryData(orderKey(id), JSON.parse(event.data)));
    return () => source.close();
  }, [client, id]);
  const { data } = useQuery({
    queryKey: orderKey(id),
    queryFn: () => requestJson<OrderView>(`/orders/${id}`),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: live ? false : pollMilliseconds,
    refetchOnWindowFocus: true,
  });
  return { order: data, live };
}
