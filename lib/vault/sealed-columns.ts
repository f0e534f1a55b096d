/**
 * Where sealed values stand, by the label that they are bound to. The type of `seal` takes no label that is missing
 * here, because a rotation re-seals what this table names and then forgets the old key.
 */

/** A column of sealed bytes, or a JSON column whose members with this ending hold them in Base64. The key is `id`. */
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
