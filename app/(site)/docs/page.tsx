import type { Metadata } from 'next';
import { DocIndex } from '../../../components/docs/doc-body.tsx';

export const metadata: Metadata = { title: 'Documentation' };

export default function Docs() {
  return <DocIndex />;
}
