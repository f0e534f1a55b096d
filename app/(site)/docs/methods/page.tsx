import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocBody } from '../../../../components/docs/doc-body';
import { TableFilter } from '../../../../components/docs/table-filter';
import { readPage } from '../../../../lib/docs';

export const metadata: Metadata = { title: 'Payment methods' };

export default async function Methods() {
  const doc = await readPage('methods');
  if (!doc) notFound();
  return (
    <TableFilter table="Every method" label="Find a method by its name, identifier, currency or country">
      <DocBody slug={doc.page.slug} text={doc.text} />
    </TableFilter>
  );
}
