// Generates the index of the reference: every operation with a link to its page.
import { type DocumentName, documentNames } from '../core/openapi';
import { actionHelp, actionRegistry, type RegisteredAction } from '../protocols';
import { tableOf } from './markdown-table';
import { operationSlug } from './schema-description';

const protocols: Record<DocumentName, { protocol: RegisteredAction['protocol']; title: string }> = {
  checkout: { protocol: 'checkout', title: 'Checkout' },
  's2s-card': { protocol: 's2s_card', title: 'S2S CARD' },
  's2s-apm': { protocol: 's2s_apm', title: 'S2S APM' },
};

function operationIndex(): string {
  const parts = documentNames.map((name) => {
    const { protocol, title } = protocols[name];
    const rows = actionRegistry
      .filter((each) => each.protocol === protocol)
      .map(({ action }) => {
        const operation = action.replace('/api/v1/', '');
        const address = `/docs/reference/${name}/${operationSlug(operation)}`;
        return [`[\`${operation}\`](${address})`, actionHelp[action] ?? ''];
      });
    rows.push([`[callbacks](/docs/reference/${name}/callbacks)`, 'The notification of a change to your server.']);
    return `## ${title}\n\nOverview: [${title} reference](/docs/reference/${name}).\n\n${tableOf(['Operation', 'What it does'], rows)}`;
  });
  return parts.join('\n\n');
}

/** By the names that templates use. */
export const referenceTables: Readonly<Record<string, () => string>> = { operations: operationIndex };
