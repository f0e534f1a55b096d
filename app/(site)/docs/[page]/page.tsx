import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocBody } from '../../../../components/docs/doc-body';
import { OwnNote } from '../../../../components/docs/own-note';
import { docPages } from '../../../../components/docs/pages';
import { readPage } from '../../../../lib/docs/page';
import { currentReader } from '../reader';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page: slug } = await params;
  const page = docPages.find((each) => each.slug === slug);
  return { title: page ? page.title : 'No such page', description: page?.summary };
}

export default async function DocPage({ params }: Props) {
  const { page } = await params;
  const { reader, own } = await currentReader();
  const doc = await readPage(page, reader);
  if (!doc) notFound();
  return (
    <DocBody
      slug={page}
      text={doc.text}
      note={own ? <OwnNote merchant={own.merchant} accounts={own.accounts} /> : null}
    />
  );
}
