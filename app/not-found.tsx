import type { Metadata } from 'next';
import { NotFoundMessage } from '../components/ui/not-found-message';
import { Site } from '../components/ui/site';
import { env } from '../lib/config';
import { siteLinks } from './(site)/links';

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
