import type { Metadata } from 'next';
import Link from 'next/link';
import { Site } from '../components/ui/site';
import { env } from '../lib/env';
import { siteLinks } from './(site)/links';

export const metadata: Metadata = { title: 'Nothing at this address' };

export default function NotFound() {
  const sandbox = env.appEnv === 'sandbox';
  return (
    <Site frame={{ sandbox, links: siteLinks(sandbox) }}>
      <div className="wide lost">
        <h1>There is nothing at this address</h1>
        <p className="soft">
          {sandbox ? 'An order of the demo shop is kept for a day; afterwards its page is gone. ' : ''}
          <Link href="/">Go to the start</Link> or <Link href="/docs">read the documentation</Link>.
        </p>
      </div>
    </Site>
  );
}
