// Renders the page of a payment method: properties, a button that opens it in the sandbox, parameters and requests.
import Link from 'next/link';
import { DocFrame, Source } from './doc-body.tsx';
import { Markdown, sectionsOf } from './markdown.tsx';

/** `session` is the session request that the button sends, as JSON; null in production. */
type Props = { id: string; intro: string; text: string; session: string | null };

export function MethodPage({ id, intro, text, session }: Props) {
  return (
    <DocFrame slug="reference/methods" sections={sectionsOf(text)}>
      <Markdown text={intro} />
      {session === null ? null : (
        <form method="post" action="/sandbox/shop/methods">
          <input type="hidden" name="request" value={session} />
          <p>
            <button type="submit" className="button primary">
              Open in the sandbox
            </button>
          </p>
          <p className="quiet">
            The demo shop creates a session with this method only and opens its payment page. The sandbox simulates the
            payer’s side. Afterwards the page of the order shows all requests and callbacks.
          </p>
        </form>
      )}
      <Markdown text={text} />
      <p>
        <Link href="/docs/reference/methods">All methods</Link>
      </p>
      <Source path={`methods/${id}`} />
    </DocFrame>
  );
}
