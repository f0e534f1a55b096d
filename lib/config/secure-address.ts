/** Whether an address is reached encrypted (PCI DSS 4.0.1, 4.2.1), or only from this machine. */
export const isSecureAddress = (address: string): boolean =>
  address.startsWith('https:') || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(address).hostname);
