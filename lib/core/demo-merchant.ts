// The merchant that every sandbox is born with (protocol.md section 11): the same on every machine, so that examples can
// be copied. Its password is public for that reason; production never has this merchant.

export const demoMerchant = {
  name: 'Florin Demo Shop',
  /** merchant_key of Checkout and client_key of the form protocols. */
  key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e',
  /** The key of the other environment, which a sandbox refuses with 220002. */
  liveKey: 'b7e2d940-3c15-4f8a-8a61-70d5c3e9f128',
} as const;
