// The navigation of the public pages.
import { linkBase } from '../../lib/config/index.ts';

/** The links of the header, in order. */
export function siteLinks(sandbox: boolean): { href: string; text: string }[] {
  const links = [
    { href: '/docs', text: 'Docs' },
    { href: `${linkBase('dashboard')}/dashboard`, text: 'Dashboard' },
  ];
  return sandbox ? [{ href: `${linkBase('public')}/shop`, text: 'Demo shop' }, ...links] : links;
}
