/** Masks addresses for pages that anyone with the link can open: recognisable to the owner, useless to others. */

const dots = '•••';

/** `a•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? dots : `${[...email][0]}${dots}${email.slice(at)}`;
}

/** `+381 ••• 27`: the first digits and the last two. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (digits.length < 7) return dots;
  return `${phone.trim().startsWith('+') ? '+' : ''}${digits.slice(0, 3)} ${dots} ${digits.slice(-2)}`;
}
