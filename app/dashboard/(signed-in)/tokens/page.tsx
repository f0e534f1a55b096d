import type { Metadata } from 'next';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { Tokens } from '../../../../components/dashboard/tokens/tokens';
import { env } from '../../../../lib/config';
import { brands } from '../../../../lib/core/cards';
import { tokenList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Tokens' };

export default async function TokensPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/tokens', searchParams);
  return (
    <>
      <TopBar title="Tokens" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Tokens
          initial={await tokenList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          origin={env.baseUrl}
          brands={brands.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </main>
    </>
  );
}
