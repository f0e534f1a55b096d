/** The whole body of an API error without field errors: its list repeats its own code and message (protocol.md 8). */
export function apiError(error_code: number, error_message: string) {
  return { result: 'ERROR', error_code, error_message, errors: [{ error_code, error_message }] };
}
