import type { ReactNode } from 'react';
import { Site } from '../../components/ui/site.tsx';
import { env } from '../../lib/config/index.ts';
import { siteLinks } from './links.ts';

export default function SiteLayout({ children }: { children: ReactNode }) {
  const sandbox = env.appEnv === 'sandbox';
  return <Site frame={{ sandbox, links: siteLinks(sandbox) }}>{children}</Site>;
}
