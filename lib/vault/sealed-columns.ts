/** The locations of sealed values by label. A rotation re-encrypts these only and then deletes the old key. */

/** A column of sealed bytes, or a JSON column whose members with this ending are sealed values in Base64. */
export type SealedColumn = { table: string; column: string; memberEnding?: string };

export const sealedColumns = {
  card: { table: 'cards', column: 'sealed' },
  'merchant-password': { table: 'merchant_keys', column: 'password' },
  'mid-settings': { table: 'mids', column: 'settings' },
  'earlier-mid-settings': { table: 'earlier_mid_settings', column: 'settings' },
  'wallet-settings': { table: 'wallets', column: 'settings' },
  'wallet-pending': { table: 'wallets', column: 'pending' },
  'card-parameters': { table: 'payments', column: 'parameters', memberEnding: ':sealed' },
} as const satisfies { [label: string]: SealedColumn };

export type SealedLabel = keyof typeof sealedColumns;
