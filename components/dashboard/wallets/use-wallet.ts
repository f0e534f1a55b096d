'use client';
// The state of a wallet page. Every action sends the version that the user sees and returns the changed wallet.
import { useCallback, useState } from 'react';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { request } from '../ui';

export type WalletAction = (path: string, fields?: object) => Promise<void>;

/** The wallet and its actions. An action throws the server's error. */
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
