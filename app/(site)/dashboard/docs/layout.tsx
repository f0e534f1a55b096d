import type { ReactNode } from 'react';
import { DocVersion } from '../../../../components/docs/doc-body.tsx';
import { florinVersion } from '../../../../lib/docs/index.ts';

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <DocVersion version={florinVersion()} />
    </>
  );
}
