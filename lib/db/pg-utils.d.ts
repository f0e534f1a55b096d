// pg publishes this module for query classes such as pg-cursor's, without types.
declare module 'pg/lib/utils.js' {
  /** A value as a parameter for PostgreSQL: text, or bytes. */
  export function prepareValue(value: unknown): string | Uint8Array | null;
}
