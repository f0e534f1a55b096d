// Messages about a failed sign-in, shown by the page's script and, without script, by the page itself.

export const signInErrorKinds = [
  'wrong',
  'password',
  'code',
  'used',
  'recovery',
  'passkey',
  'locked',
  'slow',
  'limited',
  'gone',
  'lost',
] as const;

export type SignInErrorKind = (typeof signInErrorKinds)[number];

const sentences = {
  wrong: 'Wrong email or password.',
  password: 'The password is incorrect.',
  code: 'Wrong code. A new one appears every 30 seconds.',
  used: 'This code was already used. Wait for the next one.',
  recovery: 'This recovery code is wrong or was already used.',
  passkey: 'This passkey was not accepted.',
  gone: 'Your sign-in has expired. Start again with your password.',
  lost: 'This kind of code can no longer be checked. Use another one or a passkey, or ask an administrator to remove your second factor.',
};

/** One message. `count`: the attempts left, the minutes of a lock or the seconds to wait; null if unknown. */
export function signInErrorText(kind: SignInErrorKind, count: string | null): string {
  const many = count !== null && /^\d{1,4}$/.test(count) ? Number(count) : null;
  if (kind === 'locked') {
    const minutes = many === null ? 'for a while' : `for ${many} ${many === 1 ? 'minute' : 'minutes'}`;
    return `Too many wrong attempts. This account is locked ${minutes}.`;
  }
  if (kind === 'slow' || kind === 'limited') {
    const wait = many === null ? 'a moment' : `${many} ${many === 1 ? 'second' : 'seconds'}`;
    return `Too many attempts${kind === 'slow' ? ' from your network' : ''}. Wait ${wait} and try again.`;
  }
  if (many === null) return sentences[kind];
  const attempts = many === 1 ? '1 attempt is left' : `${many} attempts are left`;
  return `${sentences[kind]} ${attempts}, then the account is locked for 30 minutes.`;
}
