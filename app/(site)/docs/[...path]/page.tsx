import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { DocBody, MethodPage } from '../../../../components/docs/doc-body.tsx';
import { Reference, ReferencePart } from '../../../../components/docs/reference/reference.tsx';
import { TableFilter } from '../../../../components/docs/table-filter.tsx';
import { env, linkBase } from '../../../../lib/config/index.ts';
import { addressOf, methodIntro, methodText, publicReader, readPage, sessionBody } from '../../../../lib/docs/index.ts';
import type { DocPage } from '../../../../lib/docs/pages.ts';
import { titleOf } from '../../../../lib/docs/schema-description.ts';
import type { Method } from '../../../../lib/methods/method.ts';
import { documentOf } from '../../../../lib/openapi/index.ts';

type Props = { params: Promise<{ path: string[] }> };

const addressIn = async ({ params }: Props) => addressOf((await params).path.map(decodeURIComponent).join('/'));

export async function generateMetadata(props: Props): Promise<Metadata> {
  const address = await addressIn(props);
  if (address?.kind === 'page') return { title: address.page.title, description: address.page.summary };
  if (address?.kind === 'method') return { title: `${address.method.name} (${address.method.id})` };
  if (address?.kind === 'protocol') return { title: titleOf(documentOf(address.name)) };
  if (address?.kind === 'part') return { title: `${address.part}: ${titleOf(documentOf(address.name))}` };
  return { title: 'Page not found' };
}

export default async function DocsPage(props: Props) {
  const address = await addressIn(props);
  if (!address) notFound();
  if (address.kind === 'moved') permanentRedirect(`/docs/${address.to}`.replace(/\/$/, ''));
  if (address.kind === 'method') return methodPage(address.method);
  if (address.kind === 'protocol') return <Reference document={documentOf(address.name)} file={address.name} />;
  if (address.kind === 'part') {
    return <ReferencePart document={documentOf(address.name)} file={address.name} part={address.part} />;
  }
  return textPage(address.page);
}

const filters: Record<string, { table: string; label: string }> = {
  'reference/methods': { table: 'All methods', label: 'Find a method by name, identifier, currency or country' },
  'reference/errors': { table: 'All errors', label: 'Find an error by code or message' },
};

function textPage({ slug }: DocPage) {
  const doc = readPage(slug);
  if (!doc) notFound();
  const ownHref = env.appEnv === 'sandbox' ? `${linkBase('dashboard')}/dashboard/docs/${slug}` : undefined;
  const body = <DocBody slug={slug} text={doc.text} ownHref={ownHref} />;
  const filter = filters[slug];
  return filter ? <TableFilter {...filter}>{body}</TableFilter> : body;
}

function methodPage(method: Method) {
  const reader = publicReader();
  const { merchant_key: _shops, success_url: _own, cancel_url: _too, ...session } = sessionBody(method, reader);
  return (
    <MethodPage
      id={method.id}
      intro={methodIntro(method)}
      text={methodText(method, reader)}
      session={env.appEnv === 'sandbox' ? JSON.stringify(session) : null}
      shop={`${linkBase('public')}/sandbox/shop/methods`}
    />
  );
}
