import type { ReactNode } from 'react';
import { DocVersion } from '../../../components/docs/doc-body';
import { florinVersion } from '../../../lib/docs';

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <DocVersion version={florinVersion()} />
    </>
  );
}
