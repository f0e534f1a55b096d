import type { ReactNode } from 'react';
import { Site } from '../../components/ui/site';
import { env } from '../../lib/config';
import { siteLinks } from './links';

export default function SiteLayout({ children }: { children: ReactNode }) {
  const sandbox = env.appEnv === 'sandbox';
  return <Site frame={{ sandbox, links: siteLinks(sandbox) }}>{children}</Site>;
}
