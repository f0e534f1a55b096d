import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, permanentRedirect, redirect } from 'next/navigation';
import { DocBody, ReaderKeyNote } from '../../../../../components/docs/doc-body.tsx';
import { findUsableKey } from '../../../../../lib/dashboard/index.ts';
import { addressOf, readPage } from '../../../../../lib/docs/index.ts';

type Props = { params: Promise<{ path: string[] }> };

const pathIn = async ({ params }: Props) => (await params).path.map(decodeURIComponent).join('/');

export async function generateMetadata(props: Props): Promise<Metadata> {
  const address = addressOf(await pathIn(props));
  return { title: address?.kind === 'page' ? address.page.title : 'Page not found' };
}

/** A page with the reader's own key. The session's cookie is sent to the dashboard only, so the page is below it. */
export default async function OwnDocPage(props: Props) {
  const path = await pathIn(props);
  const address = addressOf(path);
  if (address?.kind === 'moved') permanentRedirect(`/dashboard/docs/${address.to}`);
  const own = await findUsableKey(await headers(), new Date());
  if (!own || address?.kind !== 'page') redirect(`/docs/${path.split('/').map(encodeURIComponent).join('/')}`);
  const doc = readPage(path, own);
  if (!doc) notFound();
  const note = <ReaderKeyNote merchant={own.merchant} accounts={own.accounts} />;
  return <DocBody slug={path} text={doc.text} note={note} base="/dashboard/docs" />;
}
