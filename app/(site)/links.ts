// The navigation of the public pages.

/** The links of the header, in order. */
export function siteLinks(sandbox: boolean): { href: string; text: string }[] {
  const links = [
    { href: '/docs', text: 'Docs' },
    { href: '/dashboard', text: 'Dashboard' },
  ];
  return sandbox ? [{ href: '/shop', text: 'Demo shop' }, ...links] : links;
}
