import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocBody } from '../../../../components/docs/doc-body';
import { env } from '../../../../lib/config';
import { readPage } from '../../../../lib/docs';
import { docPages } from '../../../../lib/docs/pages';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page: slug } = await params;
  const page = docPages.find((each) => each.slug === slug);
  return { title: page ? page.title : 'No such page', description: page?.summary };
}

export default async function DocPage({ params }: Props) {
  const { page } = await params;
  const doc = await readPage(page);
  if (!doc) notFound();
  const ownHref = env.appEnv === 'sandbox' ? `/dashboard/docs/${page}` : undefined;
  return <DocBody slug={page} text={doc.text} ownHref={ownHref} />;
}
