/** An error as a sentence for users. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : 'Something went wrong.';
}
