// The sandbox's demo merchant (protocol.md 11): the same on every machine, so that examples can be copied. The keys are
// public and are valid in a sandbox only: production does not start while one of them has access.

/** Keys and password of the demo merchant; `liveKey` is always rejected, and its password is random. */
export const demoMerchant = {
  key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e',
  liveKey: 'b7e2d940-3c15-4f8a-8a61-70d5c3e9f128',
} as const;

/** The email addresses of the demo users: an account manager, and the owner of the demo merchant. */
export const demoEmails = ['manager@demo.test', 'merchant@demo.test'] as const;
