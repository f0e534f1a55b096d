import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { DocBody } from '../../../../../components/docs/doc-body';
import { OwnNote } from '../../../../../components/docs/own-note';
import { findUsableKey } from '../../../../../lib/dashboard';
import { readPage } from '../../../../../lib/docs';
import { docPages } from '../../../../../lib/docs/pages';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page: slug } = await params;
  return { title: docPages.find((page) => page.slug === slug)?.title ?? 'No such page' };
}

/** A page with the reader's own key. The session's cookie goes to the dashboard only, so that it stands here. */
export default async function OwnDocPage({ params }: Props) {
  const { page } = await params;
  const own = await findUsableKey(await headers(), new Date());
  if (!own) redirect(`/docs/${encodeURIComponent(page)}`);
  const doc = await readPage(page, own);
  if (!doc) notFound();
  const note = <OwnNote merchant={own.merchant} accounts={own.accounts} />;
  return <DocBody slug={page} text={doc.text} note={note} base="/dashboard/docs" />;
}
