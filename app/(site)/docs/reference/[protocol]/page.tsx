import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Reference } from '../../../../../components/docs/reference/reference';
import { type DocumentName, documentNames } from '../../../../../lib/core/openapi';
import { documentOf } from '../../../../../lib/openapi';

type Props = { params: Promise<{ protocol: string }> };

const nameOf = async ({ params }: Props): Promise<DocumentName | undefined> => {
  const { protocol } = await params;
  return documentNames.find((name) => name === protocol);
};

export async function generateMetadata(props: Props): Promise<Metadata> {
  const name = await nameOf(props);
  return { title: name ? `${documentOf(name).info.title.replace('Florin: ', '')} reference` : 'No such page' };
}

export default async function ReferencePage(props: Props) {
  const name = await nameOf(props);
  if (!name) notFound();
  return <Reference document={documentOf(name)} file={name} />;
}
