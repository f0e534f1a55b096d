/** What went wrong, in a sentence for people. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : 'That did not work.';
}
