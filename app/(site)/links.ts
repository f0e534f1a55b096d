// The navigation of the public pages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The links of the header, in order. The dashboard is linked if this build has one. */
export function siteLinks(sandbox: boolean): { href: string; text: string }[] {
  const links = [{ href: '/docs', text: 'Docs' }];
  if (sandbox) links.unshift({ href: '/shop', text: 'Demo shop' });
  if (hasDashboard()) links.push({ href: '/dashboard', text: 'Dashboard' });
  return links;
}

/** Whether this build has a dashboard. */
export function hasDashboard(): boolean {
  const folder = join(process.cwd(), 'app', 'dashboard');
  return ['page.tsx', 'layout.tsx'].some((file) => existsSync(join(folder, file)));
}
