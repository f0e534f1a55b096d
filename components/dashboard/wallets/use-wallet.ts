'use client';
// The state of a wallet page: its form, and actions on certificates, keys and domains, which leave the form as it is.
// Every action sends the version that the user sees and returns the changed wallet.
import type { FieldValues } from 'react-hook-form';
import type { WalletView } from '../../../lib/dashboard/wallets/contract';
import { request, type Settings, useSettings } from '../ui';

export type WalletAction = (path: string, fields?: object) => Promise<void>;

export type WalletState<View, Values extends FieldValues> = Settings<View, Values> & { act: WalletAction };

/** The wallet, its form and its actions. An action throws the server's error. */
export function useWallet<View extends WalletView, Values extends FieldValues>(
  initial: View,
  valuesOf: (wallet: View) => Values,
  toSend?: (values: Values) => object,
): WalletState<View, Values> {
  const path = `/wallets/${initial.id}`;
  const settings = useSettings<View, Values>({ initial, path, valuesOf, toSend });
  const { page, put } = settings;
  const act: WalletAction = async (action, fields) =>
    put(await request<View>(`${path}${action}`, { body: { version: page.version, ...fields } }));
  return { ...settings, act };
}
