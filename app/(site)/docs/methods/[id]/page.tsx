import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MethodPage } from '../../../../../components/docs/method-page';
import { env } from '../../../../../lib/config';
import { methodIntro, methodText, publicReader, sessionBody } from '../../../../../lib/docs';
import { findMethod } from '../../../../../lib/methods/catalog';

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const method = findMethod((await params).id);
  return { title: method ? `${method.name} (${method.id})` : 'Method not found' };
}

export default async function Method({ params }: Props) {
  const method = findMethod((await params).id);
  if (!method) notFound();
  const reader = publicReader();
  const { merchant_key: _shops, success_url: _own, cancel_url: _too, ...session } = sessionBody(method, reader);
  const isSandbox = env.appEnv === 'sandbox';
  return (
    <MethodPage
      id={method.id}
      intro={methodIntro(method)}
      text={methodText(method, reader)}
      session={isSandbox ? JSON.stringify(session) : null}
    />
  );
}
