'use client';
// The alert counts. The server renders the first ones; then they are polled every minute.
import { useQuery } from '@tanstack/react-query';
import { request } from '../ui/request';
import { useShell } from './context';
import type { ActionCounts } from './nav';

const everyMilliseconds = 60_000;

export function useCounts(): ActionCounts {
  const { counts, merchant } = useShell();
  const { data } = useQuery({
    queryKey: ['action-counts', merchant?.id ?? null],
    queryFn: () => request<ActionCounts>('/attention/counts'),
    initialData: counts,
    staleTime: everyMilliseconds,
    refetchInterval: everyMilliseconds,
  });
  return data;
}
