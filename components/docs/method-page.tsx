// The page of a payment method: its row in words, a button that opens it in the sandbox, its parameters and requests.
import Link from 'next/link';
import { DocFrame, Source } from './doc-body';
import { Markdown, outlineOf } from './markdown';

/** `session` is what the button sends, as JSON; null where there is no sandbox. */
type Props = { id: string; intro: string; text: string; session: string | null };

export function MethodPage({ id, intro, text, session }: Props) {
  return (
    <DocFrame slug="methods" sections={outlineOf(text).sections}>
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
            The demo shop opens a session with this method alone and leads you to its payment page; what the payer’s
            side does is played by the sandbox. Afterwards the order’s page shows what went over the wire.
          </p>
        </form>
      )}
      <Markdown text={text} />
      <p>
        <Link href="/docs/methods">Every method</Link>
      </p>
      <Source path={`methods/${id}`} />
    </DocFrame>
  );
}
