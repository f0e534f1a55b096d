// The tabs of a merchant's page; the branding of its payment page has its own editor.

export function merchantTabs(id: string, here: 'general' | 'keys') {
  return [
    { href: `/dashboard/merchants/${id}`, title: 'General', here: here === 'general' },
    { href: `/dashboard/merchants/${id}/keys`, title: 'Keys', here: here === 'keys' },
    { href: `/dashboard/payment-page?merchant=${id}`, title: 'Payment page', here: false },
  ];
}
