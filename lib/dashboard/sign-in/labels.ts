// What is said to somebody who could not sign in: by the page's script and, without script, by the page itself.

export const signInErrorKinds = ['wrong', 'code', 'used', 'recovery', 'locked', 'slow', 'gone'] as const;

export type SignInErrorKind = (typeof signInErrorKinds)[number];

const sentences = {
  wrong: "E-mail and password don't fit together.",
  code: 'This code does not fit. A new one comes every 30 seconds.',
  used: 'This code was used already. Wait for the next one.',
  recovery: 'This recovery code does not fit, or was used already.',
  gone: 'The sign-in took too long. Start again with your password.',
};

/** One sentence. `count` is the number of tries left, the minutes of a lock, or the seconds to wait; null if unknown. */
export function signInErrorText(kind: SignInErrorKind, count: string | null): string {
  const many = count !== null && /^\d{1,4}$/.test(count) ? Number(count) : null;
  if (kind === 'locked') {
    const minutes = many === null ? 'for a while' : `for ${many} ${many === 1 ? 'minute' : 'minutes'}`;
    return `Too many wrong tries. This account is locked ${minutes}.`;
  }
  if (kind === 'slow') {
    const wait = many === null ? 'a moment' : `${many} ${many === 1 ? 'second' : 'seconds'}`;
    return `Too many tries came from your network. Wait ${wait} and try again.`;
  }
  if (many === null) return sentences[kind];
  const tries = many === 1 ? '1 try is left' : `${many} tries are left`;
  return `${sentences[kind]} ${tries}, then the account is locked for 30 minutes.`;
}
