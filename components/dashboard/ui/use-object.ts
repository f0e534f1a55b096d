'use client';
// The object of a page: as the server rendered it first, then as it is loaded again or returned by an action.
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './request.ts';
import { useToast } from './toast.tsx';

/** Reads an address under /dashboard/api; the same address is read once. */
export const useRead = <Answer>(path: string, options: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> = {}) =>
  useQuery<Answer>({ queryKey: ['object', path], queryFn: () => request<Answer>(path), ...options });

/** The object at a path. `take` shows it as an action returned it, with the action's result as a toast. */
export function useObject<Page>(path: string, initial: Page, options?: Pick<UseQueryOptions<Page>, 'refetchInterval'>) {
  const client = useQueryClient();
  const toast = useToast();
  const { data = initial, refetch } = useRead<Page>(path, { initialData: initial, ...options });
  const take = (page: Page, result?: string) => {
    client.setQueryData(['object', path], page);
    if (result !== undefined) toast(result);
  };
  return { page: data, take, refetch };
}
