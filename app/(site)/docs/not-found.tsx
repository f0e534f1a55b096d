import { DocMissing } from '../../../components/docs/doc-body.tsx';

/** An address below /docs without a page. */
export default function DocsNotFound() {
  return <DocMissing />;
}
