'use client';
// The object of a page: as the server rendered it first, then as it is loaded again or returned by an action.
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './request.ts';
import { useToast } from './toast.tsx';

/** The object at a path. `take` shows it as an action returned it, with the action's result as a toast. */
export function useObject<Page>(path: string, initial: Page, options?: Pick<UseQueryOptions<Page>, 'refetchInterval'>) {
  const client = useQueryClient();
  const toast = useToast();
  const queryKey = ['object', path];
  const { data = initial, refetch } = useQuery<Page>({
    queryKey,
    queryFn: () => request<Page>(path),
    initialData: initial,
    ...options,
  });
  const take = (page: Page, result?: string) => {
    client.setQueryData(queryKey, page);
    if (result !== undefined) toast(result);
  };
  return { page: data, take, refetch };
}
