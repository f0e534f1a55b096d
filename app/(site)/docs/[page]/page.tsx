import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocBody } from '../../../../components/docs/doc-body';
import { readPage } from '../../../../lib/docs/page';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const doc = await readPage((await params).page);
  return { title: doc ? doc.page.title : 'No such page', description: doc?.page.summary };
}

export default async function DocPage({ params }: Props) {
  const doc = await readPage((await params).page);
  if (!doc) notFound();
  return <DocBody slug={doc.page.slug} text={doc.text} />;
}
