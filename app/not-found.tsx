import type { Metadata } from 'next';
import { NotFoundMessage } from '../components/ui/not-found-message.tsx';
import { Site } from '../components/ui/site.tsx';
import { env } from '../lib/config/index.ts';
import { siteLinks } from './(site)/links.ts';

export const metadata: Metadata = { title: 'Page not found' };

/** The 404 page. */
export default function NotFound() {
  const sandbox = env.appEnv === 'sandbox';
  return (
    <Site frame={{ sandbox, links: siteLinks(sandbox) }}>
      <NotFoundMessage />
    </Site>
  );
}
