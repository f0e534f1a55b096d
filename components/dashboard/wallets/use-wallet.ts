'use client';
// One wallet on its page. Every action names the version that the person sees and gives the wallet as it is then.
import { useCallback, useState } from 'react';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { request } from '../ui';

export type WalletAction = (path: string, fields?: object) => Promise<void>;

/** The wallet and what changes it. An action throws what the server has refused. */
export function useWallet<View extends WalletView>(initial: View): { wallet: View; act: WalletAction } {
  const [wallet, setWallet] = useState(initial);
  const { id, version } = wallet;
  const act = useCallback<WalletAction>(
    async (path, fields) => {
      setWallet(await request<View>(`/wallets/${id}${path}`, { body: { version, ...fields } }));
    },
    [id, version],
  );
  return { wallet, act };
}
